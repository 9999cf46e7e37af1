// Measures how the nightly work slows down hits: `npm run bench:night`. The built server is on one core, the load on
// the other. The file has ten million hits on 120 days. The last day is large and not sealed, and no month is added up.
// So the server starts with all of the nightly work: it seals, adds up months, deletes, makes a backup, and tests it by
// a recount of all days. `-- 1000000` takes fewer hits. Needs Debian's `wrk`.
import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import Database from 'better-sqlite3';
import { load } from './open-day/load.ts';
import { prepare, today } from './open-day/prepare.ts';
import { processorTime, TICKS_A_SECOND } from './paced.ts';
import { ENVIRONMENT, NODE } from './shipped.ts';

const HITS = Number(process.argv[2] ?? 10_000_000);
const DAYS = 120;
const LARGE = 3;
const DAY_SECONDS = 86_400;
const RATES = [100, 1_000];
const CONNECTIONS = 256;
const FULL_SECONDS = 30;
const BOUNDS = { p99: 50, worst: 200 };

const folder = mkdtempSync(join(tmpdir(), 'daybook-bench-'));
const program = join(import.meta.dirname, '../dist/daybook.mjs');
const prepared = join(folder, 'prepared.db');
const daybook = (...args: string[]): string =>
  execFileSync(process.execPath, [program, ...args, '--db', prepared], { encoding: 'utf8', stdio: 'pipe' }).trim();

/** Makes a file as it is at the end of a month. */
function fill(): void {
  daybook('user', 'add', 'owner@example.com');
  daybook('site', 'add', 'owner@example.com', 'example.com');
  const day = (ago: number, times = 1) => {
    const hits = Math.round((HITS / (DAYS + LARGE - 1)) * times);
    return { day: today() - ago, seconds: DAY_SECONDS, hits, visitors: Math.round(hits / 3) };
  };
  prepare(
    prepared,
    Array.from({ length: DAYS - 1 }, (_, n) => day(DAYS - n)),
  );
  daybook('seal');
  prepare(prepared, [day(1, LARGE)]);
  const file = new Database(prepared);
  file.exec('DELETE FROM month_rollup');
  file.close();
}

/** Returns for how many seconds the first core was in use, by any program. */
function used(): number {
  const [user, nice, system] = /^cpu0 (\d+) (\d+) (\d+)/m.exec(readFileSync('/proc/stat', 'utf8'))?.slice(1) ?? [];
  return (Number(user) + Number(nice) + Number(system)) / TICKS_A_SECOND;
}

/** Starts a server on the first core. It begins with the nightly work. */
async function start() {
  const db = join(folder, 'daybook.db');
  for (const left of [db, `${db}-wal`, `${db}-shm`, `${db}.backups`]) rmSync(left, { recursive: true, force: true });
  copyFileSync(prepared, db);
  const flags = ['--db', db, '--port', '0', '--flood', '0', '--trusted-proxies', '127.0.0.1'];
  const args = ['-c', '0', ...NODE, program, 'serve', ...flags];
  const server = spawn('taskset', args, { env: ENVIRONMENT, stdio: ['ignore', 'pipe', 'pipe'] });
  const begin = performance.now();
  const usedBefore = used();
  const isOver = new Promise<void>((resolve) => {
    createInterface(server.stderr).on('line', (line) => {
      const { event } = JSON.parse(line) as { event: string };
      console.log(`  ${((performance.now() - begin) / 1000).toFixed(1).padStart(6)} s: ${event}`);
      if (event.startsWith('restore test')) resolve();
    });
  });
  const [line] = (await once(createInterface(server.stdout), 'line')) as [string];
  return {
    url: line.replace('listening on ', ''),
    isOver,
    async end() {
      const others = used() - usedBefore - processorTime(server.pid ?? 0) / 1e6;
      console.log(
        `other programs had its core for ${others.toFixed(0)} of ${((performance.now() - begin) / 1000).toFixed(0)} s`,
      );
      server.kill();
      await once(server, 'exit');
    },
  };
}

const percentile = (times: readonly number[], share: number): number =>
  times[Math.floor((times.length - 1) * share)] ?? Number.NaN;

/** Sends this number of hits a second, from the start until the nightly work is done. */
async function paced(rate: number): Promise<void> {
  const { url, isOver, end } = await start();
  const stop = load(url, rate);
  await isOver;
  const { starting, later } = await stop();
  await end();
  const times = [...starting, ...later].sort((one, other) => one - other);
  const [p50 = 0, p99 = 0, worst = 0] = [0.5, 0.99, 1].map((share) => percentile(times, share));
  const late = times.filter((ms) => ms > BOUNDS.worst).length;
  console.log(`${rate} hits/s: p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms (at most ${BOUNDS.p99})`);
  console.log(`  worst ${worst.toFixed(0)} ms (at most ${BOUNDS.worst}), ${late} of ${times.length} above`);
}

/** Sends as many hits as the server takes, from the start on. */
async function full(): Promise<void> {
  const { url, end } = await start();
  const script = join(import.meta.dirname, 'messages.lua');
  const args = ['-c', '1', 'wrk', '-t1', `-c${CONNECTIONS}`, `-d${FULL_SECONDS}s`, '--latency', '-s', script, url];
  const { stdout } = await promisify(execFile)('taskset', args);
  await end();
  const of = (pattern: RegExp): string => pattern.exec(stdout)?.[1] ?? '';
  const figures = `p50 ${of(/50%\s+(\S+)/)}, p99 ${of(/99%\s+(\S+)/)}, worst ${of(/Latency\s+\S+\s+\S+\s+(\S+)/)}`;
  console.log(`${CONNECTIONS} connections: ${of(/Requests\/sec:\s+([\d.]+)/)} hits/s, ${figures}`);
  console.log(`  time-outs ${of(/timeout (\d+)/) || 0} (at most 0), other answers ${of(/Non-2xx.*: (\d+)/) || 0}`);
}

try {
  // This process moves to the second core, so that the first core is only for the server.
  execFileSync('taskset', ['-cp', '1', String(process.pid)]);
  fill();
  for (const rate of RATES) await paced(rate);
  await full();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
