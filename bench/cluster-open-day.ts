// Compares the two engines on one large open day: a cluster of two shards beside the file, in one run. Part of
// `npm run bench:cluster`. The day has 3 million hits of 500,000 visitors, and 500 hits a second arrive at both. To take
// fewer hits, add their number: `node bench/cluster-open-day.ts 1000000`. Both servers must give equal answers before
// the hits begin. Needs `npm ci --prefix test/cluster`.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { CLUSTER, hostsOf, startCluster } from '../test/cluster/servers.ts';
import { load } from './open-day/load.ts';
import { evening, prepare, rowsInShards } from './open-day/prepare.ts';
import { mostMemory, program, type Server, start } from './open-day/server.ts';
import { processorTime } from './paced.ts';

const HITS = Number(process.argv[2] ?? 3_000_000);
const VISITORS = Math.round(HITS / 6);
const RATE = 500;
const ROUNDS = 7;
const AT_ONCE = 12;
/** A server leaves fewer rows than this outside of shards. */
const REST = 200_000;
const LONGEST_COPY_MS = 600_000;

/** The reports, with the most milliseconds that the cluster may take. */
const REPORTS: readonly [path: string, most: number][] = [
  ['overview?range=today', 300],
  ['timeseries?range=today', 300],
  ['breakdown/pages?range=today', 300],
  ['breakdown/pages?range=today&metrics=time_on_page', 300],
  ['breakdown/referrers?range=today&filters[device]=Desktop', 300],
  ['overview?range=today&filters[country]=AH', 300],
  ['breakdown/pages?range=7d', 300],
  ['realtime', 50],
  ['live', 100],
];

/** The answers of these reports change each second. */
const ABOUT_NOW = ['realtime', 'live'];

async function ask({ url }: Server, token: string, path: string): Promise<{ wall: number; data: unknown }> {
  const begin = performance.now();
  const answer = await fetch(`${url}/api/v1/sites/1/stats/${path}`, { headers: { Authorization: `Bearer ${token}` } });
  const body = (await answer.json()) as { data: unknown };
  if (answer.status !== 200) console.log(`${answer.status} for ${path}`);
  return { wall: performance.now() - begin, data: body.data };
}

const findMedian = (times: number[]): number =>
  times.sort((one, other) => one - other)[times.length >> 1] ?? Number.NaN;
const row = (...cells: (string | number)[]): string => cells.map((cell) => String(cell).padStart(9)).join(' ');

/** Waits until the cluster answers today from its copy. Until then, ClickHouse makes all visits for each query. */
async function waitForCopy(cluster: Server, token: string, copy: string, cpuOfServers: () => number): Promise<void> {
  const [begin, cpu] = [performance.now(), cpuOfServers()];
  const first = await ask(cluster, token, 'overview?range=today');
  const firstCpu = (cpuOfServers() - cpu) / 1000;
  // On a busy machine, the copy may be deleted and made again.
  while (!existsSync(copy) || rowsInShards(copy) < HITS - REST) await pause(1_000);
  let last = first.wall;
  for (let fast = 0; fast < 3 && performance.now() - begin < LONGEST_COPY_MS; ) {
    await pause(1_000);
    last = (await ask(cluster, token, 'overview?range=today')).wall;
    fast = last > first.wall / 4 ? 0 : fast + 1;
  }
  const seconds = ((performance.now() - begin) / 1000).toFixed(0);
  console.log(
    `first answer ${first.wall.toFixed(0)} ms and ${firstCpu.toFixed(0)} ms of ClickHouse, copied after ${seconds} s, then ${last.toFixed(0)} ms`,
  );
}

async function compare(cluster: Server, file: Server, token: string, cpuOfServers: () => number): Promise<void> {
  console.log(row('file ms', 'cluster', 'ratio', 'most', 'CPU ms'), ' of ClickHouse');
  for (const [path, most] of REPORTS) {
    const times = { file: [] as number[], cluster: [] as number[] };
    const before = cpuOfServers();
    for (let round = 0; round < ROUNDS; round++) {
      times.file.push((await ask(file, token, path)).wall);
      times.cluster.push((await ask(cluster, token, path)).wall);
      await pause(200);
    }
    const cpu = (cpuOfServers() - before) / 1000 / ROUNDS;
    const [own, other] = [findMedian(times.cluster), findMedian(times.file)];
    console.log(row(other.toFixed(0), own.toFixed(0), (own / other).toFixed(1), most, cpu.toFixed(0)), ` ${path}`);
  }
  for (const [name, server] of Object.entries({ file, cluster })) {
    const begin = performance.now();
    await Promise.all(Array.from({ length: AT_ONCE }, () => ask(server, token, 'live')));
    console.log(`${AT_ONCE} live at once, ${name}: ${(performance.now() - begin).toFixed(0)} ms, most 1000`);
  }
}

const folder = mkdtempSync(join(tmpdir(), 'daybook-bench-'));
const [db, other] = [join(folder, 'daybook.db'), join(folder, 'other.db')];
const daybook = (...args: string[]): string =>
  execFileSync(process.execPath, [program, ...args, '--db', db], { encoding: 'utf8', stdio: 'pipe' }).trim();
const servers = await startCluster(folder, 2, 1);
const running: Server[] = [];
try {
  daybook('user', 'add', 'owner@example.com');
  const { timeZone, ...day } = evening();
  daybook('site', 'add', 'owner@example.com', 'example.com', '--time-zone', timeZone);
  const token = daybook('token', 'add', 'owner@example.com', '--name', 'bench', '--abilities', 'read');
  prepare(db, [{ ...day, hits: HITS, visitors: VISITORS }]);
  copyFileSync(db, other);
  const engine = `clickhouse://${hostsOf(servers)}/bench?cluster=${CLUSTER}`;
  daybook('move', '--to', engine);
  console.log(`${HITS} hits of ${VISITORS} visitors today, on two shards and in the file`);
  const file = await start(other);
  running.push(file);
  while (rowsInShards(other) < HITS - REST) await pause(1_000);
  const cluster = await start(db, ['--engine', engine]);
  running.push(cluster);
  const cpuOfServers = () => servers.reduce((sum, { pid }) => sum + processorTime(pid()), 0);
  await waitForCopy(cluster, token, `${db}.open-days`, cpuOfServers);
  console.log(`memory, cluster, while copying: ${mostMemory(cluster.pid).toFixed(0)} MB`);
  for (const [path] of REPORTS.filter(([path]) => !ABOUT_NOW.includes(path)))
    assert.deepEqual((await ask(cluster, token, path)).data, (await ask(file, token, path)).data, path);
  const stops = [cluster, file].map(({ url }) => load(url, RATE));
  await compare(cluster, file, token, cpuOfServers);
  for (const [name, stop] of Object.entries({ cluster: stops[0], file: stops[1] })) {
    const { later = [] } = (await stop?.()) ?? {};
    console.log(`p99 of ${later.length} hits, ${name}: ${(later[Math.floor(later.length * 0.99)] ?? 0).toFixed(0)} ms`);
  }
  const memory = { file, cluster };
  for (const [name, { pid }] of Object.entries(memory))
    console.log(`memory, ${name}: ${mostMemory(pid).toFixed(0)} MB`);
  console.log(`disk, copy: ${(statSync(`${db}.open-days`).size / 1024 ** 2).toFixed(0)} MB`);
  for (const { pid } of servers) console.log(`memory, ClickHouse: ${mostMemory(pid()).toFixed(0)} MB`);
} finally {
  await Promise.all(running.map(({ end }) => end()));
  await Promise.all(servers.map(({ kill }) => kill()));
  rmSync(folder, { recursive: true, force: true });
}
