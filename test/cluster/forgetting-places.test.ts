// A whole proof of forgetting on a cluster finds an IP address that is left in any place of any server.
//
// One proof is enough: the IP address is left in all places at once, and the report must name each of them. Each ClickHouse server
// has another one of ClickHouse's logs. So a log that is not searched is a server without a finding.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { type Proof, proveForgetting } from '../../src/forgetting/prove.ts';
import { hook, IN_PROCESS, INTO_WAL, random } from '../forgetting/planting.ts';
import { folder } from '../support/helpers.ts';
import { until } from '../support/program.ts';
import { ask, CLUSTER, hostsOf, rowsOn, type Server, startCluster } from './servers.ts';

/** The IP address of the made-up visitor. */
const ADDRESS = '198.51.100.8';

/** The ClickHouse of the tests cannot keep all of these logs. So the test makes the table of each one. */
const LOGS = ['query_log', 'query_thread_log', 'query_views_log', 'text_log', 'asynchronous_insert_log'];

/** Work of the programs that is due each minute is due each 5 s. Otherwise, the proof would wait for three minutes. */
const WITHOUT_WAITING = `
const { setInterval } = globalThis;
globalThis.setInterval = (work, ms, ...more) => setInterval(work, ms === 60_000 ? 5_000 : ms, ...more);`;

/** A proof takes a minute, and several minutes on a busy machine. */
const PATIENCE_MS = 600_000;

async function plantOn(server: Server): Promise<void> {
  const sql = "SELECT name FROM tables WHERE database = 'daybook_proof' AND name = 'activity'";
  const isMade = async () => (await rowsOn(server, 'system', sql)).length > 0;
  await until('the proof has its tables', isMade, PATIENCE_MS);
  for (const table of ['daybook_proof.planted', `system.${LOGS[server.shard]}`]) {
    await ask(server, `CREATE TABLE ${table} (event_time DateTime, words String) ENGINE = MergeTree ORDER BY words`);
    await ask(server, `INSERT INTO ${table} SELECT now(), '${ADDRESS}'`);
  }
}

/** Runs a statement in a file of a program. Gives the first row. */
function run(path: string, sql: string): Record<string, unknown> | undefined {
  const db = new DatabaseSync(path, { timeout: 10_000 });
  try {
    return db.prepare(sql).get();
  } finally {
    db.close();
  }
}

/** Makes sure that a file has a table with the IP address, once the program has made the file. */
function plantInto(path: string): void {
  try {
    if (existsSync(`${path}-wal`) && run(path, 'SELECT 1 FROM sqlite_schema'))
      run(path, `CREATE TABLE IF NOT EXISTS planted AS SELECT '${ADDRESS}' AS words`);
  } catch {
    // The program deletes some files and makes them anew. The next turn finds the new file.
  }
}

/** Leaves a row in the write-ahead log, once the salt is deleted. Otherwise, the log would keep the salt too. */
async function plantIntoWal(t: TestContext, path: string): Promise<void> {
  const isOver = () => run(path, "SELECT 1 FROM upkeep WHERE name = 'backup'") !== undefined;
  await until('the day is sealed and backed up', isOver, PATIENCE_MS);
  await until('the log is empty', () => run(path, 'PRAGMA wal_checkpoint(TRUNCATE)')?.busy === 0);
  const planter = spawn(process.execPath, ['-e', INTO_WAL], { env: { DAYBOOK_DB: path } });
  t.after(() => planter.kill());
}

async function plantIntoFiles(t: TestContext, files: string): Promise<void> {
  const list = () => readdirSync(files).map((name) => join(files, name, 'daybook.db'));
  await until('the proof has a file', () => list().some(existsSync));
  const [path = ''] = list();
  const planted = [path, `${path}.outbox`, `${path}.open-days`, join(path, '../collector/daybook.db.outbox')];
  // The copy of open days is deleted with the old day, and made again for the new one.
  const planting = setInterval(() => planted.forEach(plantInto), 100);
  t.after(() => clearInterval(planting));
  await plantIntoWal(t, path);
}

/** Starts a proof with all of its files in the folder `files`. */
function startProof(t: TestContext, engine: string, files: string): Promise<Proof> {
  const stopping = new AbortController();
  const { TMPDIR } = process.env;
  t.after(() => {
    stopping.abort();
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
  });
  process.env.TMPDIR = files;
  // The programs of the proof have the time of this machine. Other tests of this process may have set `Date` to a fixed day.
  const clock = { now: () => performance.timeOrigin + performance.now(), tick: () => performance.now() };
  const environment = hook(WITHOUT_WAITING + IN_PROCESS);
  return proveForgetting({ clock, random, environment, engine, signal: stopping.signal });
}

test('forgetting on a cluster: a whole proof finds what is left in each place of each server', async (t) => {
  const servers = await startCluster(folder(t), LOGS.length, 1);
  t.after(() => Promise.all(servers.map(({ kill }) => kill())));
  const files = folder(t);
  const proving = startProof(t, `clickhouse://${hostsOf(servers)}/daybook?cluster=${CLUSTER}`, files);
  const [{ after, isForgotten }] = await Promise.all([proving, plantIntoFiles(t, files), ...servers.map(plantOn)]);
  assert.equal(isForgotten, false);
  const listPlaces = (kind: string, number: number, places: string[]) =>
    places.map((place) => ({ kind, number, place, found: ['address'] }));
  assert.deepEqual(
    after.map(({ kind, number, place, found }) => ({ kind, number, place, found })),
    [
      ...listPlaces('primary', 1, ['file', 'wal', 'backups', 'log', 'memory', 'threads', 'outbox', 'open_days']),
      ...listPlaces('collector', 1, ['outbox', 'log', 'memory']),
      ...servers.flatMap((_, i) => listPlaces('clickhouse', i + 1, ['tables', 'system_logs'])),
    ],
  );
});
