// The proof of forgetting on a cluster reads what each ClickHouse server has, with the rights that the documents name.
import assert from 'node:assert/strict';
import { randomBytes as random } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { searchAll } from '../../src/forgetting/places.ts';
import { nameProofEngine, openProofCluster } from '../../src/forgetting/read-clickhouse.ts';
import { listNeedles } from '../../src/forgetting/search.ts';
import { fencesIn, textOf } from '../documents/documents.ts';
import { startProof } from '../forgetting/proving.ts';
import { folder } from '../support/helpers.ts';
import { until } from '../support/program.ts';
import { ask, CLUSTER, hostsOf, rowsOn, type Server, SYSTEM_LOGS, startCluster, type Users } from './servers.ts';

const [RIGHTS = '', RIGHTS_OF_PROOF = '', RIGHTS_OF_LOGS = ''] = fencesIn(textOf('docs/cluster.md'))
  .filter(({ language }) => language === 'sql')
  .map(({ code }) => code)
  .filter((code) => code.includes('GRANT'));

const grantsIn = (text: string): string[] =>
  [...text.matchAll(/(GRANT [^;]*) TO daybook;/g)].map(([, grant = '']) => grant);

const password = 'secret';
/** The user `blind` may not read the logs of ClickHouse. */
const USERS: Users = {
  daybook: { password, grants: grantsIn(RIGHTS + RIGHTS_OF_PROOF + RIGHTS_OF_LOGS) },
  blind: { password, grants: grantsIn(RIGHTS + RIGHTS_OF_PROOF) },
};

const clock = { tick: () => performance.now() };
const engineOf = (servers: readonly Server[], user: string): string =>
  `clickhouse://${user}:${password}@${hostsOf(servers)}/daybook?cluster=${CLUSTER}`;

const ADDRESS = ['198', '51', '100', '8'].join('.');
const VISITOR = { address: ADDRESS, agent: 'Mozilla/5.0 proof-1', salt: Buffer.alloc(32, 3), code: 2 ** 52 + 12_345 };

test('forgetting on a cluster: what is left in a table or a log of a ClickHouse server is found there', async (t) => {
  const servers = await startCluster(folder(t), 2, 1, USERS, { more: SYSTEM_LOGS });
  t.after(() => Promise.all(servers.map(({ kill }) => kill())));
  const engine = engineOf(servers, 'daybook');
  assert.match(nameProofEngine(engine), /\/daybook_proof\?cluster=day$/);
  const cluster = openProofCluster(engine, { folder: folder(t), clock, random });
  const search = async () =>
    searchAll(await cluster.read({ withLogs: true }), listNeedles(VISITOR)).filter(({ found }) => found.length > 0);
  await cluster.make();
  for (const server of servers)
    await ask(
      server,
      'CREATE TABLE daybook_proof.planted (code UInt64, words String) ENGINE = MergeTree ORDER BY code',
    );
  assert.deepEqual(await search(), []);
  const [first, second] = servers;
  await ask(first, `INSERT INTO daybook_proof.planted SELECT ${VISITOR.code - 5} + 5, reverse('8.001.15.891')`);
  await ask(second, `SELECT '${ADDRESS}'`);
  await until('the log has the statement', async () => (await search()).some(({ place }) => place === 'system_logs'));
  const named = (await search()).map(({ kind, number, place, found }) => [kind, number, place, found]);
  assert.deepEqual(named, [
    ['clickhouse', 1, 'tables', ['address', 'code']],
    ['clickhouse', 2, 'system_logs', ['address']],
  ]);
  const own = { folder: folder(t), clock, random };
  const [waiting] = await openProofCluster(engine, own).read({ withLogs: false });
  assert.deepEqual(readdirSync(waiting?.folder ?? ''), ['table-planted'], 'a search that waits copies no logs');
  assert.deepEqual(
    searchAll(waiting ? [waiting] : [], listNeedles(VISITOR)).map(({ place }) => place),
    ['tables'],
  );
  await cluster.remove();
  assert.ok(!(await search()).some(({ place }) => place === 'tables'), 'the proof removes its database');
});

test('forgetting on a cluster: logs of ClickHouse that may not be read are said, and logs that are off are not', async (t) => {
  const logged = await startCluster(folder(t), 1, 1, USERS, { more: SYSTEM_LOGS });
  const unlogged = await startCluster(folder(t), 1, 1, USERS);
  t.after(() => Promise.all([...logged, ...unlogged].map(({ kill }) => kill())));
  // ClickHouse makes the table of a log with its first rows.
  const isMade = (server: Server) =>
    rowsOn(server, 'system', 'SELECT 1 FROM query_log LIMIT 1').then(
      (rows) => rows.length === 1,
      () => false,
    );
  for (const server of logged) await until('the log has a table', () => isMade(server));
  for (const [servers, user, unread] of [
    [logged, 'blind', ['system_logs']],
    [logged, 'daybook', undefined],
    [unlogged, 'blind', undefined],
  ] as const) {
    const [read] = await openProofCluster(engineOf(servers, user), { folder: folder(t), clock, random }).read({
      withLogs: true,
    });
    assert.deepEqual(read?.unread, unread, user);
  }
});

test('forgetting on a cluster: a proof removes no database that it or an ended proof did not make', async (t) => {
  const servers = await startCluster(folder(t), 2, 1, USERS);
  t.after(() => Promise.all(servers.map(({ kill }) => kill())));
  const begin = () => openProofCluster(engineOf(servers, 'daybook'), { folder: folder(t), clock, random });
  const [first, second] = servers;
  const listDatabases = () =>
    Promise.all(servers.map((one) => rowsOn(one, 'system', "SELECT name FROM databases WHERE name LIKE 'daybook%'")));
  const made = [{ name: 'daybook_proof' }];

  // The second server has a database of an installation with this name.
  await ask(second, 'CREATE DATABASE daybook_proof');
  const refused = begin();
  await assert.rejects(refused.make(), /:\d+\/ has a database daybook_proof, and no proof has made it/);
  await refused.remove();
  assert.deepEqual(await listDatabases(), [[], made], 'the proof removes only what it made');
  await ask(second, 'DROP DATABASE daybook_proof');

  const running = begin();
  await running.make();
  const other = begin();
  await assert.rejects(other.make(), /has a database daybook_proof of another proof/);
  await other.remove();
  assert.deepEqual(await listDatabases(), [made, made]);
  await running.remove();
  assert.deepEqual(await listDatabases(), [[], []]);

  const comment = 'daybook prove-forgetting abc, began at 1760000000';
  await ask(first, `CREATE DATABASE daybook_proof COMMENT '${comment}'`);
  await ask(first, 'CREATE TABLE daybook_proof.left (code UInt64) ENGINE = MergeTree ORDER BY code');
  const next = begin();
  await next.make();
  assert.deepEqual(
    await rowsOn(first as Server, 'system', "SELECT name FROM tables WHERE database = 'daybook_proof'"),
    [],
  );
  await next.remove();
  assert.deepEqual(await listDatabases(), [[], []]);
});

test('forgetting on a cluster: a proof that is stopped leaves no database, no files and no collector', async (t) => {
  const servers = await startCluster(folder(t), 1, 2, USERS);
  t.after(() => Promise.all(servers.map(({ kill }) => kill())));
  const engine = `clickhouse://${hostsOf(servers)}/daybook?cluster=${CLUSTER}`;
  const { child, ended, files, isGone } = await startProof(t, { words: ['--engine', engine], last: 'collector' });
  const count = (server: Server) =>
    rowsOn(server, 'system', "SELECT count() AS n FROM databases WHERE name = 'daybook_proof'");
  assert.deepEqual(await Promise.all(servers.map(count)), [[{ n: 1 }], [{ n: 1 }]]);
  child.kill('SIGTERM');
  assert.equal(await ended, 1);
  assert.deepEqual(await Promise.all(servers.map(count)), [[{ n: 0 }], [{ n: 0 }]]);
  assert.deepEqual(readdirSync(files), []);
  assert.ok(await isGone());
});
