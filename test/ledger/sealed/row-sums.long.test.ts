import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { packSums, SUMMED_BREAKDOWNS, unpackSums } from '../../../src/ledger/sealed/row-sums.ts';
import { findFigure, METRIC_NAMES, type SumName } from '../../../src/stats/metrics.ts';
import { keepDays } from '../../../src/store/sites/sites.ts';
import { pageview, TODAY } from '../../collect/stage.ts';
import { date } from '../../stats/days.ts';
import type { Question } from '../../stats/naive.ts';
import { openSite } from '../../stats/stage.ts';
import { ON_CLUSTER, startApp } from '../../support/helpers.ts';
import { faultsIn, rowsIn } from '../stage.ts';

/** Two whole months, and days before and after them. */
const DAYS = 75;

const last = (days: number): string => `${date(TODAY - days)}~${date(TODAY)}`;

/** Visits of some seconds and pages from two countries, on each of the last days before today. */
const HITS = Array.from({ length: DAYS }, (_, i) => i + 1).flatMap((ago) =>
  Array.from({ length: (ago % 7) + 2 }, (_, visitor) => {
    const from = { day: TODAY - ago, visitor, country: visitor % 3 === 0 ? 'DE' : 'US', source: `${ago % 5}.example` };
    return [
      pageview({ ...from, second: 1_000 }),
      ...(visitor % 2 === 0 ? [] : [pageview({ ...from, second: 1_000 + ago, page: '/read' })]),
      pageview({ ...from, second: 1_200 + ago, engaged: ago }),
      ...(visitor % 4 === 0 ? [pageview({ ...from, second: 9_000, page: '/again' })] : []),
    ];
  }).flat(),
);

/** Filters that say only which rows of pages there are. */
const OF_PAGES = [
  { 'filters[page]': '/read' },
  { 'filters[page]': '/no-such-page' },
  { 'filters[page][not]': '/read' },
  { 'filters[page][like]': '/*a*' },
  { 'filters[page][unlike]': ['/again', '/r*'] },
];

/** All that is asked of rows without a goal, and of the time on pages, of whole months and of parts of them. */
const QUESTIONS: Question[] = ['12m', last(50), '30d'].flatMap((range) => [
  ...['visits,time_on_page', undefined].flatMap((metrics) =>
    OF_PAGES.map((filters) => ({ path: 'breakdown/pages', query: { range, ...filters, ...(metrics && { metrics }) } })),
  ),
  ...SUMMED_BREAKDOWNS.map((breakdown) => {
    const metrics = METRIC_NAMES.filter((metric) => findFigure(breakdown, metric) && !/^conver|^reven/.test(metric));
    return { path: `breakdown/${breakdown}`, query: { range, metrics: metrics.join() } };
  }),
  { path: 'overview', query: { range, metrics: 'time_on_page,revenue', currency: 'EUR' } },
  { path: 'timeseries', query: { range, metrics: 'time_on_page,visit_duration' } },
]);

/** A site whose days are sealed and whose months are added up. */
async function summedSite(t: TestContext) {
  const app = await startApp(t);
  const site = await openSite(app);
  await site.store(HITS);
  await app.seal();
  return { ...app, ...site };
}

const ofFile = { skip: ON_CLUSTER && 'a cluster counts hits' };

test('sums come back as they went in, also those beyond 32 bits and those below what they are near to', () => {
  const row = fc.array(fc.oneof(fc.nat(300), fc.nat(), fc.maxSafeNat()), { minLength: 7, maxLength: 7 });
  fc.assert(
    fc.property(fc.constantFrom(...SUMMED_BREAKDOWNS), fc.array(row, { maxLength: 20 }), (name, table) => {
      const column = (i: number): number[] => table.map((numbers) => numbers[i] as number);
      const rows = { visitors: column(0), hits: column(1) };
      const names = Object.keys(unpackSums(name, rows, packSums(name, rows, {}))) as SumName[];
      assert.ok(names.length >= 3);
      const given = Object.fromEntries(names.map((sum, i) => [sum, column(2 + i)]));
      const found = Object.entries(unpackSums(name, rows, packSums(name, rows, given)));
      assert.deepEqual(Object.fromEntries(found.map(([sum, numbers]) => [sum, Array.from(numbers)])), given);
    }),
  );
});

test('figures of rows and times on pages need no column', ofFile, async (t) => {
  const { agree, db } = await summedSite(t);
  await agree('sealed', QUESTIONS);
  db.run('DELETE FROM sealed_blob');
  await agree('without columns', QUESTIONS);
});

test('days that an older version sealed are counted by their columns beside the others', ofFile, async (t) => {
  const { agree, db } = await summedSite(t);
  db.run("DELETE FROM month_rollup WHERE name LIKE '% sums'");
  await agree('months of an older version', QUESTIONS);
  db.run("DELETE FROM rollup WHERE (name LIKE '% sums' OR name = 'times') AND sealed_day_id % 3 = 0");
  await agree('some days of an older version', QUESTIONS);
  db.run("DELETE FROM rollup WHERE name LIKE '% sums' OR name = 'times'");
  await agree('a file of an older version', QUESTIONS);
});

test('a month is added up again when what it has of rows is missing', ofFile, async (t) => {
  const { agree, db, seal } = await summedSite(t);
  const before = rowsIn(db, 'month_rollup');
  db.run("DELETE FROM month_rollup WHERE name LIKE '% sums'");
  await seal();
  assert.equal(rowsIn(db, 'month_rollup'), before);
  db.run('DELETE FROM sealed_blob');
  await agree('again', QUESTIONS);
});

test('days whose hits were let go are left out where figures of rows or times are asked for', ofFile, async (t) => {
  const { ask, db, seal, known } = await summedSite(t);
  const rowsOf = (range: string, metrics: string): Question => ({
    path: 'breakdown/countries',
    query: { range, ...(metrics === '' ? {} : { metrics }) },
  });
  const visitorsWithTimes = async (range: string): Promise<number> =>
    (await ask({ path: 'overview', query: { range, metrics: 'time_on_page' } })).visitors;
  const [recent, all] = [await ask(rowsOf(last(10), 'visits')), await ask(rowsOf(last(DAYS), ''))];
  assert.ok(
    (await visitorsWithTimes(last(DAYS))) > (await visitorsWithTimes(last(10))),
    'the times of all days are cached',
  );
  db.write(() => keepDays(db, known.siteId, 10));
  await seal();
  assert.equal(rowsIn(db, 'sealed_day', 'has_hits = 0'), DAYS - 10);
  assert.ok(rowsIn(db, 'month_rollup', "name = 'countries'") > 0, 'rollups of months stay');
  for (const when of ['at once', 'when months are added up again']) {
    const { rows, notices } = await ask(rowsOf(last(DAYS), 'visits'));
    assert.deepEqual([rows, notices?.length], [recent.rows, 1], when);
    assert.deepEqual(await ask(rowsOf(last(DAYS), '')), all, when);
    assert.equal(await visitorsWithTimes(last(DAYS)), await visitorsWithTimes(last(10)), when);
    const ofPages = (range: string): Question => ({ path: 'breakdown/pages', query: { range, ...OF_PAGES[2] } });
    const { rows: pages, notices: more } = await ask(ofPages(last(DAYS)));
    assert.deepEqual([pages, more?.length], [(await ask(ofPages(last(10)))).rows, 1], when);
    await seal();
  }
});

test('what is set aside is in no figure of a row, from columns and from what was added up', ofFile, async (t) => {
  const { agree, exclude, db, engine } = await summedSite(t);
  await exclude(TODAY - 50, TODAY - 20, { 'filters[country]': ['US'] });
  await agree('set aside', QUESTIONS);
  await engine.upkeep.remakeSums();
  await agree('added up again', QUESTIONS);
  db.run("DELETE FROM rollup WHERE name LIKE '% sums' AND sealed_day_id % 2 = 0");
  db.run("DELETE FROM excluded_rollup WHERE name LIKE '% sums' AND sealed_day_id % 3 = 0");
  await agree('with days of an older version', QUESTIONS);
});

test('sums that are not those of the columns are found, whatever their checksum says', ofFile, async (t) => {
  const { db } = await summedSite(t);
  assert.deepEqual(faultsIn(db), []);
  const ofDay = (choice: 'min' | 'max') =>
    `name = 'countries sums' AND sealed_day_id = (SELECT ${choice}(sealed_day_id) FROM rollup)`;
  db.run(`UPDATE rollup SET (data, crc) = (SELECT data, crc FROM rollup WHERE ${ofDay('max')}) WHERE ${ofDay('min')}`);
  assert.deepEqual(faultsIn(db), ['rollup countries sums: differs']);
});
