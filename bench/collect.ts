// How many hits a second are on the disk and acknowledged: the built server on one core, wrk (Debian's) on the other.
// `npm run bench:collect`. Every answer is sent after an fsync; the disk's own speed is shown beside it.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, fdatasyncSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const SECONDS = 15;
const WARM_UP_SECONDS = 3;
const CONNECTIONS = [64, 256, 512];

const folder = mkdtempSync(join(tmpdir(), 'daybook-bench-'));
const program = join(import.meta.dirname, '../dist/daybook.mjs');
const db = join(folder, 'daybook.db');
const daybook = (...args: string[]): string =>
  execFileSync(process.execPath, [program, ...args, '--db', db], { encoding: 'utf8', stdio: 'pipe' }).trim();

/** Milliseconds that one small synced write takes here, in the median. */
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

const flags = ['serve', '--db', db, '--port', '0', '--flood', '0', '--trusted-proxies', '127.0.0.1'];
const command = ['-c', '0', process.execPath, '--max-semi-space-size=16', program, ...flags];
const server = spawn('taskset', command, { stdio: ['ignore', 'pipe', 'inherit'] });
try {
  const [line] = (await once(createInterface(server.stdout), 'line')) as [string];
  const url = line.replace('listening on ', '');
  console.log(`one fdatasync: ${syncTime().toFixed(2)} ms`);
  const script = join(import.meta.dirname, 'messages.lua');
  const load = (connections: number, seconds: number): string => {
    const args = ['-c', '1', 'wrk', '-t1', `-c${connections}`, `-d${seconds}s`, '--latency', '-s', script, url];
    const text = execFileSync('taskset', args, { encoding: 'utf8' });
    if (/Non-2xx|Socket errors/.test(text)) throw new Error(text);
    return text;
  };
  load(64, WARM_UP_SECONDS);
  console.log('connections   hits/s      p50      p99   RSS MB');
  for (const connections of CONNECTIONS) {
    const text = load(connections, SECONDS);
    const of = (pattern: RegExp) => pattern.exec(text)?.[1] ?? '';
    const memory = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1]) / 1024;
    const rate = Number(of(/Requests\/sec:\s+([\d.]+)/)).toFixed(0);
    const columns = [String(connections).padStart(11), rate.padStart(8), of(/50%\s+(\S+)/).padStart(8)];
    console.log([...columns, of(/99%\s+(\S+)/).padStart(8), memory.toFixed(0).padStart(8)].join(' '));
  }
  const account = await fetch(`${url}/api/v1/account`, { headers: { Authorization: `Bearer ${token}` } });
  const { data } = (await account.json()) as { data: { events_used: number } };
  console.log(`stored: ${data.events_used} hits`);
} finally {
  server.kill();
  await once(server, 'exit');
  rmSync(folder, { recursive: true, force: true });
}
