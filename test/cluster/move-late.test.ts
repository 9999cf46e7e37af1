import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { openStore } from '../../src/store/file/open-file.ts';
import { keepDays } from '../../src/store/sites/sites.ts';
import { append, pageview, TODAY } from '../collect/stage.ts';
import { date } from '../stats/days.ts';
import { furnish } from '../support/furnish.ts';
import { folder } from '../support/helpers.ts';
import { program, until } from '../support/program.ts';
import { CLUSTER, hostsOf, type Server, startCluster } from './servers.ts';

const DAY_SECONDS = 86_400;

async function stage(t: TestContext) {
  const servers = await startCluster(folder(t), 1, 1);
  t.after(() => Promise.all(servers.map(({ kill }) => kill())));
  const daybook = program(t);
  await furnish(daybook.db);
  const { db, close } = openStore(daybook.db);
  t.after(close);
  db.run('UPDATE site SET created_at = ?', (TODAY - 30) * DAY_SECONDS);
  /** The pageviews of a day, by day. */
  async function count(day: number, ...more: string[]): Promise<string | undefined> {
    const days = `${date(day)}~${date(day)}`;
    const by = ['--by', 'day', '--metrics', 'pageviews', '--range', days, '--format', 'csv'];
    return (await daybook.print(['query', 'example.com', ...by, ...more])).split('\n')[1];
  }
  const [server] = servers as [Server];
  return {
    ...daybook,
    ...{ store: db, count, server, engine: `clickhouse://${hostsOf(servers)}/moved?cluster=${CLUSTER}` },
  };
}

test('a move waits until late hits are sealed, so that an answer as of an earlier day counts none of them', async (t) => {
  const { store, print, run, count, engine } = await stage(t);
  const day = TODAY - 5;
  await append(store, [pageview({ day })]);
  await print(['seal']);
  // As if the first hit had come in time.
  store.run('UPDATE sealed_day SET since = 0');
  store.run('DELETE FROM change');
  store.run('DELETE FROM lost_day');
  await append(store, [pageview({ day, visitor: 7 })]);
  const asOf = ['--as-of', date(TODAY - 4)];
  const then = await count(day, ...asOf);
  assert.deepEqual([then, await count(day)], [`${date(day)},1`, `${date(day)},2`]);
  const { code, stderr } = await run(['move', '--to', engine]);
  if (code !== 0) {
    assert.match(stderr, /late hits of example\.com on 2026-03-05 are not sealed yet.* Run daybook seal\./);
    await print(['seal']);
    await print(['move', '--to', engine]);
  }
  const there = ['--engine', engine];
  assert.deepEqual([await count(day, ...there, ...asOf), await count(day, ...there)], [then, `${date(day)},2`]);
});

test('a move back keeps a late hit of a totals-only day', async (t) => {
  const { store, print, run, serve, count, server, engine } = await stage(t);
  const day = TODAY - 10;
  await append(store, [pageview({ day })]);
  keepDays(store, 1, 5);
  await print(['seal']);
  await print(['seal']);
  assert.deepEqual(store.all('SELECT has_hits FROM sealed_day'), [{ has_hits: 0 }]);
  keepDays(store, 1, 0);
  await print(['move', '--to', engine]);
  // It came from a collector that had been off since that day.
  const seq = (TODAY * DAY_SECONDS - 3600) * 1000 * 1024;
  const body = `INSERT INTO activity (site, day, second, seq, visitor, page) VALUES (1, ${day}, 5, ${seq}, 2, '/late')`;
  await fetch(`http://127.0.0.1:${server.http}/?database=moved`, { method: 'POST', body });
  const back = ['move', '--to', 'file', '--engine', engine];
  assert.equal(await count(day, '--engine', engine), `${date(day)},1`);
  const { code, stderr } = await run(back);
  if (code !== 0) {
    assert.match(stderr, /late hits of example\.com on 2026-02-28 are not sealed yet.* Start the server as before/);
    const there = await serve(['--engine', engine]);
    await until(
      'the late hit is sealed',
      () => store.one("SELECT 1 FROM sealed_day WHERE slice = 1 AND state = 'shown'") !== undefined,
    );
    await there.stop();
    await print(back);
  }
  await print(['seal']);
  assert.equal(await count(day), `${date(day)},1`);
  assert.match(await print(['check']), /, 0 differ$/);
});
