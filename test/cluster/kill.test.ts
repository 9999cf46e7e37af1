import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { clock } from '../../src/cli/command.ts';
import { connect } from '../../src/cluster/connect.ts';
import type { Nodes } from '../../src/cluster/nodes.ts';
import { openStore } from '../../src/store/open.ts';
import { TODAY } from '../collect/stage.ts';
import { furnish } from '../furnish.ts';
import { folder } from '../helpers.ts';
import { daybookFrom, type Program, program, type Server, until } from '../program.ts';
import { chance } from '../random.ts';
import { date } from '../stats/days.ts';
import { CLIENTS, crowd, domainOf, SITES } from './crowd.ts';
import { CLUSTER, hostsOf, type Server as Node, startCluster } from './servers.ts';

const ROUNDS = Number(process.env.ROUNDS ?? 6);
const COLLECTORS = 3;
/** Where the clock of all processes stands when the test begins, so that a midnight passes. */
const EVENING = TODAY * 86_400_000 + Date.parse('1970-01-01T23:59:40Z');

/** Primary and collectors, which are killed and started. */
async function machines({ serve: now, print, db, folder: at }: Program, { serve: later }: Program, engine: string) {
  let serve = now;
  const own: (Server | undefined)[] = [];
  // It is asked again and again until it is ready, which on a busy machine is more often than a token may.
  const engineFlags = ['--engine', engine, '--rate-limit', '0'];
  let primary = await serve(engineFlags);
  // Where the collectors look for it, whatever its port is after a new start.
  const { port } = primary;
  for (let i = 0; i < COLLECTORS; i++)
    writeFileSync(join(at, `secret${i}`), await print(['collectors', 'add', `c${i}`, '--db', db]));
  const flags = (i: number) => [
    ...['--primary', `http://127.0.0.1:${port}`, '--secret-file', join(at, `secret${i}`)],
    ...['--outbox', join(at, `outbox${i}.db`), '--flood', '0', '--trusted-proxies', '127.0.0.1'],
  ];
  const startCollector = async (i: number) => {
    own[i] = await serve(flags(i), { command: 'collect' });
  };
  const stopCollector = async (i: number, signal: NodeJS.Signals) => {
    const one = own[i];
    own[i] = undefined;
    one?.kill(signal);
    await one?.ended;
  };
  const startPrimary = async () => {
    primary = await serve([...engineFlags, '--db', db], { port });
  };
  /** All are stopped, and started when it is later. */
  const waitAWhile = async () => {
    for (let i = 0; i < COLLECTORS; i++) await stopCollector(i, 'SIGTERM');
    await stopPrimary('SIGTERM');
    serve = later;
    await startPrimary();
    for (let i = 0; i < COLLECTORS; i++) await startCollector(i);
  };
  const stopPrimary = async (signal: NodeJS.Signals) => {
    primary.kill(signal);
    await primary.ended;
  };
  for (let i = 0; i < COLLECTORS; i++) await startCollector(i);
  return {
    ports: () => own.flatMap((one) => (one ? [one.port] : [])),
    primary: () => primary,
    ...{ startCollector, stopCollector, startPrimary, stopPrimary, waitAWhile },
  };
}

type Random = () => number;

/** Kills some of all that there is and starts it again, while people browse. */
async function round(
  { startCollector, stopCollector, startPrimary, stopPrimary }: Awaited<ReturnType<typeof machines>>,
  nodes: readonly Node[],
  random: Random,
  more: () => Promise<void>,
): Promise<void> {
  const victims = nodes.filter(() => random() < 0.3);
  const collectors = Array.from({ length: COLLECTORS }, (_, i) => i).filter(() => random() < 0.4);
  const isPrimary = random() < 0.3;
  await Promise.all(victims.map(({ kill }) => kill()));
  for (const i of collectors) await stopCollector(i, 'SIGKILL');
  if (isPrimary) await stopPrimary('SIGKILL');
  if (collectors.length < COLLECTORS) await more();
  // A collector starts without a primary, and a primary without some of the servers.
  for (const i of collectors) await startCollector(i);
  if (random() < 0.5) await more();
  await Promise.all(victims.map(({ start }) => start()));
  if (isPrimary) await startPrimary();
}

/** What the replicas of a shard have must be the same. */
async function assertAlike(nodes: Nodes): Promise<void> {
  const questions = [
    ...['activity', 'visit', 'tally'].map(
      (table) => `SELECT count() AS n, toString(sum(cityHash64(*))) AS hash FROM ${table}`,
    ),
    'SELECT sum(hits) AS n FROM dropped',
    'SELECT sum(requests) AS n FROM crawled',
  ];
  for (const sql of questions) {
    const found = await Promise.all(
      nodes.all.map(async (node) => ({ shard: node.shard, rows: await nodes.askOne(node, sql) })),
    );
    for (const replicas of Map.groupBy(found, ({ shard }) => shard).values())
      for (const { rows } of replicas) assert.deepEqual(rows, replicas[0]?.rows, sql);
  }
}

type Stage = Awaited<ReturnType<typeof stage>>;

async function stage(t: TestContext) {
  const nodes = await startCluster(folder(t), 2, 2);
  t.after(() => Promise.all(nodes.map(({ kill }) => kill())));
  const engine = `clickhouse://${hostsOf(nodes)}/own?cluster=${CLUSTER}`;
  const daybook = program(t, { command: [process.execPath, ...daybookFrom(EVENING)] });
  const token = await furnish(
    daybook.db,
    Array.from({ length: SITES }, (_, site) => domainOf(site)),
  );
  const later = program(t, { command: [process.execPath, ...daybookFrom(EVENING + 1_800_000)] });
  const own = await machines(daybook, later, engine);
  const ask = async (site: number, path: string) => {
    const url = `${own.primary().url}/api/v1/sites/${site + 1}/stats/${path}`;
    const answer = await fetch(url, { headers: { Authorization: `Bearer ${token}` } });
    return { status: answer.status, body: (await answer.json()) as { data: unknown } };
  };
  return { nodes, engine, daybook, own, ask };
}

type Hit = { site: number; date: string; page: string };

/** All hits, as the cluster tells them. */
async function exported({ print, db }: Program, engine: string, sites: Iterable<number>): Promise<Hit[]> {
  const hits: Hit[] = [];
  for (const site of sites) {
    const text = await print(['export', domainOf(site), '--format', 'ndjson', '--engine', engine, '--db', db]);
    for (const line of text.split('\n').filter((one) => one !== '')) {
      const { at, url } = JSON.parse(line) as { at: string; url: string };
      hits.push({ site, date: at.slice(0, 10), page: new URL(url).pathname });
    }
  }
  return hits;
}

/** Waits until the day before is sealed, as it is at a start once all have said that they have sent what they took of it. */
async function sealed({ own, ask }: Stage, day: string): Promise<void> {
  await own.waitAWhile();
  await until('the day before is sealed', async () => {
    await own.stopPrimary('SIGTERM');
    await own.startPrimary();
    let state: string | undefined;
    await until('the primary has looked', async () => {
      const { status, body } = await ask(0, `days?range=${day}~${day}`);
      // 503 where servers of the cluster are not there yet.
      if (status === 200) state = (body.data as { days: { state: string }[] }).days[0]?.state;
      return state === 'sealed' || own.primary().stderr.some((line) => /not sealed|days sealed/.test(line));
    });
    return state === 'sealed';
  });
}

/** Each page that was acknowledged is there once, and nothing that nobody sent. */
function assertOnce(hits: readonly Hit[], sent: ReadonlySet<string>, acknowledged: ReadonlySet<string>): void {
  const counts = new Map<string, number>();
  for (const { page } of hits) counts.set(page, (counts.get(page) ?? 0) + 1);
  const wrong = [...counts].filter(([page, n]) => n !== 1 || !sent.has(page));
  const lost = [...acknowledged].filter((page) => !counts.has(page));
  assert.deepEqual([wrong, lost], [[], []]);
}

/** The figures of each site are those of its hits, and nobody was taken for two people. */
async function assertFigures({ ask }: Stage, hits: readonly Hit[], days: readonly string[]): Promise<void> {
  for (const site of new Set(hits.map((hit) => hit.site))) {
    for (const day of days) {
      const ofDay = hits.filter((hit) => hit.site === site && hit.date === day);
      const { body } = await ask(site, `overview?range=${day}~${day}`);
      const { visitors, pageviews } = body.data as { visitors: number; pageviews: number };
      assert.deepEqual([visitors, pageviews], [Math.min(1, ofDay.length), ofDay.length], `${site} ${day}`);
    }
  }
}

test('whatever is killed at whatever moment, what was acknowledged is on every replica, once, and makes the figures', async (t) => {
  const random = chance(t);
  const all = await stage(t);
  const { nodes: servers, engine, daybook, own } = all;
  const people = crowd(random, own.ports);
  const more = (least: number) => async () => {
    const before = people.acknowledged.size;
    await until('more are acknowledged', () => people.acknowledged.size >= before + least);
  };
  for (let n = 1; n <= ROUNDS; n++) await round(own, servers, random, more(Math.ceil(random() * 400)));
  const store = openStore(daybook.db);
  t.after(store.close);
  const { nodes } = await connect(engine, store.db, clock);
  const today = `SELECT uniqExact(visitor) AS n FROM activity WHERE day = ${TODAY + 1}`;
  await until('everybody has come after midnight', async () => {
    const found = await nodes.ask<{ n: number }>(today).catch(() => []);
    return found.reduce((sum, { n }) => sum + n, 0) >= CLIENTS;
  });
  await people.end();
  const { sent, acknowledged } = people;
  await until('all that was acknowledged is there', async () => {
    const pages = new Set((await exported(daybook, engine, people.sites)).map(({ page }) => page));
    return [...acknowledged].every((page) => pages.has(page));
  });
  const days = [date(TODAY), date(TODAY + 1)] as const;
  await sealed(all, days[0]);
  const hits = await exported(daybook, engine, people.sites);
  assertOnce(hits, sent, acknowledged);
  await assertAlike(nodes);
  await assertFigures(all, hits, days);
  await daybook.print(['check', '--engine', engine, '--db', daybook.db]);
  t.diagnostic(`${acknowledged.size} acknowledged, ${sent.size - acknowledged.size} more were sent`);
});
