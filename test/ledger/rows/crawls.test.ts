import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { CRAWLERS } from '../../../src/classify/crawlers.ts';
import { packCrawls } from '../../../src/ledger/rows/crawls.ts';
import { recount } from '../../../src/ledger/upkeep/recount.ts';
import { removeExpired } from '../../../src/ledger/upkeep/retention.ts';
import { finish } from '../../../src/lib/steps.ts';
import { keepDays } from '../../../src/store/sites/sites.ts';
import { TODAY } from '../../collect/stage.ts';
import { startApp } from '../../support/helpers.ts';
import { NOW, rowsIn } from '../stage.ts';

const IDS = CRAWLERS.map(({ id }) => id);

type Seen = { total: number; crawlers: Record<string, number>; pages: Record<string, number>; notices?: string[] };

/** A site that crawlers read. */
async function site(t: TestContext) {
  const app = await startApp(t);
  const { db, engine, owner, siteId } = app;
  const seen = async (query = ''): Promise<Seen> => {
    const { body, status, text } = await owner.ask('GET', `/sites/${siteId}/stats/bots?range=30d&limit=100${query}`);
    assert.equal(status, 200, text);
    const { total, crawlers, pages, notices } = body.data;
    return {
      total,
      crawlers: Object.fromEntries(
        crawlers.map((one: { crawler: string; requests: number }) => [one.crawler, one.requests]),
      ),
      pages: Object.fromEntries(pages.map((one: { page: string; requests: number }) => [one.page, one.requests])),
      ...(notices ? { notices } : {}),
    };
  };
  return {
    ...app,
    /** Requests of as many crawlers for as many pages, each once more than that of the page before. */
    async crawl(day: number, crawlers: number, pages: number): Promise<void> {
      for (const crawler of IDS.slice(0, crawlers)) {
        const of = (n: number) => ({ siteId, day, crawler, page: `/${n}`, requests: n + 1 });
        await engine.intake.append({ crawls: Array.from({ length: pages }, (_, n) => of(n)) });
      }
    },
    seen,
    everything: async () => [await seen(), await seen(`&crawler=${IDS[0]}`), await seen(`&crawler=${IDS[1]}`)],
    held: () => [rowsIn(db, 'crawl_day'), rowsIn(db, 'packed_crawl')],
  };
}

test('past days are packed, a row for each crawler and day, and all answers stay', async (t) => {
  const { crawl, everything, held, seal } = await site(t);
  await crawl(TODAY - 2, 3, 10);
  await crawl(TODAY - 1, 2, 5);
  await crawl(TODAY, 1, 4);
  const before = await everything();
  assert.deepEqual(held(), [44, 0]);
  await seal();
  assert.deepEqual(held(), [4, 5]);
  assert.deepEqual(await everything(), before);
  await seal();
  assert.deepEqual(await everything(), before);
});

test('a day on which every crawler asked for hundreds of pages takes few bytes', async (t) => {
  const { crawl, held, seal, seen, db } = await site(t);
  const pages = 600;
  await crawl(TODAY - 1, IDS.length, pages);
  assert.deepEqual(held(), [IDS.length * pages, 0]);
  const { total } = await seen();
  await seal();
  assert.deepEqual(held(), [0, IDS.length]);
  const [{ bytes } = { bytes: 0 }] = db.all<{ bytes: number }>('SELECT sum(length(data)) AS bytes FROM packed_crawl');
  assert.ok(bytes <= IDS.length * (pages * 4 + 16), `${bytes} bytes`);
  assert.equal((await seen()).total, total);
});

test('what an access log says of a packed day is added to it', async (t) => {
  const { crawl, everything, held, seal } = await site(t);
  for (let n = 1; n <= 3; n++) {
    await crawl(TODAY - 1, 2, 5);
    const before = await everything();
    assert.equal(before[0]?.total, n * 30);
    await seal();
    assert.deepEqual(await everything(), before);
    assert.deepEqual(held(), [0, 2]);
  }
});

test('the pages of a packed day count towards its cap', async (t) => {
  const { crawl, seen, seal, db } = await site(t);
  await crawl(TODAY - 1, 1, 10_000);
  await seal();
  await crawl(TODAY - 1, 1, 10_002);
  const before = await seen();
  assert.equal(before.pages['(other)'], 10_001 + 10_002);
  await seal();
  assert.deepEqual(await seen(), before);
  assert.equal(rowsIn(db, 'packed_crawl'), 1);
});

test('stopped at any step, each request counts once', async (t) => {
  const { crawl, everything, db } = await site(t);
  for (let day = TODAY - 3; day < TODAY; day++) await crawl(day, 3, 400);
  const before = await everything();
  for (let rows = rowsIn(db, 'crawl_day'); ; ) {
    const steps = packCrawls(db, NOW);
    const { done } = steps.next();
    steps.return(undefined);
    assert.deepEqual(await everything(), before);
    if (done) break;
    assert.ok(rowsIn(db, 'crawl_day') < rows, 'what was done stays done');
    rows = rowsIn(db, 'crawl_day');
  }
  assert.equal(rowsIn(db, 'crawl_day'), 0);
});

test('days that are older than the site keeps its hits keep their sums, and are left out of the pages of one crawler', async (t) => {
  const { crawl, seen, everything, seal, db, siteId, engine } = await site(t);
  await crawl(TODAY - 12, 3, 5);
  await crawl(TODAY - 11, 3, 5);
  await crawl(TODAY - 1, 2, 5);
  await seal();
  const [all, ...some] = await everything();
  db.write(() => keepDays(db, siteId, 10));
  const due = await engine.queries.measureExpired(siteId, TODAY);
  assert.equal(due.count, 2);
  assert.ok(due.bytes > 0);
  await seal();
  assert.deepEqual(await engine.queries.measureExpired(siteId, TODAY), { count: 0, bytes: 0 });
  assert.deepEqual(await seen(), all);
  const one = await seen(`&crawler=${IDS[0]}`);
  assert.deepEqual({ ...one, pages: {} }, { ...some[0], pages: {}, notices: one.notices });
  assert.deepEqual(one.pages, { '/0': 1, '/1': 2, '/2': 3, '/3': 4, '/4': 5 });
  assert.deepEqual(one.notices, [
    'The pages of this crawler do not include 2026-02-26 to 2026-02-27, because only daily totals are stored for these days.',
  ]);

  // An access log of that time is read late.
  await crawl(TODAY - 12, 4, 5);
  const late = await seen();
  assert.equal(late.total, (all?.total ?? 0) + 60);
  assert.deepEqual((await seen(`&crawler=${IDS[0]}`)).pages, one.pages);
  await seal();
  assert.deepEqual(await seen(), late);
  assert.deepEqual((await seen(`&crawler=${IDS[0]}`)).pages, one.pages);
  assert.deepEqual(db.all('SELECT crawler FROM packed_crawl WHERE day = ? AND data IS NOT NULL', TODAY - 12), [
    { crawler: '' },
  ]);
});

test('requests that are packed while pages are being moved keep the pages of before', async (t) => {
  const { crawl, seen, seal, db, siteId } = await site(t);
  await crawl(TODAY - 12, 2, 5);
  await seal();
  db.write(() => keepDays(db, siteId, 10));
  const steps = removeExpired(db, NOW);
  while (rowsIn(db, 'packed_crawl', "crawler = ''") === 0) steps.next();
  steps.return(undefined);
  assert.equal(rowsIn(db, 'packed_crawl', "crawler <> '' AND data IS NOT NULL"), 1);
  // An access log of that time is read before the next night.
  await crawl(TODAY - 12, 2, 5);
  const before = await seen();
  await seal();
  assert.deepEqual(await seen(), before);
});

test('daybook check finds packed requests that changed, and a question about them has no wrong answer', async (t) => {
  const { crawl, seal, db, owner, siteId } = await site(t);
  await crawl(TODAY - 1, 2, 5);
  finish(packCrawls(db, NOW));
  await seal();
  const faults = () =>
    [...recount(db)].flatMap(({ domain, day, faults: found }) => found.map((fault) => [domain, day, fault]));
  assert.deepEqual(faults(), []);
  db.run('UPDATE packed_crawl SET requests = requests + 1 WHERE crawler = ?', IDS[1] as string);
  assert.deepEqual(faults(), [['example.com', TODAY - 1, `requests of crawler ${IDS[1]}: their bytes changed`]]);
  assert.equal((await owner.ask('GET', `/sites/${siteId}/stats/bots`)).status, 500);
});
