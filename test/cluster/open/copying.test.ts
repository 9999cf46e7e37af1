import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { test } from 'node:test';
import { findLowestNumber, SENDERS } from '../../../src/cluster/servers/row-numbers.ts';
import { TODAY } from '../../collect/stage.ts';
import { date } from '../../stats/days.ts';
import { furnish } from '../../support/furnish.ts';
import { NOON } from '../../support/helpers.ts';
import { program, until } from '../../support/program.ts';
import { makesToday, stageGates } from '../asking.ts';
import { CLUSTER } from '../servers.ts';

/* A day that is so large that its copy takes seconds, and what may happen meanwhile. */

const SHARDS = 2;
const ROWS_OF_SHARD = 30_000;
const ROWS = SHARDS * ROWS_OF_SHARD;
/** A number of a row that came an hour ago. */
const FIRST = findLowestNumber(NOON - 3_600_000);

/** One statement reads at most 5,000 rows, and the first visitor of each shard has more. */
const ROWS_OF_FIRST = 11_000;
const HITS = ROWS + SHARDS * ROWS_OF_FIRST;

/** A statement that stores the hits of one shard. Most of them have a visitor of their own. */
const insertRows = (siteId: number, shard: number): string =>
  `INSERT INTO activity (site, day, second, seq, visitor, page)
   SELECT ${siteId}, ${TODAY}, number % 40000, ${FIRST} + (number * ${SHARDS} + ${shard}) * ${SENDERS},
     (1000 + if(number < ${ROWS_OF_SHARD}, number, 0)) * ${SHARDS} + ${shard}, concat('/', toString(number % 100))
   FROM numbers(${ROWS_OF_SHARD + ROWS_OF_FIRST})`;

/** A statement that reads rows to copy them. */
const isCopying = (sql: string): boolean => sql.includes('AS texts FROM activity');

const OVERVIEW = `overview?range=${date(TODAY)}~${date(TODAY)}`;

test('copies of open days: a replica that is lost while rows are copied changes no answer', async (t) => {
  const { watch, hosts, askAt, owner, siteId } = await stageGates(t);
  await Promise.all(hosts.map((host, i) => askAt(host, insertRows(siteId, Math.floor(i / 2)))));
  const read = new Set<string>();
  let lost: string | undefined;
  let made = 0;
  watch((sql, when, host) => {
    if (when === 'before' && makesToday(sql)) made++;
    if (when === 'before' && isCopying(sql)) read.add(host);
    // Both shards have been read once. Then the first replica of one of them is gone.
    if (read.size > 1) lost ??= host;
    return host === lost;
  });
  const figures = async () => {
    const { visitors, pageviews } = (await owner.ask('GET', `/sites/${siteId}/stats/${OVERVIEW}`)).body.data;
    return [visitors, pageviews];
  };
  await until('the copy answers', async () => {
    made = 0;
    assert.deepEqual(await figures(), [ROWS + 12, HITS + 12]);
    return made === 0;
  });
  assert.ok(lost !== undefined);
});

test('copies of open days: a server that is killed while it copies makes the copy anew', async (t) => {
  const hosts = process.env.TEST_CLUSTER?.split(',') ?? [];
  const name = `killed_${randomBytes(8).toString('hex')}`;
  const runAt = (host: string, sql: string, database = name) =>
    fetch(`http://${host}/?database=${database}`, { method: 'POST', body: sql });
  t.after(() => Promise.all(hosts.map((host) => runAt(host, `DROP DATABASE ${name} SYNC`, 'default'))));
  const daybook = program(t);
  const token = await furnish(daybook.db);
  const copy = `${daybook.db}.open-days`;
  const flags = ['--db', daybook.db, '--engine', `clickhouse://${hosts}/${name}?cluster=${CLUSTER}`];
  let server = await daybook.serve(flags);
  for (const [i, host] of hosts.entries()) assert.ok((await runAt(host, insertRows(1, Math.floor(i / 2)))).ok);
  const visitors = async () => {
    const url = `${server.url}/api/v1/sites/1/stats/${OVERVIEW}`;
    const answer = await fetch(url, { headers: { Authorization: `Bearer ${token}` } });
    return ((await answer.json()) as { data: { visitors: number } }).data.visitors;
  };
  const isCopied = (bytes: number) => existsSync(`${copy}-wal`) && statSync(`${copy}-wal`).size > bytes;
  assert.equal(await visitors(), ROWS);
  await until('rows are copied', () => isCopied(100_000));
  server.kill('SIGKILL');
  await server.ended;
  assert.ok(existsSync(copy));
  server = await daybook.serve(flags);
  assert.ok(!existsSync(copy));
  assert.equal(await visitors(), ROWS);
  await until('rows are copied again', () => isCopied(1_000_000));
  assert.equal(await visitors(), ROWS);
  assert.equal(await server.stop(), 0);
  assert.ok(!existsSync(copy));
});
