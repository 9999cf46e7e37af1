// Measures what one very large open day costs: `npm run bench:open-day`. The day has 10 million hits of 600,000
// visitors, and then as many visitors as hits. The built server answers every report about this day, and then seals the
// day. Meanwhile 2,000 hits a second arrive. `-- 1000000` takes fewer hits.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { load, type Times } from './open-day/load.ts';
import { evening, prepare, rowsInShards, sealedHits, toYesterday } from './open-day/prepare.ts';
import { mostMemory, program, type Server, start, timed } from './open-day/server.ts';

const HITS = Number(process.argv[2] ?? 10_000_000);
const RATE = 2_000;
/** A server leaves fewer rows than this outside of shards. */
const REST = 200_000;
/**
 * This number of hits arrives while the server answers. Some wait for a compaction, and are compacted. The more hits
 * wait, the longer a report takes.
 */
const MORE = 250_000;

const REPORTS = [
  'breakdown/pages?range=today',
  'overview?range=today',
  'timeseries?range=today',
  'overview?range=today&filters[country]=AH',
  'breakdown/pages?range=today&filters[device]=Desktop',
  'breakdown/entry_pages?range=today&filters[page]=/page/1',
  'breakdown/referrers?range=today&filters[page]=/page/1',
  'breakdown/event_labels?range=today&event=event 1',
  'realtime',
  'realtime?filters[country]=AH',
];

/** The limits, in milliseconds and megabytes. */
const BOUNDS = { first: 2_000, warm: 500, realtime: 50, memory: 500, p99: 50 };

const figure = (name: string, value: number, bound: number, unit: string): void => {
  const verdict = value <= bound ? '' : '  TOO MUCH';
  console.log(`${name.padEnd(44)} ${value.toFixed(0).padStart(6)} ${unit}, required ${bound}${verdict}`);
};

/** Waits until earlier writes are on the disk. Otherwise the disk would be busy with them during the measurement. */
const settle = (): void => void execFileSync('sync');

async function ask(server: Server, token: string, report: string): Promise<{ wall: number; cpu: number }> {
  return timed(server.pid, async () => {
    const headers = { Authorization: `Bearer ${token}` };
    const answer = await fetch(`${server.url}/api/v1/sites/1/stats/${report}`, { headers });
    await answer.text();
    if (answer.status !== 200) console.log(`${answer.status} for ${report}`);
  });
}

type Time = { wall: number; cpu: number };
const most = (times: readonly Time[]): number => Math.max(...times.map(({ wall }) => wall));
const median = (times: readonly Time[], of: keyof Time): number =>
  times.map((time) => time[of]).sort((a, b) => a - b)[times.length >> 1] ?? Number.NaN;
const p99 = (times: readonly number[]): number => times[Math.floor(times.length * 0.99)] ?? Number.NaN;

function showHits({ starting, later }: Times): void {
  console.log(`p99 of the first ${starting.length} hits, while the server starts: ${p99(starting).toFixed(0)} ms`);
  figure(`p99 of ${later.length} hits meanwhile`, p99(later), BOUNDS.p99, 'ms');
}

/** Requests every report again and again while hits arrive. */
async function answering(db: string, token: string): Promise<void> {
  settle();
  const before = rowsInShards(db);
  const server = await start(db);
  const stop = load(server.url, RATE);
  const times = new Map(REPORTS.map((report) => [report, [] as Time[]]));
  for (const end = performance.now() + (MORE / RATE) * 1_000; performance.now() < end; ) {
    for (const report of REPORTS) times.get(report)?.push(await ask(server, token, report));
    await pause(1_000);
  }
  console.log(`${rowsInShards(db) - before} hits became parts meanwhile`);
  const hits = await stop();
  console.log('ms: first   warm    max  (CPU of first, warm)');
  for (const [report, [first = { wall: 0, cpu: 0 }, ...others]] of times) {
    const walls = [first.wall, median(others, 'wall'), most(others)].map((time) => time.toFixed(0).padStart(6));
    const cpus = [first.cpu, median(others, 'cpu')].map((time) => time.toFixed(0).padStart(6));
    console.log(`   ${walls.join(' ')} (${cpus.join(' ')})  ${report}`);
  }
  const [live, others] = [true, false].map((isLive) =>
    [...times].filter(([report]) => report.startsWith('realtime') === isLive).map(([, all]) => all),
  );
  const ofWarm = (all: Time[][] = []): number => most(all.flatMap(([, ...warm]) => warm));
  figure('first report after a start', times.get(REPORTS[0] ?? '')?.[0]?.wall ?? 0, BOUNDS.first, 'ms');
  figure(
    'slowest other first answer',
    most((others ?? []).slice(1).flatMap(([first]) => first ?? [])),
    BOUNDS.first,
    'ms',
  );
  console.log(`slowest answer of all: ${most([...times.values()].flat()).toFixed(0)} ms`);
  figure('slowest warm report', ofWarm(others), BOUNDS.warm, 'ms');
  figure('slowest warm realtime', ofWarm(live), BOUNDS.realtime, 'ms');
  showHits(hits);
  figure('memory of the server', mostMemory(server.pid), BOUNDS.memory, 'MB');
  await server.end();
}

/** Seals the day in a server that still takes hits. */
async function sealingServer(db: string): Promise<void> {
  settle();
  const server = await start(db);
  const stop = load(server.url, RATE);
  const begin = performance.now();
  while (sealedHits(db) < HITS) await pause(500);
  const hits = await stop();
  console.log(`sealed by a server in ${((performance.now() - begin) / 1000).toFixed(0)} s`);
  showHits(hits);
  figure('memory of the server', mostMemory(server.pid), BOUNDS.memory, 'MB');
  await server.end();
}

async function sealingCommand(db: string): Promise<void> {
  const begin = performance.now();
  const sealing = spawn(process.execPath, [program, 'seal', '--db', db], { stdio: 'inherit' });
  let memory = 0;
  const timer = setInterval(() => {
    memory = Math.max(memory, mostMemory(sealing.pid ?? 0));
  }, 20);
  await once(sealing, 'exit');
  clearInterval(timer);
  console.log(`sealed by a command in ${((performance.now() - begin) / 1000).toFixed(0)} s`);
  figure('memory of daybook seal', memory, BOUNDS.memory, 'MB');
}

async function measure(visitors: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'daybook-bench-'));
  const [db, other] = [join(folder, 'daybook.db'), join(folder, 'other.db')];
  const daybook = (...args: string[]): string =>
    execFileSync(process.execPath, [program, ...args, '--db', db], { encoding: 'utf8', stdio: 'pipe' }).trim();
  try {
    daybook('user', 'add', 'owner@example.com');
    const { timeZone, ...day } = evening();
    daybook('site', 'add', 'owner@example.com', 'example.com', '--time-zone', timeZone);
    const token = daybook('token', 'add', 'owner@example.com', '--name', 'bench', '--abilities', 'read');
    prepare(db, [{ ...day, hits: HITS, visitors }]);
    console.log(`\n${HITS} hits of ${visitors} visitors`);
    const first = await start(db);
    const begin = performance.now();
    while (rowsInShards(db) < HITS - REST) await pause(1_000);
    console.log(`in parts after ${((performance.now() - begin) / 1000).toFixed(0)} s`);
    figure('memory of the server', mostMemory(first.pid), BOUNDS.memory, 'MB');
    await first.end();
    await answering(db, token);
    toYesterday(db);
    copyFileSync(db, other);
    await sealingServer(db);
    await sealingCommand(other);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

await measure(Math.round(HITS * 0.06));
await measure(HITS);
