// What a cluster takes: how many hits a second one collector keeps and acknowledges on one core, and how long after that they are
// counted. `npm run bench:cluster`, after `npm ci --prefix test/cluster`. wrk is Debian's.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { connect } from '../src/cluster/connect.ts';
import { openStore } from '../src/store/open.ts';
import { type Stage, stage } from './cluster/stage.ts';
import { paced, processorTime } from './paced.ts';

const SECONDS = 10;
const ROUNDS = 3;
const CONNECTIONS = [64, 256];
const RATE = 2_000;
const LAG_SECONDS = 30;

const row = (...cells: (string | number)[]): string => cells.map((cell) => String(cell).padStart(12)).join(' ');

function load(url: string, connections: number): { rate: number; p99: string } {
  const args = ['-c', '1', 'wrk', '-t1', `-c${connections}`, `-d${SECONDS}s`, '--latency'];
  const script = join(import.meta.dirname, 'messages.lua');
  const text = execFileSync('taskset', [...args, '-s', script, url], { encoding: 'utf8' });
  if (/Non-2xx|Socket errors/.test(text)) throw new Error(text);
  const of = (pattern: RegExp) => pattern.exec(text)?.[1] ?? '';
  return { rate: Number(of(/Requests\/sec:\s+([\d.]+)/)), p99: of(/99%\s+(\S+)/) };
}

/** Hits a second that one collector has on its disk and acknowledges, on one core, with the servers of the cluster or without. */
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

/** How long after they were acknowledged hits are counted, at an even rate. */
async function lag({ db: path, engine, collector }: Stage): Promise<void> {
  const own = await collector();
  const { db, close } = openStore(path);
  const { nodes } = await connect(engine, db);
  const count = async () =>
    (await nodes.ask<{ n: number }>('SELECT count() AS n FROM activity')).reduce((sum, { n }) => sum + n, 0);
  const begin = await count();
  const start = performance.now();
  const seen: { at: number; n: number }[] = [];
  const before = processorTime(own.pid);
  let isOver = false;
  const looking = (async () => {
    while (!isOver || (seen.at(-1)?.n ?? 0) < RATE * LAG_SECONDS) {
      const n = (await count()) - begin;
      seen.push({ at: performance.now() - start, n });
      await pause(50);
    }
  })();
  const { p99 } = await paced(own.url, own.pid, RATE, LAG_SECONDS);
  isOver = true;
  await looking;
  const micros = (processorTime(own.pid) - before) / (RATE * LAG_SECONDS);
  const times: number[] = [];
  let i = 0;
  for (let n = 0; n < RATE * LAG_SECONDS; n++) {
    while ((seen[i]?.n ?? Number.POSITIVE_INFINITY) <= n) i++;
    times.push((seen[i]?.at ?? 0) - (n / RATE) * 1000);
  }
  times.sort((one, other) => one - other);
  const at = (share: number) => `${((times[Math.floor((times.length - 1) * share)] ?? 0) / 1000).toFixed(2)} s`;
  console.log(row('hits/s', 'counted p50', 'p99', 'worst', 'ack p99 ms', 'µs a hit'));
  console.log(row(RATE, at(0.5), at(0.99), at(1), p99.toFixed(1), micros.toFixed(0)));
  close();
  await own.stop();
}

const own = await stage(2, 1);
try {
  await ingest(own);
  await lag(own);
} finally {
  await own.end();
}
