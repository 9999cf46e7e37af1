// What one very large open day costs: 10 million hits of 600,000 visitors, and of as many visitors as hits. `npm run bench:open-day`,
// or with `-- 1000000` for fewer. The built server answers every report of that day while 2,000 hits a second come in.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { load } from './open-day/load.ts';
import { prepare, rowsInParts, today, toYesterday } from './open-day/prepare.ts';

const HITS = Number(process.argv[2] ?? 10_000_000);
const RATE = 2_000;
const ROUNDS = 5;
/** A server leaves fewer rows than this outside of parts. */
const REST = 200_000;

const REPORTS = [
  'overview?range=today',
  'timeseries?range=today',
  'overview?range=today&filters[country]=country 7',
  'breakdown/pages?range=today',
  'breakdown/pages?range=today&filters[device]=device 1',
  'breakdown/entry_pages?range=today&filters[page]=/page/1',
  'breakdown/referrers?range=today&filters[page]=/page/1',
  'breakdown/event_labels?range=today&event=event 1',
  'realtime',
  'realtime?filters[country]=country 7',
];

const program = join(import.meta.dirname, '../dist/daybook.mjs');

type Server = { url: string; pid: number; end(): Promise<void> };

async function start(db: string): Promise<Server> {
  const flags = ['--db', db, '--port', '0', '--rate-limit', '0', '--flood', '0', '--trusted-proxies', '127.0.0.1'];
  const args = ['--max-semi-space-size=16', program, 'serve', ...flags, '--keep-backups', '0'];
  const server = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(createInterface(server.stdout), 'line')) as [string];
  return {
    url: line.replace('listening on ', ''),
    pid: server.pid ?? 0,
    async end() {
      server.kill();
      await once(server, 'exit');
    },
  };
}

/** Megabytes that a process takes, now and at most. */
function memory(pid: number): string {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const of = (name: string) => (Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024).toFixed(0);
  return `${of('VmRSS')} MB now, ${of('VmHWM')} MB at most`;
}

async function timed(url: string, token: string, report: string): Promise<number> {
  const begin = performance.now();
  const answer = await fetch(`${url}/api/v1/sites/1/stats/${report}`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  await answer.text();
  if (answer.status !== 200) console.log(`${answer.status} for ${report}`);
  return performance.now() - begin;
}

const percentile = (times: readonly number[], share: number): string =>
  (times[Math.floor(times.length * share)] ?? Number.NaN).toFixed(1);

async function ask(server: Server, token: string): Promise<void> {
  const stop = load(server.url, RATE);
  const times = new Map(REPORTS.map((report) => [report, [] as number[]]));
  for (let round = 0; round <= ROUNDS; round++) {
    for (const report of REPORTS) times.get(report)?.push(await timed(server.url, token, report));
  }
  console.log('   first  median     max  report');
  for (const [report, [first = 0, ...others]] of times) {
    others.sort((a, b) => a - b);
    const figures = [first, others[others.length >> 1] ?? 0, others.at(-1) ?? 0];
    console.log(`${figures.map((figure) => figure.toFixed(0).padStart(6)).join('  ')}  ${report}`);
  }
  const hits = await stop();
  const figures = `p50 ${percentile(hits, 0.5)} ms, p99 ${percentile(hits, 0.99)} ms, slowest ${percentile(hits, 1 - 1e-9)} ms`;
  console.log(`${hits.length} hits: ${figures}; server ${memory(server.pid)}`);
}

/** Seals the day in a server that goes on taking hits. */
async function seal(db: string): Promise<void> {
  toYesterday(db);
  const begin = performance.now();
  const sealing = spawn(process.execPath, [program, 'seal', '--db', db], { stdio: 'inherit' });
  let last = '';
  const timer = setInterval(() => {
    try {
      last = memory(sealing.pid ?? 0);
    } catch {
      // It has ended.
    }
  }, 50);
  await once(sealing, 'exit');
  clearInterval(timer);
  console.log(`daybook seal: ${((performance.now() - begin) / 1000).toFixed(0)} s, ${last}`);
}

async function measure(visitors: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'daybook-bench-'));
  const db = join(folder, 'daybook.db');
  const daybook = (...args: string[]): string =>
    execFileSync(process.execPath, [program, ...args, '--db', db], { encoding: 'utf8', stdio: 'pipe' }).trim();
  try {
    daybook('user', 'add', 'owner@example.com');
    daybook('site', 'add', 'owner@example.com', 'example.com');
    const token = daybook('token', 'add', 'owner@example.com', '--name', 'bench', '--abilities', 'read');
    prepare(db, [{ ...today(), hits: HITS, visitors }]);
    console.log(`\n${HITS} hits of ${visitors} visitors`);
    const first = await start(db);
    const begin = performance.now();
    while (rowsInParts(db) < HITS - REST) await pause(1_000);
    console.log(`in parts after ${((performance.now() - begin) / 1000).toFixed(0)} s, server ${memory(first.pid)}`);
    await first.end();
    const server = await start(db);
    await ask(server, token);
    await server.end();
    await seal(db);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

await measure(Math.round(HITS * 0.06));
await measure(HITS);
