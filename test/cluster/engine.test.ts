import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Engine } from '../../src/engine/engine.ts';
import type { DaySums, ImportContent } from '../../src/engine/import-content.ts';
import { noTotals } from '../../src/stats/aggregates.ts';
import { keepDays } from '../../src/store/sites/sites.ts';
import { appendTo, type Hit, pageview, TODAY } from '../collect/stage.ts';
import { rowsOf } from '../ledger/rows.ts';
import { date } from '../stats/days.ts';
import { startApp } from '../support/helpers.ts';
import { until } from '../support/program.ts';

const YESTERDAY = TODAY - 1;
const WEEK = { from: TODAY - 7, to: TODAY + 1 };

/** An application with what is asked of it most. */
async function stage(t: TestContext) {
  const app = await startApp(t);
  const { owner, siteId } = app;
  const ask = async (path: string) => (await owner.ask('GET', `/sites/${siteId}/stats/${path}`)).body.data;
  return {
    ...app,
    engine: app.engine,
    ask,
    store: (...hits: Hit[]) =>
      appendTo(
        app.engine,
        hits.map((hit) => ({ ...hit, siteId })),
      ),
    visitorsOn: async (day: number): Promise<number> =>
      (await ask(`overview?range=${date(day)}~${date(day)}`)).visitors,
    pages: async (query = ''): Promise<Record<string, number>> => {
      const { rows } = await ask(`breakdown/pages?range=${date(WEEK.from)}~${date(TODAY)}${query}`);
      return Object.fromEntries(
        rows.map(({ value, visitors }: { value: string; visitors: number }) => [value, visitors]),
      );
    },
  };
}

const content = (counts: Record<number, number>): ImportContent => ({
  today: TODAY,
  texts: ['', '/imported'],
  days: Object.keys(counts).map(Number),
  readRows: (day) => rowsOf(counts[day] ?? 0, { page: 1 }),
});

const crowd = (count: number, day: number): Hit[] =>
  Array.from({ length: count }, (_, visitor) => pageview({ day, visitor }));

/** What the servers say together. */
async function saidBy(sql: string): Promise<string[]> {
  const hosts = process.env.TEST_CLUSTER?.split(',') ?? [];
  const answers = await Promise.all(hosts.map((host) => fetch(`http://${host}/`, { method: 'POST', body: sql })));
  return await Promise.all(answers.map(async (answer) => (await answer.text()).trim()));
}

const databaseOf = ({ engine = '' }: { engine?: string | undefined }): string => /\/(\w+)\?/.exec(engine)?.[1] ?? '';

async function faultsOf(engine: Engine): Promise<string[]> {
  const all: string[] = [];
  for await (const { faults } of engine.upkeep.recount()) all.push(...faults);
  return all;
}

test('an import is seen at once, replaces what it is told to, and can be removed', async (t) => {
  const { engine, siteId, store, visitorsOn, pages } = await stage(t);
  await store(...crowd(2, TODAY));
  const first = await engine.imports.add(siteId, content({ [YESTERDAY]: 5, [TODAY]: 3 }), { replace: false });
  assert.deepEqual([await visitorsOn(YESTERDAY), await visitorsOn(TODAY)], [5, 5]);
  assert.deepEqual(await engine.imports.listTaken(siteId, [YESTERDAY - 1, YESTERDAY, TODAY]), [YESTERDAY, TODAY]);
  await assert.rejects(engine.imports.add(siteId, content({ [YESTERDAY]: 1 }), { replace: false }), /use --replace/);
  await engine.imports.add(siteId, content({ [YESTERDAY]: 7, [TODAY]: 1 }), { replace: true });
  assert.deepEqual([await visitorsOn(YESTERDAY), await visitorsOn(TODAY)], [7, 1]);
  assert.deepEqual(await pages(), { '/imported': 8 });
  const [, second] = await engine.imports.list(siteId);
  assert.deepEqual([second?.hits, second?.days, second?.first, second?.last], [8, 2, YESTERDAY, TODAY]);
  await engine.imports.remove(siteId, second?.id ?? 0);
  assert.deepEqual([await visitorsOn(YESTERDAY), await visitorsOn(TODAY)], [0, 5]);
  await engine.imports.remove(siteId, first);
  assert.equal(await visitorsOn(TODAY), 2);
  assert.deepEqual(await faultsOf(engine), []);
});

test('hits after an import that replaced those of today count, also after a restart with the clock set back', async (t) => {
  const app = await startApp(t);
  const { siteId, owner } = app;
  await appendTo(app.engine, [pageview({ siteId })]);
  await app.engine.imports.add(siteId, content({ [TODAY]: 3 }), { replace: true });
  app.clock.jump(-60);
  await app.restart();
  await appendTo(app.engine, [pageview({ siteId, second: 40_000 })]);
  const { body } = await owner.ask('GET', `/sites/${siteId}/stats/overview?range=${date(TODAY)}~${date(TODAY)}`);
  assert.equal(body.data.visitors, 4);
});

test('days in between that were replaced do not count, with filters and without', async (t) => {
  const { engine, siteId, pages } = await stage(t);
  const days = { [TODAY - 4]: 1, [TODAY - 3]: 2, [TODAY - 2]: 4, [YESTERDAY]: 8 };
  await engine.imports.add(siteId, content(days), { replace: false });
  await engine.imports.add(siteId, content({ [TODAY - 3]: 16 }), { replace: true });
  assert.deepEqual(await pages(), { '/imported': 29 });
  assert.deepEqual(await pages('&filters[page]=/imported'), { '/imported': 29 });
  assert.deepEqual(await pages('&filters[page]=/none'), {});
});

test('rows of an import go when its days are sealed, and in the night where it was broken off', async (t) => {
  const { engine, siteId, config } = await stage(t);
  await engine.imports.add(siteId, content({ [YESTERDAY]: 5, [TODAY]: 3 }), { replace: false });
  const [brought, kept] = ['brought', 'activity'].map((table) => async () => {
    const counts = await saidBy(`SELECT count() FROM ${databaseOf(config)}.${table}`);
    return counts.reduce((sum, count) => sum + Number(count), 0);
  });
  // Two replicas have each row.
  assert.deepEqual([await brought?.(), await kept?.()], [0, 2 * 3]);
  await saidBy(`INSERT INTO ${databaseOf(config)}.brought (site, day, import, visitor) VALUES (${siteId}, 1, 99, 1)`);
  assert.equal(await brought?.(), 4);
  await engine.upkeep.seal();
  assert.equal(await brought?.(), 0);
});

test('days that have sums only count without filters, and answers say where they are left out', async (t) => {
  const { engine, siteId, ask, pages, config } = await stage(t);
  const totals = { ...noTotals(), visitors: 4, visits: 5, pageviews: 6, seconds: 60 };
  const sums: DaySums = {
    day: YESTERDAY,
    totals,
    counts: new Map([
      ['pages', [{ event: '', value: '/a', visitors: 4, hits: 6 }]],
      ['channels', [{ event: '', value: 'Email', visitors: 4, hits: 0 }]],
    ]),
  };
  await engine.imports.add(
    siteId,
    { today: TODAY, texts: [''], days: [YESTERDAY], readSums: () => sums },
    { replace: false },
  );
  assert.deepEqual(await faultsOf(engine), []);
  assert.deepEqual(await pages(), { '/a': 4 });
  const channels = await ask(`breakdown/channels?range=${date(YESTERDAY)}~${date(TODAY)}`);
  assert.deepEqual([channels.rows, channels.notices], [[{ value: 'Email', visitors: 4 }], undefined]);
  const filtered = await ask(`overview?range=${date(YESTERDAY)}~${date(TODAY)}&filters[page]=/a`);
  assert.equal(filtered.visitors, 0);
  assert.match(filtered.notices[0], /only daily totals are stored for these days/);
  assert.deepEqual(await engine.queries.listDays(siteId), { hits: [], sums: [YESTERDAY] });
  const [host = ''] = process.env.TEST_CLUSTER?.split(',') ?? [];
  const body = `INSERT INTO ${databaseOf(config)}.tally (site, day, slice, dimension, value) VALUES (${siteId}, ${YESTERDAY}, 1, 'pages', '/b')`;
  await fetch(`http://${host}/`, { method: 'POST', body });
  assert.match((await faultsOf(engine)).join(), /^rollups on \S+ and \S+: differ$/);
});

test('what an import has replaced stays away when that is removed, before the night and after it', async (t) => {
  const { engine, siteId, store, visitorsOn, clock } = await stage(t);
  await store(...crowd(3, YESTERDAY));
  assert.equal((await engine.upkeep.seal()).days, 1);
  const id = await engine.imports.add(siteId, content({ [YESTERDAY]: 5 }), { replace: true });
  await engine.imports.remove(siteId, id);
  assert.equal(await visitorsOn(YESTERDAY), 0);
  for (const seconds of [0, 61]) {
    clock.pass(seconds);
    assert.equal((await engine.upkeep.seal()).days, 0);
    assert.equal(await visitorsOn(YESTERDAY), 0);
  }
  await store(...crowd(2, YESTERDAY));
  assert.equal(await visitorsOn(YESTERDAY), 2, 'what comes later counts');
  assert.equal((await engine.upkeep.seal()).days, 1);
  assert.equal(await visitorsOn(YESTERDAY), 2);
});

test('hits that are older than their site keeps them go, and their sums stay', async (t) => {
  const { db, engine, siteId, store, visitorsOn, ask } = await stage(t);
  await store(...crowd(3, TODAY - 5), ...crowd(2, YESTERDAY));
  await engine.upkeep.seal();
  db.write(() => keepDays(db, siteId, 3));
  assert.equal((await engine.queries.measureExpired(siteId, TODAY)).count, 1);
  await engine.upkeep.seal();
  assert.deepEqual([await visitorsOn(TODAY - 5), await visitorsOn(YESTERDAY)], [3, 2]);
  const channels = await ask(`breakdown/channels?range=${date(TODAY - 6)}~${date(TODAY)}`);
  assert.deepEqual([channels.rows, channels.notices], [[{ value: 'Direct', visitors: 5 }], undefined]);
  const figures = await ask(`breakdown/channels?range=${date(TODAY - 6)}~${date(TODAY)}&metrics=visits`);
  assert.match(figures.notices[0], new RegExp(`does not include ${date(TODAY - 5)}`));
  const { notices } = await ask(`breakdown/countries?range=${date(TODAY - 6)}~${date(TODAY)}&filters[page][like]=*`);
  assert.match(notices[0], new RegExp(`does not include ${date(TODAY - 5)}`));
  assert.deepEqual(await faultsOf(engine), []);
});

test('a site that is removed leaves nothing behind', async (t) => {
  const { engine, siteId, store } = await stage(t);
  await store(...crowd(3, YESTERDAY), ...crowd(2, TODAY));
  await engine.upkeep.seal();
  await engine.upkeep.deleteSite(siteId);
  assert.deepEqual(await engine.queries.listDays(siteId), { hits: [], sums: [] });
});

test('what comes for a day that was sealed counts beside it, and is sealed as one more slice', async (t) => {
  const { engine, store, visitorsOn } = await stage(t);
  await store(...crowd(3, YESTERDAY));
  assert.equal((await engine.upkeep.seal()).days, 1);
  await store(pageview({ day: YESTERDAY, visitor: 77 }));
  assert.equal(await visitorsOn(YESTERDAY), 4);
  assert.equal((await engine.upkeep.seal()).days, 1);
  assert.equal((await engine.upkeep.seal()).days, 0);
  assert.equal(await visitorsOn(YESTERDAY), 4);
  assert.deepEqual(await faultsOf(engine), []);
});

test('hits of more days than ClickHouse takes at once count like all others', async (t) => {
  const { store, ask } = await stage(t);
  const hits = Array.from({ length: 140 }, (_, back) => pageview({ day: TODAY - back, visitor: 4 * back }));
  // Each day is a file that is synced: on a busy disk that takes longer than a hit waits for its answer, and they count nevertheless.
  await store(...hits).catch(({ code }) => assert.equal(code, 'unavailable'));
  await until('all are counted', async () => {
    const counted = await ask(`overview?range=${date(TODAY - 139)}~${date(TODAY)}`);
    return counted?.visitors === 140;
  });
});

/** All bytes in the files of a folder, and of those in it. */
const filesIn = (folder: string): Buffer[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name)));

test('no visitor code is left in the outbox once it is sent, nor on the cluster once its day is sealed', async (t) => {
  const { config, engine, store, clock } = await stage(t);
  const visitor = 0x1abc_def0_1234;
  await store(pageview({ day: YESTERDAY, visitor }));
  const database = databaseOf(config);
  const files = () =>
    saidBy(`SELECT count() FROM system.parts WHERE rows > 0 AND table = 'activity' AND database = '${database}'`);
  assert.ok((await files()).includes('1'));
  await engine.upkeep.seal();
  // Questions that began before may go on for a minute.
  clock.pass(61);
  await engine.upkeep.sweep();
  assert.ok(!filesIn(join(config.db, '..')).some((bytes) => bytes.includes(String(visitor))));
  // A server deletes files some seconds after it has put others in their place.
  while ((await files()).some((count) => count !== '0')) await pause(100);
});
