import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { makeTermIndex } from '../../../src/ledger/rows/capped-terms.ts';
import { type CappedField, findCap, OTHER, PROPERTIES, TEXT_FIELDS } from '../../../src/stats/dimensions.ts';
import type { Db } from '../../../src/store/db.ts';
import { fileOf, TODAY } from '../../collect/stage.ts';
import { anyText } from '../../support/text.ts';

const CAPPED = TEXT_FIELDS.filter((word) => word !== PROPERTIES);
const KINDS = [...CAPPED, 'crawled'] as const;
/** The caps as they are promised, not as the code has them: of most words 2,000. */
const PROMISED = {
  ...(Object.fromEntries(CAPPED.map((word) => [word, 2_000])) as Record<CappedField, number>),
  ad: 20,
  page: 10_000,
  event: 200,
  source: 5_000,
  crawled: 10_000,
  revenue: 50_000,
};

type Asking = { siteId?: number; day?: number };

/** Words over a file, which may be opened again; texts go in, and what the file makes of them comes out. */
function stage(t: TestContext) {
  const { open } = fileOf(t);
  /** What is on the disk is for others to hold. */
  const opened = () => {
    const store = open();
    store.db.run('PRAGMA synchronous = OFF');
    return store;
  };
  let { db, close } = opened();
  let known = makeTermIndex(db);
  const readText = (siteId: number, id: number): string | undefined =>
    id === 0 ? '' : db.one<{ text: string }>('SELECT text FROM term WHERE site_id = ? AND id = ?', siteId, id)?.text;
  const crawl = (siteId: number, day: number, page: number) =>
    db.run(
      "INSERT INTO crawl_day (site_id, day, crawler, page, requests) VALUES (?, ?, 'gptbot', ?, 1) ON CONFLICT DO NOTHING",
      siteId,
      day,
      page,
    );
  return {
    db: () => db,
    restart(): void {
      close();
      ({ db, close } = opened());
      known = makeTermIndex(db);
    },
    forget: () => known.forget(),
    forgetBefore: (day: number) => known.forgetBefore(day),
    idsOf: (
      kind: CappedField | 'crawled',
      texts: readonly string[],
      { siteId = 1, day = TODAY }: Asking = {},
    ): number[] => db.write(() => texts.map((text) => known.on(siteId, day)(kind, text))),
    keep(kind: CappedField | 'crawled', texts: readonly string[], { siteId = 1, day = TODAY }: Asking = {}) {
      const ids = db.write(() => {
        const found = texts.map((text) => known.on(siteId, day)(kind, text));
        // As the collector does, from which the file knows the pages of crawlers.
        if (kind === 'crawled') for (const id of found) crawl(siteId, day, id);
        return found;
      });
      return ids.map((id) => readText(siteId, id));
    },
    /** One transaction that fails at its end, which forgets what it learned, as the collector does. */
    fail(kind: CappedField, texts: readonly string[]): void {
      const failing = () =>
        db.write(() => {
          for (const text of texts) known.on(1, TODAY)(kind, text);
          throw new Error('no room');
        });
      assert.throws(failing, /no room/);
      known.forget();
    },
  };
}

const count = (db: Db, table: 'term' | 'day_term'): number =>
  db.one<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)?.n ?? 0;

const numbered = (name: string, n: number): string[] => Array.from({ length: n }, (_, i) => `${name}${i}`);

test('the caps are those that are promised', () => {
  const caps = Object.fromEntries(CAPPED.map((word) => [word, findCap(word)]));
  assert.deepEqual({ ...caps, crawled: caps.page }, PROMISED);
});

test('a text is kept once, whatever it is for, and the empty one not at all', (t) => {
  const { idsOf, db } = stage(t);
  const [first = 0, second = 0, again, empty] = idsOf('page', ['/a', '/b', '/a', '']);
  assert.ok(first > 0 && second > 0 && first !== second);
  assert.deepEqual([again, empty], [first, 0]);
  assert.deepEqual(idsOf('event', ['/b', '']), [second, 0]);
  assert.deepEqual(idsOf('page', ['/b'], { day: TODAY + 1 }), [second]);
  assert.equal(count(db(), 'term'), 2);
  assert.equal(count(db(), 'day_term'), 4);
});

test('texts that look alike are not the same', (t) => {
  const { keep } = stage(t);
  const texts = [
    'a',
    'A',
    'a ',
    'ä',
    'ä'.normalize('NFD'),
    'a\u0000',
    'a\u0000b',
    '😀',
    '(other) ',
    '(OTHER)',
    '0',
    '1',
    '%',
    "'",
  ];
  assert.deepEqual(keep('label', texts), texts);
  assert.deepEqual(keep('label', texts), texts);
});

test('any texts come back as they went in, also to who has forgotten them', (t) => {
  const { keep, forget } = stage(t);
  const text = fc.oneof(anyText({ maxLength: 8 }), fc.constantFrom('', OTHER, '__proto__', 'a', 'b'));
  const texts = fc.array(text, { maxLength: 20 });
  let day = TODAY;
  fc.assert(
    fc.property(texts, fc.constantFrom(...KINDS), fc.constantFrom(1, 2), fc.boolean(), (given, kind, siteId, again) => {
      day++;
      assert.deepEqual(keep(kind, given, { siteId, day }), given);
      if (again) forget();
      assert.deepEqual(keep(kind, given, { siteId, day }), given);
    }),
    { numRuns: 200 },
  );
});

for (const kind of KINDS) {
  const cap = PROMISED[kind];
  test(`${kind}: beyond ${cap} new words a day of a site has ${OTHER}, and knows the others still`, (t) => {
    const { keep, db, restart } = stage(t);
    const texts = numbered('word', cap);
    assert.deepEqual(keep(kind, texts), texts);
    assert.deepEqual(keep(kind, ['one more', 'word0', OTHER, '', 'another']), [OTHER, 'word0', OTHER, '', OTHER]);
    restart();
    assert.deepEqual(keep(kind, ['one more', `word${cap - 1}`, 'new']), [OTHER, `word${cap - 1}`, OTHER]);

    // Nothing is kept of what is beyond, and the cap is of the day, the site and the kind.
    assert.deepEqual([count(db(), 'term'), count(db(), 'day_term')], [cap + 1, kind === 'crawled' ? 0 : cap]);
    assert.deepEqual(keep(kind, ['one more'], { siteId: 2 }), ['one more']);
    assert.deepEqual(keep(kind === 'page' ? 'source' : 'page', ['one more', 'word1']), ['one more', 'word1']);
    const tomorrow = { day: TODAY + 1 };
    assert.deepEqual(keep(kind, ['new', 'word0'], tomorrow), ['new', 'word0']);
    assert.deepEqual(keep(kind, ['new', 'word0']), [OTHER, 'word0'], 'what another day knows is beyond it here');
  });
}

test(`the word ${OTHER} takes no place of another`, (t) => {
  const { keep } = stage(t);
  const texts = numbered('event', 200);
  assert.deepEqual(keep('event', [OTHER, ...texts, 'more']), [OTHER, ...texts, OTHER]);
});

test('a day that is over is asked for again in the file, where a late hit is within its caps still', (t) => {
  const { keep, forgetBefore } = stage(t);
  const texts = numbered('event', 199);
  keep('event', texts);
  keep('event', ['other day'], { day: TODAY + 1 });
  forgetBefore(TODAY + 1);
  assert.deepEqual(keep('event', ['a', 'b', 'event7']), ['a', OTHER, 'event7']);
  assert.deepEqual(keep('event', ['other day'], { day: TODAY + 1 }), ['other day']);
});

test('what a transaction that failed had learned is not remembered', (t) => {
  const { keep, fail, db } = stage(t);
  keep('event', ['before']);
  fail('event', ['a', 'b', ...numbered('failed', 150), OTHER]);
  assert.deepEqual([count(db(), 'term'), count(db(), 'day_term')], [1, 1]);
  // Neither their numbers nor the places that they would have taken.
  assert.deepEqual(keep('event', ['c', 'b', 'before', 'a']), ['c', 'b', 'before', 'a']);
  const texts = numbered('event', 196);
  assert.deepEqual(keep('event', [...texts, 'beyond']), [...texts, OTHER]);
});

test('more texts than are remembered of a site are still each the same', (t) => {
  const { idsOf, db } = stage(t);
  const days = Array.from({ length: 6 }, (_, i) => ({ day: TODAY + i }));
  const readTexts = (day: number) => numbered(`/${day}/`, 9_000);
  const first = days.map(({ day }) => idsOf('page', readTexts(day), { day }));
  assert.equal(new Set(first.flat()).size, 54_000);
  assert.deepEqual(
    days.map(({ day }) => idsOf('page', readTexts(day), { day })),
    first,
  );
  assert.equal(count(db(), 'term'), 54_000);
});
