import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { chownSync, statSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { openStore } from '../../src/store/file/open-file.ts';
import { keepDays } from '../../src/store/sites/sites.ts';
import { append, pageview, TODAY } from '../collect/stage.ts';
import { date } from '../stats/days.ts';
import { furnish } from '../support/furnish.ts';
import { program } from '../support/program.ts';
import { gatesOf } from './gates.ts';
import { CLUSTER } from './servers.ts';

async function stage(t: TestContext) {
  const hosts = process.env.TEST_CLUSTER?.split(',') ?? [];
  const gates = await gatesOf(
    t,
    hosts.map((host) => ({ http: Number(host.split(':')[1]) })),
  );
  const name = `moved_${randomBytes(8).toString('hex')}`;
  const engine = `clickhouse://${gates.hosts}/${name}?cluster=${CLUSTER}`;
  const drop = (host: string) => fetch(`http://${host}/`, { method: 'POST', body: `DROP DATABASE ${name} SYNC` });
  t.after(() => Promise.all(hosts.map(drop)));
  const daybook = program(t);
  const token = await furnish(daybook.db, ['example.com']);
  const { db, close } = openStore(daybook.db);
  t.after(close);
  await append(db, [pageview({ day: TODAY - 1 }), pageview({ day: TODAY - 30, event: 'buy', revenue: 'EUR 500' })]);
  await daybook.print(['seal']);
  await append(db, [pageview()]);
  return { ...daybook, store: db, watch: gates.watch, engine, token };
}

test('a move that begins while another one runs is refused, and each hit counts once', async (t) => {
  const { run, print, serve, engine, watch } = await stage(t);
  const server = await serve();
  const [held, free] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let isFirst = true;
  watch(async (sql, when) => {
    if (isFirst && when === 'before' && sql.startsWith('INSERT INTO visit')) {
      held.resolve();
      await free.promise;
    }
    return false;
  });
  const first = run(['move', '--to', engine]);
  await held.promise;
  isFirst = false;
  await server.stop();
  const second = await run(['move', '--to', engine]);
  free.resolve();
  await first;
  if (second.code !== 0) {
    assert.match(second.stderr, /another move runs\. Wait until it has ended/);
    await print(['move', '--to', engine]);
  }
  const exported = await print(['export', 'example.com', '--format', 'ndjson', '--engine', engine]);
  assert.equal(exported.split('\n').length, 3);
});

test('a move does not switch to the cluster if a day loses its visits meanwhile, and moves its sums when it is run again', async (t) => {
  const { run, print, serve, engine, watch, store, token } = await stage(t);
  async function askRevenue(...flags: string[]): Promise<unknown> {
    const server = await serve(flags);
    const path = `1/stats/overview?range=${date(TODAY - 40)}~${date(TODAY)}&metrics=revenue&currency=EUR`;
    const answer = await fetch(`${server.url}/api/v1/sites/${path}`, { headers: { Authorization: `Bearer ${token}` } });
    await server.stop();
    return ((await answer.json()) as { data: unknown }).data;
  }
  const before = await askRevenue();
  let sealed: Promise<string> | undefined;
  watch(async (sql, when) => {
    if (when === 'before' && sql.startsWith('INSERT INTO activity')) {
      keepDays(store, 1, 5);
      sealed ??= print(['seal']);
      await sealed;
    }
    return false;
  });
  const { code, stderr } = await run(['move', '--to', engine]);
  if (code !== 0) {
    assert.match(stderr, /another command changed the hits during the move\. Nothing was switched\. Run this again/);
    await print(['move', '--to', engine]);
  }
  const list = store.all('SELECT has_hits AS hasHits FROM sealed_day ORDER BY day');
  assert.deepEqual(list, [{ hasHits: 0 }, { hasHits: 1 }]);
  assert.deepEqual(await askRevenue('--engine', engine), before);
});

const AS_ROOT = { skip: process.getuid?.() !== 0 && 'only root can give files away' };

test('a move by root leaves a lock that the user of the server can take', AS_ROOT, async (t) => {
  const { db, print, engine } = await stage(t);
  chownSync(db, 65_534, 65_534);
  await print(['move', '--to', engine]);
  const { uid, gid } = statSync(`${db}.move.lock`);
  assert.deepEqual([uid, gid], [65_534, 65_534]);
});
