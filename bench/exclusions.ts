// Measures what a new exclusion costs over a year: `npm run bench:exclusions`. The file has 10 million hits on 365
// sealed days, and 500 hits a second arrive meanwhile. Answers are right at once. The bench measures how long until
// they are fast again. `-- 1000000` takes fewer hits.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { load } from './open-day/load.ts';
import { prepare, today } from './open-day/prepare.ts';
import { program, type Server, start } from './open-day/server.ts';

const HITS = Number(process.argv[2] ?? 10_000_000);
const DAYS = 365;
const RATE = 500;
const SECONDS_IN_DAY = 86_400;
/** The limits: seconds until answers are fast again, and milliseconds for 99 % of the hits meanwhile. */
const BOUNDS = { seconds: 30, p99: 50 };

const folder = mkdtempSync(join(tmpdir(), 'daybook-bench-'));
const db = join(folder, 'daybook.db');
const daybook = (...args: string[]): string =>
  execFileSync(process.execPath, [program, ...args, '--db', db], { encoding: 'utf8', stdio: 'pipe' }).trim();

function daysWithSums(): number {
  const file = new Database(db, { readonly: true });
  const count = file.prepare('SELECT count(*) FROM excluded_sum').pluck().get();
  file.close();
  return count as number;
}

async function asked({ url }: Server, token: string, path: string, body?: object): Promise<string> {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const options = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers };
  const begin = performance.now();
  const answer = await fetch(`${url}/api/v1/sites/1/${path}`, options);
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  console.log(`${(performance.now() - begin).toFixed(0).padStart(6)} ms  ${path}`);
  return text;
}

try {
  daybook('user', 'add', 'owner@example.com');
  daybook('site', 'add', 'owner@example.com', 'example.com');
  const token = daybook('token', 'add', 'owner@example.com', '--name', 'bench', '--abilities', 'read,write');
  const perDay = Math.floor(HITS / DAYS);
  const days = Array.from({ length: DAYS }, (_, n) => today() - 1 - n);
  prepare(
    db,
    days.map((day) => ({ day, seconds: SECONDS_IN_DAY, hits: perDay, visitors: Math.floor(perDay / 3) })),
  );
  daybook('seal');
  execFileSync('sync');

  const server = await start(db);
  const stop = load(server.url, RATE);
  await pause(5_000);
  const reports = ['stats/overview?range=12m', 'stats/breakdown/pages?range=12m'];
  const show = async () => {
    for (const report of reports) await asked(server, token, report);
  };
  await show();
  const begin = performance.now();
  await asked(server, token, 'exclusions', { from: '2000-01-01', filters: { country: 'AH' } });
  console.log('before the sums are made again:');
  await show();
  while (daysWithSums() < DAYS) await pause(200);
  const seconds = (performance.now() - begin) / 1000;
  console.log('after it:');
  await show();
  const { later } = await stop();
  const p99 = later[Math.floor(later.length * 0.99)] ?? Number.NaN;
  const verdict = (value: number, bound: number) => `required ${bound}${value <= bound ? '' : '  TOO MUCH'}`;
  console.log(`sums of ${DAYS} days, ${HITS} hits: ${seconds.toFixed(1)} s, ${verdict(seconds, BOUNDS.seconds)}`);
  console.log(`p99 of ${later.length} hits: ${p99.toFixed(0)} ms, ${verdict(p99, BOUNDS.p99)}`);
  await server.end();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
