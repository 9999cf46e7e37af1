// Measures what a cluster can take: `npm run bench:cluster`, after `npm ci --prefix test/cluster`. The first figure is
// how many hits a second one collector stores and acknowledges on one core. The second is how long after that the hits
// are counted. From these follows the number of servers for 10 million to 10 billion hits a month. Needs Debian's wrk.
import { execFileSync, spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { clock } from '../src/cli/command.ts';
import { connect } from '../src/cluster/servers/connect.ts';
import { openReader, openStore } from '../src/store/file/open-file.ts';
import { costsOf, type TakingCosts } from './cluster/costs.ts';
import { printSizes } from './cluster/sizes.ts';
import { type Stage, stage } from './cluster/stage.ts';
import { processorTime } from './paced.ts';

const SECONDS = 10;
const ROUNDS = 3;
const CONNECTIONS = [64, 256];

const row = (...cells: (string | number)[]): string => cells.map((cell) => String(cell).padStart(12)).join(' ');

function load(url: string, connections: number): { rate: number; p99: string } {
  const args = ['-c', '1', 'wrk', '-t1', `-c${connections}`, `-d${SECONDS}s`, '--latency'];
  const script = join(import.meta.dirname, 'messages.lua');
  const text = execFileSync('taskset', [...args, '-s', script, url], { encoding: 'utf8' });
  if (/Non-2xx|Socket errors/.test(text)) throw new Error(text);
  const of = (pattern: RegExp) => pattern.exec(text)?.[1] ?? '';
  return { rate: Number(of(/Requests\/sec:\s+([\d.]+)/)), p99: of(/99%\s+(\S+)/) };
}

/**
 * Measures how many hits a second one collector stores and acknowledges on one core, with and without the servers of
 * the cluster.
 */
async function ingest({ servers, collector }: Stage): Promise<void> {
  const own = await collector(0);
  load(own.url, 64);
  console.log(row('connections', 'hits/s', 'p99', 'cluster'));
  for (const connections of CONNECTIONS) {
    const rounds = Array.from({ length: ROUNDS }, () => load(own.url, connections));
    const [, middle] = rounds.sort((one, other) => one.rate - other.rate);
    console.log(row(connections, middle?.rate.toFixed(0) ?? '', middle?.p99 ?? '', 'there'));
  }
  await Promise.all(servers.map(({ kill }) => kill()));
  for (const connections of CONNECTIONS) {
    const rounds = Array.from({ length: ROUNDS }, () => load(own.url, connections));
    const [, middle] = rounds.sort((one, other) => one.rate - other.rate);
    console.log(row(connections, middle?.rate.toFixed(0) ?? '', middle?.p99 ?? '', 'away'));
  }
  await Promise.all(servers.map(({ start }) => start()));
  await own.stop();
}

/**
 * This number of connections sends about 2,000 hits a second. Each waits for its answer before it sends the next hit.
 */
const LAG_CONNECTIONS = 16;
const LAG_SECONDS = 30;

/** Measures how long hits wait on the disk of a collector until they are counted. The hits come at an even rate. */
async function lag({ db: path, engine, collector, servers }: Stage): Promise<TakingCosts> {
  const own = await collector();
  const { db, close } = openStore(path);
  const outbox = openReader(own.outbox);
  const { nodes } = await connect(engine, db, clock);
  const sum = async (sql: string) => (await nodes.ask<{ n: number }>(sql)).reduce((all, { n }) => all + Number(n), 0);
  const counted = () => sum('SELECT count() AS n FROM activity');
  const received = () => sum("SELECT value AS n FROM system.events WHERE event = 'NetworkReceiveBytes'");
  const taken = () => outbox.db.one<{ n: number }>('SELECT coalesce(sum(hits), 0) AS n FROM taken')?.n ?? 0;
  const before = processorTime(own.pid);
  const ofServers = () => servers.reduce((sum, { pid }) => sum + processorTime(pid()), 0);
  const beforeServers = ofServers();
  const receivedBefore = await received();
  const script = join(import.meta.dirname, 'messages.lua');
  const wrk = spawn(
    'taskset',
    ['-c', '0-1', 'wrk', '-t1', `-c${LAG_CONNECTIONS}`, `-d${LAG_SECONDS}s`, '-s', script, own.url],
    {
      stdio: 'ignore',
    },
  );
  let isOver = false;
  wrk.once('exit', () => {
    isOver = true;
  });
  /**
   * Each entry says how many hits were taken, and when. To find the delay, the entry with as many hits as are counted
   * now is looked up.
   */
  const seen: { at: number; taken: number }[] = [{ at: performance.now(), taken: 0 }];
  const lags: number[] = [];
  for (let there = 0; !isOver || there < (seen.at(-1)?.taken ?? 0); ) {
    seen.push({ at: performance.now(), taken: taken() });
    there = await counted();
    const then = seen.find((one) => one.taken > there);
    lags.push(then ? performance.now() - then.at : 0);
    await pause(100);
  }
  const hits = taken();
  const micros = (processorTime(own.pid) - before) / hits;
  lags.sort((one, other) => one - other);
  const at = (share: number) => `${((lags[Math.floor((lags.length - 1) * share)] ?? 0) / 1000).toFixed(2)} s`;
  console.log(row('hits/s', 'counted p50', 'p99', 'worst', 'µs a hit'));
  console.log(row((hits / LAG_SECONDS).toFixed(0), at(0.5), at(0.99), at(1), micros.toFixed(0)));
  // These are costs of taking hits only: no query ran but the one that counts the hits.
  const clickhouse = (ofServers() - beforeServers) / hits;
  const sent = ((await received()) - receivedBefore) / hits;
  const open =
    (await sum(
      "SELECT sum(bytes_on_disk) AS n FROM system.parts WHERE active AND table = 'activity' AND database = 'bench'",
    )) / hits;
  outbox.close();
  close();
  await own.stop();
  return { collector: micros, clickhouse, sent, open };
}

const own = await stage(2, 1);
try {
  const taking = await lag(own);
  printSizes(await costsOf(own, taking));
  await ingest(own);
} finally {
  await own.end();
}
