import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { appendReceipt, rotateReceiptKey } from '../../src/catalog/receipts.ts';
import { loadThreadCode } from '../../src/embedded/thread.ts';
import { type CountedOrFault, countDueDays, findChangedDays } from '../../src/jobs/receipt-days.ts';
import { makeDueReceipts, makeReceipts } from '../../src/jobs/receipts.ts';
import { MINUTE } from '../../src/lib/time.ts';
import { pageview, TODAY } from '../collect/stage.ts';
import { stage } from '../receipts/stage.ts';
import { date } from '../stats/days.ts';
import { ON_CLUSTER } from '../support/helpers.ts';

const DAY = TODAY - 3;

test('receipts: each sealed day has one, and a second look adds none', async (t) => {
  const { app, site, make, read } = await stage(t);
  await site.store([0, 1, 2].map((n) => pageview({ day: DAY + n, visitor: n })));
  await site.store([pageview({ day: DAY, page: '/b', visitor: 0 }), pageview({ day: DAY, visitor: 9, event: 'e' })]);
  assert.deepEqual(await make(), []);
  await app.seal();
  assert.deepEqual(await make(), [`${date(DAY)} sealed`, `${date(DAY + 1)} sealed`, `${date(DAY + 2)} sealed`]);
  assert.deepEqual(await make(), []);
  assert.deepEqual(read()[0]?.figures, { visitors: 2, visits: 2, pageviews: 2, events: 1 });
});

test('receipts: an exclusion, its end, a late hit and the end of the hits each make one more', async (t) => {
  const { app, site, siteId, make, read } = await stage(t);
  await site.store([pageview({ day: DAY, country: 'DE' }), pageview({ day: DAY, visitor: 2, country: 'US' })]);
  await app.seal();
  await make();
  const id = await site.exclude(DAY, null, { 'filters[country]': 'DE' });
  assert.deepEqual(await make(), [`${date(DAY)} exclusion`]);
  assert.deepEqual(read().at(-1)?.exclusions, [{ id, visits: 1 }]);
  assert.equal(read().at(-1)?.digest, read()[0]?.digest);
  const other = await site.exclude(DAY, DAY, { 'filters[country]': 'FR' });
  assert.deepEqual(await make(), []);
  await site.include(other);
  await site.include(id);
  assert.deepEqual(await make(), [`${date(DAY)} exclusion`]);
  assert.deepEqual(read().at(-1)?.figures, read()[0]?.figures);
  await site.store([pageview({ day: DAY, visitor: 3, page: '/late' })]);
  assert.deepEqual(await make(), []);
  await app.seal();
  assert.deepEqual(await make(), [`${date(DAY)} late_hits`]);
  assert.equal(read().at(-1)?.figures.visitors, 3);
  app.db.run('UPDATE site SET keep_days = 1 WHERE id = ?', siteId);
  await app.seal();
  assert.deepEqual(await make(), [`${date(DAY)} retention`]);
  assert.deepEqual([read().at(-1)?.kind, read().at(-1)?.figures.visitors], ['sums', 3]);
  assert.deepEqual(
    read().map(({ replaces }) => replaces),
    [null, 1, 2, 3, 4],
  );
});

test('receipts: a late hit that comes while days are counted is left out until it is sealed', async (t) => {
  const { app, site, siteId } = await stage(t);
  await site.store([pageview({ day: DAY }), pageview({ day: DAY, visitor: 2, page: '/b' })]);
  await app.seal();
  await site.store([pageview({ day: DAY, visitor: 3, page: '/late' })]);
  const read = async () => {
    const visits = [];
    for await (const day of app.engine.queries.readSealedVisits(siteId, DAY)) visits.push(...day.visits);
    return visits.flatMap(({ hits }) => hits.map(({ page }) => page));
  };
  const before = await read();
  assert.ok(before.length > 0 && !before.includes('/late'));
  await app.seal();
  assert.deepEqual((await read()).sort(), [...before, '/late'].sort());
});

test('receipts: an exclusion that is added and removed while a day is counted changes no receipt', async (t) => {
  const { app, site, read } = await stage(t);
  await site.store([pageview({ day: DAY, country: 'DE' }), pageview({ day: DAY, visitor: 2, country: 'US' })]);
  await app.seal();
  const { queries, transfer } = app.engine;
  let reads = 0;
  const busy = {
    transfer,
    queries: {
      ...queries,
      async *readSealedVisits(...asked: Parameters<typeof queries.readSealedVisits>) {
        const id = ++reads === 1 ? await site.exclude(DAY, null, { 'filters[country]': 'DE' }) : undefined;
        yield* queries.readSealedVisits(...asked);
        if (id !== undefined) await site.include(id);
      },
    },
  };
  for (let turn = 0; turn < 2; turn++)
    await makeDueReceipts(app.db, busy, { random: randomBytes, now: app.clock.now() / 1000 });
  assert.deepEqual(
    read().map(({ figures }) => figures.visitors),
    [2],
  );
  assert.equal(reads, 2);
});

test('receipts: an exclusion that comes while a day is counted, and goes before the next is signed, changes none', async (t) => {
  const { app, site, make, read } = await stage(t);
  await site.store(
    [0, 1].flatMap((n) => ['DE', 'US'].map((country, visitor) => pageview({ day: DAY + n, country, visitor }))),
  );
  await app.seal();
  const { queries, transfer } = app.engine;
  const ids: number[] = [];
  const busy = {
    transfer,
    queries: {
      ...queries,
      async *readSealedVisits(...asked: Parameters<typeof queries.readSealedVisits>) {
        yield* queries.readSealedVisits(...asked);
        if (ids.length === 0) ids.push(await site.exclude(DAY, null, { 'filters[country]': 'DE' }));
      },
    },
  };
  // The job signs the receipts of several days together.
  const group: CountedOrFault[] = [];
  for await (const one of countDueDays(app.db, busy)) group.push(one);
  for (const id of ids) await site.include(id);
  app.db.write(() => {
    for (const one of group) if (!('fault' in one)) appendReceipt(app.db, one, app.clock.now() / 1000);
  });
  await make();
  assert.deepEqual(
    read().map(({ figures }) => figures.visitors),
    [2, 2],
  );
});

test('receipts: a check calls no day damaged that changes while it is counted', async (t) => {
  const { app, site, make } = await stage(t);
  await site.store([0, 1].map((n) => pageview({ day: DAY + n, country: 'DE' })));
  await app.seal();
  await make();
  const { queries, transfer } = app.engine;
  const check = async (change: () => Promise<unknown>) => {
    let isFirst = true;
    const busy = {
      transfer,
      queries: {
        ...queries,
        async *readSealedVisits(...asked: Parameters<typeof queries.readSealedVisits>) {
          if (isFirst) await change();
          isFirst = false;
          yield* queries.readSealedVisits(...asked);
        },
      },
    };
    const found: number[] = [];
    for await (const { day } of findChangedDays(app.db, busy)) found.push(day);
    return found;
  };
  const id = await site.exclude(DAY, null, { 'filters[country]': 'DE' });
  await site.include(id);
  await make();
  assert.deepEqual(await check(() => site.exclude(DAY, null, { 'filters[country]': 'DE' })), []);
  await make();
  const late = async () => {
    await site.store([pageview({ day: DAY + 1, page: '/late', visitor: 2 })]);
    await app.seal();
  };
  assert.deepEqual(await check(late), []);
});

test('receipts: the job counts in a thread, also what was sealed while the server was down', async (t) => {
  const { app, site, read } = await stage(t, -1);
  await site.store([0, 1].map((n) => pageview({ day: DAY + n, visitor: n })));
  await app.seal();
  const { db, path = '' } = { db: app.db, path: app.config.db };
  const { engine } = app.config;
  const deps = { db, path, code: await loadThreadCode(), random: randomBytes, clock: app.clock, receipts: { engine } };
  const job = makeReceipts(deps);
  await job.run();
  assert.deepEqual(
    read().map(({ reason }) => reason),
    ['first', 'first'],
  );
  await job.run();
  await job.stop();
  assert.equal(read().length, 2);
  await site.store([pageview({ day: DAY + 2 })]);
  await app.seal();
  const next = makeReceipts(deps);
  await next.run();
  await next.stop();
  assert.equal(read().length, 3);
});

test('receipts: a day that cannot be read is told each minute, and read again after ten minutes', {
  skip: ON_CLUSTER,
}, async (t) => {
  const { app, site, read } = await stage(t, -1);
  await site.store([pageview({ day: DAY })]);
  await app.seal();
  app.db.run('CREATE TABLE saved AS SELECT * FROM sealed_blob');
  app.db.run("UPDATE sealed_blob SET data = x'00'");
  const { db, path = '' } = { db: app.db, path: app.config.db };
  const job = makeReceipts({ db, path, code: await loadThreadCode(), random: randomBytes, clock: app.clock });
  t.after(job.stop);
  await assert.rejects(job.run());
  app.db.run('DELETE FROM sealed_blob');
  app.db.run('INSERT INTO sealed_blob SELECT * FROM saved');
  app.clock.pass(10 * MINUTE - 1);
  await assert.rejects(job.run());
  assert.equal(read().length, 0);
  app.clock.pass(1);
  await job.run();
  assert.equal(read().length, 1);
});

test('receipts: a new key is signed by the former one, which is then forgotten', async (t) => {
  const { app, site, make, read } = await stage(t);
  await site.store([pageview({ day: DAY })]);
  await app.seal();
  await make();
  rotateReceiptKey(app.db, randomBytes, app.clock.now() / 1000);
  assert.deepEqual(await make(), []);
  assert.deepEqual(
    read().map(({ reason }) => reason),
    ['sealed', 'key'],
  );
  assert.notEqual(read()[0]?.key, read()[1]?.key);
  assert.ok(read()[1]?.former_signature);
  assert.equal(app.db.one<{ n: number }>('SELECT count(*) AS n FROM receipt_key WHERE seed IS NOT NULL')?.n, 1);
});
