import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import type { ParsedHit } from '../../../src/exchange/reading/file-hits.ts';
import { type Spool, spool } from '../../../src/exchange/reading/spool.ts';
import { Refusal } from '../../../src/lib/errors.ts';
import { PROPERTIES, TEXT_FIELDS, type TextField } from '../../../src/stats/dimensions.ts';

function place(t: TestContext): { folder: string; path: string } {
  const folder = mkdtempSync(join(tmpdir(), 'daybook-'));
  t.after(() => rmSync(folder, { recursive: true }));
  return { folder, path: join(folder, 'spool') };
}

/** The hits of a day as they were put in. */
function hitsOf(from: Spool, day: number): ParsedHit[] {
  const { count, second, visitor, engaged, scroll, terms: words } = from.rows(day);
  const { texts, properties } = from.content(0);
  const read = (word: TextField, term = -1) => (word === PROPERTIES ? properties : texts)?.[term] ?? 'no text';
  const columns = [second, visitor, engaged, scroll, ...Object.values(words)];
  assert.ok(columns.every(({ length }) => length === count));
  assert.deepEqual(Object.keys(words), [...TEXT_FIELDS]);
  assert.ok(engaged.every((value) => value === -1));
  assert.ok(scroll.every((value) => value === 0));
  return Array.from({ length: count }, (_, i) => ({
    day,
    second: second[i] ?? Number.NaN,
    visitor: visitor[i] ?? Number.NaN,
    texts: TEXT_FIELDS.map((word) => read(word, words[word][i])),
  }));
}

function byDay(hits: readonly ParsedHit[]): [number, ParsedHit[]][] {
  const days = new Map<number, ParsedHit[]>();
  for (const hit of hits) {
    const before = days.get(hit.day);
    if (before) before.push(hit);
    else days.set(hit.day, [hit]);
  }
  return [...days].sort(([one], [other]) => one - other);
}

function assertHolds(from: Spool, hits: readonly ParsedHit[]): void {
  const expected = byDay(hits);
  assert.deepEqual(
    from.days(),
    expected.map(([day, of]) => ({ day, count: of.length })),
  );
  // Days in any order, and twice.
  for (const [day, of] of [...expected, ...expected.toReversed()]) assert.deepEqual(hitsOf(from, day), of);
}

const word = fc.oneof(fc.constantFrom('', '/', '/a', 'Chrome', 'ü😀'), fc.string({ unit: 'grapheme', maxLength: 5 }));
const hit: fc.Arbitrary<ParsedHit> = fc.record(
  {
    day: fc.oneof(fc.integer({ min: 20_000, max: 20_005 }), fc.integer({ min: 0, max: 130_000 })),
    second: fc.nat(86_399),
    visitor: fc.oneof(fc.integer({ min: 0, max: 2 ** 53 - 1 }), fc.constant(2 ** 53 - 1)),
    texts: fc.array(word, { minLength: TEXT_FIELDS.length, maxLength: TEXT_FIELDS.length }),
  },
  { noNullPrototype: true },
);

test('hits in any order come back by day in the order in which they came, however little fits in memory', (t) => {
  const { folder, path } = place(t);
  fc.assert(
    fc.property(fc.array(hit, { maxLength: 60, size: 'max' }), fc.integer({ min: 1, max: 20 }), (hits, most) => {
      const held = spool(path, { memory: most * 64 });
      try {
        for (const one of hits) held.add(one);
        assertHolds(held, hits);
      } finally {
        held.close();
      }
      assert.deepEqual(readdirSync(folder), []);
    }),
    { numRuns: 300 },
  );
});

test('many hits of many days come back by day, through many runs', (t) => {
  const held = spool(place(t).path, { memory: 64 * 10_000 });
  t.after(() => held.close());
  const hits = Array.from({ length: 65_000 }, (_, i): ParsedHit => {
    const mixed = Math.imul(i, 2_654_435_761) >>> 0;
    const texts = TEXT_FIELDS.map((name, w) => ((mixed >> w) & 1 ? '' : `${name} ${mixed % 100}`));
    return {
      day: i % 3 === 0 ? 20_000 : 20_000 + (mixed % 50),
      second: mixed % 86_400,
      visitor: mixed * 2 ** 20 + i,
      texts,
    };
  });
  for (const one of hits) held.add(one);
  assertHolds(held, hits);
});

test('a spool goes on taking hits after it has been asked', (t) => {
  const held = spool(place(t).path, { memory: 640 });
  t.after(() => held.close());
  const hits = fc.sample(hit, { numRuns: 50, seed: 1 });
  for (const [i, one] of hits.entries()) {
    held.add(one);
    if (i % 7 === 0) assertHolds(held, hits.slice(0, i + 1));
  }
  assertHolds(held, hits);
});

test('a text has one number, and the empty one is 0', (t) => {
  const held = spool(place(t).path);
  t.after(() => held.close());
  // Sets of properties have numbers of their own, so they are empty here in both orders.
  const some = ['/a', '', 'buy', 'x.org', '/a', '', '', 'DE', 'Mobile', 'buy', '/a'];
  const texts = TEXT_FIELDS.map((_, i) => some[i] ?? '');
  held.add({ day: 1, second: 2, visitor: 3, texts });
  held.add({ day: 1, second: 2, visitor: 3, texts: texts.toReversed() });
  const { texts: found } = held.content(0);
  assert.deepEqual(found, ['', '/a', 'buy', 'x.org', 'DE', 'Mobile']);
  const { terms: words } = held.rows(1);
  const textsOf = (row: number) => TEXT_FIELDS.map((name) => found[words[name][row] ?? -1]);
  assert.deepEqual([textsOf(0), textsOf(1)], [texts, texts.toReversed()]);
});

test('a spool without hits has no days, no file, and no rows of any day', (t) => {
  const { path } = place(t);
  const held = spool(path);
  assert.deepEqual(held.days(), []);
  assert.equal(held.rows(20_000).count, 0);
  assert.deepEqual(held.content(0).texts, ['']);
  held.close();
  assert.equal(existsSync(path), false);
});

test('the file has no name while it is used, and is gone after close, which may come twice', (t) => {
  const { folder, path } = place(t);
  const held = spool(path, { memory: 64 });
  const [one] = fc.sample(hit, { numRuns: 1, seed: 2 }) as [ParsedHit];
  for (let i = 0; i < 10; i++) held.add(one);
  if (process.platform !== 'win32') assert.deepEqual(readdirSync(folder), []);
  held.close();
  held.close();
  assert.deepEqual(readdirSync(folder), []);
});

test('a file or a link that is there already is not touched', (t) => {
  const { folder, path } = place(t);
  const [one] = fc.sample(hit, { numRuns: 1, seed: 3 }) as [ParsedHit];
  for (const make of [() => writeFileSync(path, 'kept'), () => symlinkSync(join(folder, 'elsewhere'), path)]) {
    rmSync(path, { force: true });
    make();
    const held = spool(path);
    held.add(one);
    assert.throws(() => held.days(), { constructor: Refusal, message: /spool: EEXIST/ });
    held.close();
    assert.deepEqual(readdirSync(folder), ['spool']);
  }
});
