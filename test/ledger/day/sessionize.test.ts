import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { emptyRows } from '../../../src/engine/import-content.ts';
import type { ColumnName } from '../../../src/ledger/column/column.ts';
import { type Day, findStarts } from '../../../src/ledger/day/day.ts';
import { sessionize } from '../../../src/ledger/day/sessionize.ts';
import { TEXT_FIELDS } from '../../../src/stats/dimensions.ts';
import { type Hit, pageview, TODAY } from '../../collect/stage.ts';
import { site } from '../../stats/random.ts';
import { visitsOf } from '../../stats/visits.ts';

/** Words with numbers, the empty one with 0. */
function interned() {
  const numbers = new Map([['', 0]]);
  const texts = [''];
  return {
    numberOf(text: string): number {
      const known = numbers.get(text) ?? texts.push(text) - 1;
      numbers.set(text, known);
      return known;
    },
    readText: (number: number): string => texts[number] as string,
  };
}

type Told = {
  visitor: number | string;
  seconds: number;
  first: Record<string, string>;
  hits: { page: string; event: string; label: string; second: number; engaged: number }[];
};

const FIRST = ['source', 'utm_source', 'utm_medium', 'utm_campaign', 'country', 'device', 'browser', 'os'] as const;

/** What fold makes of hits, told in words; visitors by the order in which they stand. */
function folded(hits: readonly Hit[]): { day: Day; visits: Told[] } {
  const { numberOf, readText } = interned();
  const rows = emptyRows(hits.length);
  for (const [i, hit] of hits.entries()) {
    rows.second[i] = hit.second;
    rows.visitor[i] = hit.visitor;
    rows.engaged[i] = hit.engaged ?? -1;
    for (const word of TEXT_FIELDS) rows.terms[word][i] = numberOf(hit[word]);
  }
  rows.count = hits.length;
  const day = sessionize(TODAY, rows, 'time');
  const number = (name: ColumnName, row: number): number => {
    const { terms, codes } = day.column(name);
    const code = codes[row] as number;
    return terms.length === 0 ? code : (terms[code] as number);
  };
  const text = (name: ColumnName, row: number): string => readText(number(name, row));
  const starts = findStarts(day);
  let visitor = -1;
  const visits = Array.from({ length: day.totals.visits }, (_, visit): Told => {
    const [from = 0, to = 0] = [starts[visit], starts[visit + 1]];
    const told = Array.from({ length: to - from }, (_, i) => ({
      page: text('page', from + i),
      event: text('event', from + i),
      label: text('label', from + i),
      second: number('second', from + i),
      engaged: number('engaged', from + i),
    }));
    assert.equal(text('entry', visit), told[0]?.page);
    assert.equal(text('exit', visit), told.at(-1)?.page);
    assert.equal(number('events', visit), told.filter(({ event }) => event !== '').length);
    if (number('again', visit) === 0) visitor++;
    return {
      visitor,
      seconds: number('seconds', visit),
      first: Object.fromEntries(FIRST.map((name) => [name, text(name, visit)])),
      hits: told,
    };
  });
  return { day, visits };
}

/** The same by plain loops over what came in, with the visitors' own codes. */
const expected = (hits: readonly Hit[]): Told[] =>
  visitsOf(hits).map(({ visitor, hits: own, seen, last }) => ({
    visitor,
    seconds: last - own[0].second,
    first: Object.fromEntries(FIRST.map((name) => [name, own[0][name]])),
    hits: own.map(({ page, event, label, second }, i) => ({ page, event, label, second, engaged: seen[i] ?? 0 })),
  }));

/** Hits of one visitor of today, so many seconds after ten o'clock. */
const at = (second: number, more: Partial<Hit> = {}): Hit => pageview({ second: 36_000 + second, ...more });
const visible = (second: number, engaged: number, page = '/'): Hit => at(second, { engaged, page });

const lengths = (hits: readonly Hit[]): number[] => folded(hits).visits.map(({ hits }) => hits.length);
const engagements = (hits: readonly Hit[]): number[] =>
  folded(hits).visits.flatMap(({ hits }) => hits.map(({ engaged }) => engaged));

test('any hits are cut into visits as plain loops cut them', () => {
  fc.assert(
    fc.property(site, ({ hits }) => {
      const today = hits.filter(({ day }) => day === TODAY);
      const { day, visits } = folded(today);
      const reference = expected(today);
      const visitors = new Set(reference.map(({ visitor }) => visitor)).size;
      // Each visitor's visits as one, because who came first may have left nothing but a message then.
      const told = (list: Told[]) =>
        [...Map.groupBy(list, ({ visitor }) => visitor).values()]
          .map((ofOne) => JSON.stringify(ofOne.map(({ visitor: _, ...rest }) => rest)))
          .sort();
      assert.deepEqual(told(visits), told(reference));
      const sums = { visitors, visits: reference.length, pageviews: 0, events: 0, bounces: 0, seconds: 0 };
      for (const { hits: all, seconds } of reference) {
        const events = all.filter(({ event }) => event !== '').length;
        sums.events += events;
        sums.pageviews += all.length - events;
        sums.seconds += seconds;
        if (all.length === 1 && events === 0) sums.bounces++;
      }
      assert.deepEqual(day.totals, sums);
    }),
    { numRuns: 300 },
  );
});

test('a gap of 1,800 s does not end a visit, one of 1,801 s does', () => {
  assert.deepEqual(lengths([at(0), at(1_800), at(3_600)]), [3]);
  assert.deepEqual(lengths([at(0), at(1_801), at(3_601)]), [1, 2]);
});

test('an engagement message keeps a visit running, counts as its end and is no hit', () => {
  assert.deepEqual(lengths([at(0), visible(1_800, 5), at(3_600)]), [2]);
  assert.deepEqual(lengths([at(0), visible(1_801, 5), at(1_802)]), [1, 1]);
  assert.deepEqual(
    folded([at(0), visible(1_000, 5)]).visits.map(({ seconds }) => seconds),
    [1_000],
  );
});

test('an engagement message where no visit runs is nobody’s, and its sender no visitor', () => {
  const { day, visits } = folded([visible(0, 5), at(1), at(2, { visitor: 2, engaged: 5 })]);
  assert.deepEqual([visits.length, day.totals.visitors], [1, 1]);
  assert.equal(folded([visible(0, 5)]).day.totals.visits, 0);
  assert.equal(folded([]).day.totals.visits, 0);
});

test('what comes late is put in its place, and in one second the order of arrival counts', () => {
  const hits = [
    at(9, { page: '/late' }),
    at(5, { page: '/b', source: 'b.org' }),
    at(5, { page: '/a', source: 'a.org' }),
  ];
  const [visit] = folded(hits).visits;
  assert.deepEqual(
    visit?.hits.map(({ page }) => page),
    ['/b', '/a', '/late'],
  );
  assert.equal(visit?.first.source, 'b.org');
});

test('one that comes late may join two visits, or part them from nothing', () => {
  assert.deepEqual(lengths([at(0), at(3_000)]), [1, 1]);
  assert.deepEqual(lengths([at(0), at(3_000), at(1_500)]), [3]);
});

test('visible seconds go to the latest hit on their page in the running visit, event or not', () => {
  const page = (name: string) => ({ page: name });
  assert.deepEqual(engagements([at(0, page('/a')), at(1, page('/b')), visible(2, 7, '/a')]), [7, 0]);
  assert.deepEqual(
    engagements([at(0, page('/a')), at(1, page('/a')), visible(2, 7, '/a'), visible(3, 2, '/a')]),
    [0, 9],
  );
  assert.deepEqual(engagements([at(0, page('/a')), at(1, { ...page('/a'), event: 'e' }), visible(2, 7, '/a')]), [0, 7]);
  assert.deepEqual(engagements([at(0, page('/a')), visible(2, 7, '/never')]), [0]);
  assert.deepEqual(engagements([at(0, page('/a')), at(1_801, page('/b')), visible(1_802, 7, '/a')]), [0, 0]);
  const other = { visitor: 2, page: '/b' };
  assert.deepEqual(engagements([at(0, page('/a')), at(0, other), visible(1, 7, '/b')]), [0, 0]);
});

test('what comes later takes no seconds from a hit, nor gives it any', () => {
  const [a, b] = [{ page: '/a' }, { page: '/b' }];
  assert.deepEqual(engagements([at(0), visible(10, 7), at(5), visible(11, 2)]), [7, 2]);
  assert.deepEqual(engagements([visible(10, 7), at(5)]), [0]);
  assert.deepEqual(engagements([at(5, b), visible(10, 7, '/a'), at(0, a)]), [0, 0]);
  // Joined only by what came later.
  const joined = [at(0, a), visible(3_000, 7, '/a'), at(1_500, b)];
  assert.deepEqual([lengths(joined), engagements(joined)], [[2], [0, 0]]);
  const before = [at(0, a), at(1_500, b), visible(3_000, 7, '/a')];
  assert.deepEqual([lengths(before), engagements(before)], [[2], [7, 0]]);
});

test('the first and the last second of a day belong to it', () => {
  const hits = [pageview({ second: 86_399 }), pageview({ second: 0 }), pageview({ second: 86_399, visitor: 2 })];
  assert.deepEqual(
    folded(hits).visits.map(({ hits: [hit] }) => hit?.second),
    [0, 86_399, 86_399],
  );
});

test('visitors stand in the order in which they first came, whatever their code', () => {
  const hits = [at(2, { visitor: 5 }), at(0, { visitor: 2 ** 53 - 1 }), at(1, { visitor: 0 }), at(3, { visitor: 0 })];
  assert.deepEqual(
    folded(hits).visits.map(({ visitor, hits: [hit] }) => [visitor, (hit?.second ?? 0) - 36_000]),
    [
      [0, 0],
      [1, 1],
      [2, 2],
    ],
  );
});
