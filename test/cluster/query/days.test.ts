import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listHeld } from '../../../src/catalog/day-states.ts';
import { buildQueries } from '../../../src/cluster/queries.ts';
import { connect } from '../../../src/cluster/servers/connect.ts';
import { TODAY } from '../../collect/stage.ts';
import { rowsOf } from '../../ledger/rows.ts';
import { stageGates, stageServers } from '../asking.ts';

test('the states of many days ask a server eight questions at once at most, and end with their request', async (t) => {
  const app = await stageServers(t);
  const { db, siteId } = app;
  for (let back = 2; back < 32; back++) await app.come(TODAY - back, 1);
  const { nodes } = await connect(app.config.engine ?? '', db, app.clock);
  t.after(nodes.close);
  let [running, most] = [0, 0];
  const ask: typeof nodes.ask = async (...words) => {
    most = Math.max(most, ++running);
    return await nodes.ask<never>(...words).finally(() => running--);
  };
  const { listDayStatus } = buildQueries({ db, nodes: { ...nodes, ask } });
  const range = { from: TODAY - 40, to: TODAY + 1 };
  const days = await listDayStatus(siteId, range);
  assert.deepEqual([days.length, days.map(({ visitors }) => visitors).reduce((sum, one) => sum + one)], [32, 62]);
  assert.ok(most <= 8, `${most} at once`);
  await assert.rejects(listDayStatus(siteId, range, AbortSignal.abort()));
});

test('a day with many hits is read in portions, so that no answer is longer than the longest text', async (t) => {
  const app = await stageGates(t);
  const { db, siteId, engine } = app;
  const { id = 0 } = db.one<{ id: number }>('SELECT id FROM sealed_day') ?? {};
  const sql = `INSERT INTO visit (site, day, slice, visitor, start, h_second, h_page, h_event, h_label, h_seen)
    SELECT ${siteId}, ${TODAY - 1}, ${id}, 1000 + number, 5, [5], ['/long'], ['e'], ['x'], [0] FROM numbers(1400)`;
  await Promise.all(app.hosts.slice(0, 2).map((host) => app.askAt(host, sql)));
  // 200,000 hits are read at once, so this day is read in 50 portions.
  db.run('UPDATE sealed_day SET events = 9999000');
  const asked = new Map<string, number>();
  app.watch((statement, when) => {
    const portion = /visitor % 50 = \d+/.exec(statement)?.[0];
    if (portion !== undefined && when === 'before') asked.set(portion, (asked.get(portion) ?? 0) + 1);
    return false;
  });
  const wasReadInPortions = () => {
    assert.deepEqual([asked.size, new Set(asked.values())], [50, new Set([2])]);
    asked.clear();
  };
  const numbers = new Map<number, Set<number>>();
  for await (const { day, visits } of engine.queries.readVisits(siteId))
    for (const { visitor } of visits) numbers.set(day, (numbers.get(day) ?? new Set()).add(visitor));
  assert.deepEqual(
    [...numbers].map(([day, all]) => [day, all.size]),
    [
      [TODAY - 1, 20 + 1400],
      [TODAY, 12],
    ],
  );
  wasReadInPortions();
  const [held] = listHeld(db);
  assert.ok(held);
  const { slice, hasHits, ...totals } = held;
  let read = 0;
  for await (const _ of engine.transfer.readVisits({ ...held, slice, hasHits: hasHits === 1, totals })) read++;
  assert.equal(read, 20 + 1400);
  wasReadInPortions();
});

test('a large day that is replaced while it is read is not given in part', async (t) => {
  const app = await stageServers(t);
  const { db, siteId, engine } = app;
  // Some seconds after a sweep, ClickHouse deletes the files of the day.
  await app.run(`ALTER TABLE activity DROP PARTITION ${TODAY - 1}`);
  db.run('UPDATE sealed_day SET events = 10000000');
  let portions = 0;
  const content = { today: TODAY, texts: ['', '/new'], days: [TODAY - 1], readRows: () => rowsOf(4) };
  await assert.rejects(async () => {
    for await (const _ of engine.queries.readVisits(siteId)) {
      if (portions++ > 0) continue;
      await engine.imports.add(siteId, content, { replace: true });
      await engine.upkeep.sweep();
    }
  }, /changed while it was read. Try again/);
});
