// Measures how many hits a second are stored and acknowledged: `npm run bench:collect`. The built server runs on one
// core, and wrk (Debian's) on the other. A bare server that only stores the text (bare.ts) takes turns with it. The
// bench also measures what a hit costs at an even rate. Each answer is sent after an fsync, so the speed of the disk
// alone is shown too.
import { execFileSync } from 'node:child_process';
import { closeSync, fdatasyncSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { FLAGS, load, PROGRAM, type Server, start } from './loaded.ts';
import { paced, processorTime } from './paced.ts';

const SECONDS = 10;
const WARM_UP_SECONDS = 3;
const ROUNDS = 3;
const CONNECTIONS = [64, 256, 512];
const RATES = [100, 500, 1_000];

const folder = mkdtempSync(join(tmpdir(), 'daybook-bench-'));
const db = join(folder, 'daybook.db');
const daybook = (...args: string[]): string =>
  execFileSync(process.execPath, [PROGRAM, ...args, '--db', db], { encoding: 'utf8', stdio: 'pipe' }).trim();

/** Measures how many milliseconds a small synced write takes here, as the median. */
function syncTime(): number {
  const file = openSync(join(folder, 'sync'), 'w');
  const times = Array.from({ length: 200 }, () => {
    writeSync(file, Buffer.alloc(4096));
    const start = performance.now();
    fdatasyncSync(file);
    return performance.now() - start;
  });
  closeSync(file);
  return times.sort((a, b) => a - b)[100] ?? 0;
}

daybook('user', 'add', 'owner@example.com');
daybook('site', 'add', 'owner@example.com', 'example.com');
const token = daybook('token', 'add', 'owner@example.com', '--name', 'bench', '--abilities', 'read');

const memoryOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

/** Waits until a server has finished the work that it delayed while many hits came. */
async function settled({ pid }: Server): Promise<void> {
  const idleMicros = 50_000;
  for (let [before, used] = [processorTime(pid), idleMicros]; used >= idleMicros; ) {
    await pause(1_000);
    const now = processorTime(pid);
    [before, used] = [now, now - before];
  }
}

/** Reads a time as wrk writes it, such as 950us, 1.40ms or 1.2s. */
function toMs(text = ''): string {
  const [, number, unit = ''] = /^([\d.]+)(us|ms|s)$/.exec(text) ?? [];
  return (Number(number) * ({ us: 0.001, ms: 1, s: 1000 }[unit] ?? Number.NaN)).toFixed(2);
}

const row = (...cells: (string | number)[]): string => cells.map((cell) => String(cell).padStart(11)).join(' ');

const servers: Server[] = [];
try {
  const own = await start([PROGRAM, 'serve', '--db', db, ...FLAGS]);
  servers.push(own);
  const bare = await start([join(import.meta.dirname, 'bare.ts'), join(folder, 'bare.db')]);
  servers.push(bare);
  console.log(`one fdatasync: ${syncTime().toFixed(2)} ms`);
  for (const { url } of servers) load(url, 64, WARM_UP_SECONDS, { isOwn: url === own.url });
  console.log(row('connections', 'hits/s', 'p50 ms', 'p99 ms', 'RSS MB', 'of bare'));
  for (const connections of CONNECTIONS) {
    const rounds = Array.from({ length: ROUNDS }, () => ({
      own: load(own.url, connections, SECONDS),
      bare: load(bare.url, connections, SECONDS, { isOwn: false }),
    }));
    const middle = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
    const rate = middle(rounds.map(({ own }) => own.rate));
    const ratio = middle(rounds.map(({ own, bare }) => own.rate / bare.rate));
    const { p50, p99 } = rounds.at(-1)?.own ?? {};
    console.log(
      row(connections, rate.toFixed(0), toMs(p50), toMs(p99), memoryOf(own.pid).toFixed(0), ratio.toFixed(2)),
    );
  }
  await settled(own);
  console.log(row('hits/s', 'µs a hit', 'p50 ms', 'p99 ms', 'worst ms', 'of bare'));
  for (const rate of RATES) {
    const [one, other] = [await paced(own.url, own.pid, rate, SECONDS), await paced(bare.url, bare.pid, rate, SECONDS)];
    const times = [one.p50, one.p99, one.worst].map((ms) => ms.toFixed(1));
    console.log(row(rate, one.micros.toFixed(0), ...times, (one.micros / other.micros).toFixed(2)));
  }
  const account = await fetch(`${own.url}/api/v1/account`, { headers: { Authorization: `Bearer ${token}` } });
  const { data } = (await account.json()) as { data: { events_used: number } };
  console.log(`stored: ${data.events_used} hits`);
} finally {
  for (const { stop } of servers) await stop();
  rmSync(folder, { recursive: true, force: true });
}
