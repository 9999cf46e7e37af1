import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { UNUSABLE } from '../../src/lib/errors.ts';
import { line } from '../cli/access-log.ts';
import { crawledIn } from '../integrations/crawled.ts';
import { furnish } from '../support/furnish.ts';
import { DAYBOOK, program, until } from '../support/program.ts';
import { gatesOf } from './gates.ts';
import { CLUSTER } from './servers.ts';

/** A file with a request of a crawler, whose log is followed, and a cluster behind gates. */
async function stage(t: TestContext) {
  const hosts = process.env.TEST_CLUSTER?.split(',') ?? [];
  const gates = await gatesOf(
    t,
    hosts.map((host) => ({ http: Number(host.split(':')[1]) })),
  );
  const name = `moved_${randomBytes(8).toString('hex')}`;
  const engine = `clickhouse://${gates.hosts}/${name}?cluster=${CLUSTER}`;
  const ask = async (sql: string, host = hosts[0]) =>
    (await fetch(`http://${host}/`, { method: 'POST', body: sql })).text();
  t.after(() => Promise.all(hosts.map((host) => ask(`DROP DATABASE ${name} SYNC`, host))));
  const daybook = program(t);
  await furnish(daybook.db, ['example.com']);
  const log = join(daybook.folder, 'access.log');
  writeFileSync(log, '');
  const args = [...DAYBOOK, 'logs', 'example.com', log, '--follow', '--db', daybook.db];
  const child = spawn(process.execPath, args, { cwd: daybook.folder, env: {}, stdio: ['ignore', 'ignore', 'pipe'] });
  t.after(() => child.kill('SIGKILL'));
  const ended = Promise.all([once(child, 'close'), text(child.stderr)]);
  async function add(path: string): Promise<void> {
    appendFileSync(log, line(path));
    await until(`${path} is counted`, () => crawledIn(daybook.db)[`2026-03-10 gptbot ${path}`] === 1);
  }
  await add('/1');
  /** The requests that the cluster has. */
  const count = async () =>
    Number(await ask(`SELECT sum(requests) FROM clusterAllReplicas('${CLUSTER}', ${name}, crawled)`)) / 2;
  return { ...daybook, watch: gates.watch, engine, log, add, ended, count };
}

test('a move counts what daybook logs counts during the move, and daybook logs counts nothing more after it', async (t) => {
  const { run, print, engine, watch, log, add, ended, count } = await stage(t);
  let added: Promise<void> | undefined;
  watch(async (sql, when) => {
    if (when === 'before' && sql.startsWith('INSERT INTO crawled')) {
      added ??= add('/2');
      await added;
    }
    return false;
  });
  const { code, stderr } = await run(['move', '--to', engine]);
  if (code !== 0) {
    assert.match(stderr, /another command changed the hits during the move\. Nothing was switched\. Run this again/);
    await print(['move', '--to', engine]);
  }
  assert.equal(await count(), 2);
  appendFileSync(log, line('/3'));
  const [[exit], told] = await ended;
  assert.equal(exit, UNUSABLE);
  assert.match(told, /the hits of this file are on a cluster/);
});
