import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { listUnknown } from '../../../src/catalog/sealed-days.ts';
import { QUARTER_SUMS } from '../../../src/ledger/count/quarter-hour-sums.ts';
import { addPacked } from '../../../src/ledger/rows/packed-crawls.ts';
import { recount } from '../../../src/ledger/upkeep/recount.ts';
import { expired, removeExpired } from '../../../src/ledger/upkeep/retention.ts';
import { finish } from '../../../src/lib/steps.ts';
import { keepDays } from '../../../src/store/sites/sites.ts';
import { CHROME, GERMAN, pageview, TODAY } from '../../collect/stage.ts';
import { openSite } from '../../stats/stage.ts';
import { startApp } from '../../support/helpers.ts';
import { addUpMonths, bookOf, crowd, NOW, rowsIn, sealOnce } from '../stage.ts';

const ALL = [{ from: 0, to: TODAY + 1 }];
const DAYS = 70;

/** Two sites with as many sealed days, today open. */
async function book(t: TestContext, count = DAYS) {
  const made = bookOf(t);
  for (const siteId of [1, 2]) {
    for (let day = TODAY - count; day <= TODAY; day++) await made.take(...crowd(3, { siteId, day, source: 'a.org' }));
    for (let day = TODAY - count; day < TODAY; day++) assert.ok(sealOnce(made.db, { siteId, day }));
  }
  addUpMonths(made.db, NOW);
  return {
    ...made,
    withHits: (siteId: number) => made.read((days) => [...days.days(siteId, 0, TODAY)].map(({ day }) => day)),
    sums: (siteId: number) =>
      made.read((days) => ({
        totals: days.sums(siteId, ALL, []).totals({ from: 0, to: TODAY + 1 }),
        pages: [...days.sums(siteId, ALL, []).rollups('pages', { from: 0, to: TODAY + 1 })].reduce(
          (all, { hits }) => all + Array.from(hits).reduce((a, b) => a + b, 0),
          0,
        ),
      })),
    faults: () => [...recount(made.db)].flatMap(({ faults }) => faults),
  };
}

const between = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, n) => from + n);

test('older days keep their sums, younger ones and those of other sites everything', async (t) => {
  const { db, withHits, sums, faults } = await book(t);
  const before = [sums(1), sums(2)];
  db.write(() => keepDays(db, 1, 30));
  const due = expired(db, 1, TODAY);
  assert.equal(due.count, DAYS - 30);
  assert.ok(due.bytes > 0);
  finish(removeExpired(db, NOW));
  assert.deepEqual(withHits(1), between(TODAY - 30, TODAY));
  assert.deepEqual(withHits(2), between(TODAY - DAYS, TODAY));
  assert.equal(rowsIn(db, 'rollup', `name = '${QUARTER_SUMS}'`), 30 + DAYS);
  assert.deepEqual([sums(1), sums(2)], before);
  assert.deepEqual(faults(), []);
  assert.deepEqual(expired(db, 1, TODAY), { count: 0, bytes: 0 });
  finish(removeExpired(db, NOW + 86_400));
  assert.deepEqual(withHits(1), between(TODAY - 29, TODAY));
  assert.deepEqual(sums(1), before[0]);
});

test('by itself no day loses anything', async (t) => {
  const { db } = await book(t);
  const before = rowsIn(db, 'sealed_blob');
  finish(removeExpired(db, NOW + 10_000 * 86_400));
  assert.equal(rowsIn(db, 'sealed_blob'), before);
});

test('stopped at any step, each day has its hits or is known as sums, and the next time goes on', async (t) => {
  // All days are counted again after each stop.
  const days = 12;
  const { db, withHits, sums, faults } = await book(t, days);
  const before = sums(1);
  db.write(() => keepDays(db, 1, days - 2));
  let stops = 0;
  let least = withHits(1).length;
  for (;;) {
    const steps = removeExpired(db, NOW);
    for (let n = 0; n < 5; n++) steps.next();
    steps.return(undefined);
    assert.deepEqual(faults(), []);
    assert.deepEqual(sums(1), before);
    assert.ok(withHits(1).length <= least);
    least = withHits(1).length;
    if (expired(db, 1, TODAY).count === 0) break;
    stops++;
  }
  assert.ok(stops > 3);
  assert.deepEqual(withHits(1), between(TODAY - days + 2, TODAY));
});

test('a day that loses its hits in two nights keeps the sums of its channels', async (t) => {
  const app = await startApp(t);
  const site = await openSite(app);
  await site.store(['', 'google.com', 'x.org'].map((source, visitor) => pageview({ day: TODAY - 9, visitor, source })));
  await app.seal();
  const ask = () => site.ask({ path: 'breakdown/channels', query: { range: '30d' } });
  const before = await ask();
  app.db.write(() => keepDays(app.db, site.known.siteId, 5));
  const columns = rowsIn(app.db, 'sealed_blob');
  const steps = removeExpired(app.db, NOW);
  while (rowsIn(app.db, 'sealed_blob') > columns - 3) steps.next();
  steps.return(undefined);
  assert.deepEqual(await ask(), before);
  await app.seal();
  assert.equal(rowsIn(app.db, 'sealed_blob'), 0);
  assert.deepEqual(await ask(), before);
});

test('a day that a late hit opens while its sums are counted keeps its hits', async (t) => {
  const { db, take, withHits, counted, faults } = await book(t, 4);
  db.write(() => keepDays(db, 1, 3));
  const steps = removeExpired(db, NOW);
  // The steps pause before the first day, and again after its channels are counted.
  for (let n = 0; n < 2; n++) steps.next();
  await take(...crowd(1, { day: TODAY - 4, page: '/late' }));
  finish(steps);
  assert.equal(counted()[TODAY - 4], 4);
  assert.ok(sealOnce(db, { siteId: 1, day: TODAY - 4 }));
  assert.equal(counted()[TODAY - 4], 4);
  finish(removeExpired(db, NOW));
  assert.deepEqual(withHits(1), between(TODAY - 3, TODAY));
  assert.deepEqual(faults(), []);
});

test('a site that shall keep its hits for longer while they are deleted loses no further day', async (t) => {
  const { db, withHits } = await book(t, 6);
  db.write(() => keepDays(db, 1, 2));
  const steps = removeExpired(db, NOW);
  while (withHits(1).includes(TODAY - 6)) steps.next();
  db.write(() => keepDays(db, 1, 4));
  finish(steps);
  assert.deepEqual(withHits(1), between(TODAY - 4, TODAY));
});

test('a day that another process makes totals-only meanwhile keeps its channels', async (t) => {
  const { db, faults } = await book(t, 4);
  db.write(() => keepDays(db, 1, 3));
  const columns = rowsIn(db, 'sealed_blob');
  const [one, other] = [removeExpired(db, NOW), removeExpired(db, NOW)];
  for (const steps of [one, other]) steps.next();
  // The other process has listed the day, and then finds a part of its columns only.
  const read = db.one;
  db.one = (sql, ...values) => {
    if (sql.includes('data, crc FROM sealed_blob')) {
      db.one = read;
      while (rowsIn(db, 'sealed_blob') > columns - 30) one.next();
    }
    return read(sql, ...values);
  };
  finish(other);
  finish(one);
  assert.deepEqual(listUnknown(db, 1, 0, TODAY), []);
  assert.deepEqual(faults(), []);
});

test('a day whose sums are damaged keeps its hits, and does not keep back the others', async (t) => {
  const { db, withHits } = await book(t);
  db.write(() => keepDays(db, 1, DAYS - 2));
  db.run("UPDATE rollup SET crc = crc + 1 WHERE name = 'pages' AND sealed_day_id = (SELECT min(id) FROM sealed_day)");
  finish(removeExpired(db, NOW));
  assert.deepEqual(withHits(1), [TODAY - DAYS, ...between(TODAY - DAYS + 2, TODAY)]);
});

test('damaged requests of a crawler stay, and do not keep back the hits of other sites', async (t) => {
  const { db, withHits } = await book(t);
  db.write(() => {
    for (const siteId of [1, 2]) keepDays(db, siteId, DAYS - 2);
    addPacked(db, { siteId: 1, day: TODAY - DAYS, crawler: 'gptbot' }, new Map([[1, 2]]));
    db.run('UPDATE packed_crawl SET crc = crc + 1');
  });
  finish(removeExpired(db, NOW));
  assert.deepEqual(withHits(1), between(TODAY - DAYS + 2, TODAY));
  assert.deepEqual(withHits(2), between(TODAY - DAYS + 2, TODAY));
  assert.equal(rowsIn(db, 'packed_crawl', 'data IS NOT NULL'), 1);
});

test('questions without a filter are answered as before; with one the answer names the days that it lacks', async (t) => {
  const { db, clock, owner, siteId, seal } = await startApp(t);
  const hit = { url: 'https://example.com/', ip: GERMAN, agent: CHROME };
  for (let day = 0; day < 4; day++) {
    assert.equal((await owner.ask('POST', `/sites/${siteId}/hits`, [hit])).status, 202);
    clock.pass(86_400);
  }
  await seal();
  const paths = ['overview', 'timeseries', 'breakdown/pages', 'breakdown/countries', 'breakdown/channels'].map(
    (report) => `/sites/${siteId}/stats/${report}?range=7d`,
  );
  const answers = () => Promise.all(paths.map(async (path) => (await owner.ask('GET', path)).body));
  const before = await answers();
  assert.equal(before[0].data.visitors, 4);
  assert.deepEqual(before.at(-1).data.rows, [{ value: 'Direct', visitors: 4 }]);
  db.write(() => keepDays(db, siteId, 2));
  await seal();
  assert.deepEqual(await answers(), before);
  const { body } = await owner.ask('GET', `${paths[0]}&filters[country]=DE`);
  assert.match(JSON.stringify(body.data.notices), /2026-03-10 to 2026-03-11/);
  for (const more of ['&metrics=bounce_rate', '&filters[channel]=Direct']) {
    const { body: left } = await owner.ask('GET', `${paths.at(-1)}${more}`);
    assert.deepEqual(
      left.data.rows.map(({ visitors }: { visitors: number }) => visitors),
      [2],
      more,
    );
    assert.match(JSON.stringify(left.data.notices), /2026-03-10 to 2026-03-11/);
  }
});

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0';

test('channels stay without excluded visits, and with them if the exclusion goes', async (t) => {
  const { clock, owner, siteId, seal, db } = await startApp(t);
  const hit = (referrer: string, agent: string) => ({ url: 'https://example.com/', ip: GERMAN, agent, referrer });
  await owner.ask('POST', `/sites/${siteId}/hits`, [hit('https://google.com/', CHROME), hit('', FIREFOX)]);
  clock.pass(86_400);
  await seal();
  const filters = { browser: 'Firefox' };
  const made = await owner.ask('POST', `/sites/${siteId}/exclusions`, { from: '2026-03-10', filters, note: 'x' });
  await seal();
  db.write(() => keepDays(db, siteId, 1));
  clock.pass(2 * 86_400);
  await seal();
  assert.deepEqual(
    [...recount(db)].flatMap(({ faults }) => faults),
    [],
  );
  const ask = async () => (await owner.ask('GET', `/sites/${siteId}/stats/breakdown/channels?range=7d`)).body.data;
  const [search, direct] = ['Organic Search', 'Direct'].map((value) => ({ value, visitors: 1 }));
  const reduced = await ask();
  assert.deepEqual(reduced.rows, [search]);
  assert.match(JSON.stringify(reduced.notices), /excluded/);
  await owner.ask('DELETE', `/sites/${siteId}/exclusions/${made.body.data.id}`);
  assert.deepEqual((await ask()).rows, [direct, search]);
});

test('a day with a damaged column loses its hits too, and its channels are unknown', async (t) => {
  const { db, withHits, faults } = await book(t, 4);
  db.write(() => keepDays(db, 1, 3));
  db.run("UPDATE sealed_blob SET crc = crc + 1 WHERE name = 'source' AND sealed_day_id = 1");
  finish(removeExpired(db, NOW));
  assert.deepEqual(withHits(1), between(TODAY - 3, TODAY));
  assert.deepEqual(
    listUnknown(db, 1, 0, TODAY).map(({ day, names }) => [day, names]),
    [[TODAY - 4, ['channels']]],
  );
  assert.deepEqual(faults(), []);
});
