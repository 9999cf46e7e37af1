// Measures how many `GET /sites` requests with a token one core answers: `npm run bench:sites`. The built server runs
// on one core, and wrk (Debian's package) on another. Machines differ, so compare the result with /healthz in the same
// run, which does almost nothing.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const SECONDS = 8;
const CONNECTIONS = 64;
const SITES = 3;

const folder = mkdtempSync(join(tmpdir(), 'daybook-bench-'));
const program = join(import.meta.dirname, '../dist/daybook.mjs');
const db = join(folder, 'daybook.db');
const daybook = (...args: string[]): string =>
  execFileSync(process.execPath, [program, ...args, '--db', db], { encoding: 'utf8', stdio: 'pipe' }).trim();

function rate(url: string, token: string): number {
  const args = [
    '-c',
    '1',
    'wrk',
    '-t1',
    `-c${CONNECTIONS}`,
    `-d${SECONDS}s`,
    '-H',
    `Authorization: Bearer ${token}`,
    url,
  ];
  const text = execFileSync('taskset', args, { encoding: 'utf8' });
  if (text.includes('Non-2xx')) throw new Error(text);
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(text)?.[1]);
}

daybook('user', 'add', 'owner@example.com');
for (let i = 1; i <= SITES; i++) daybook('site', 'add', 'owner@example.com', `site${i}.example`);
const token = daybook('token', 'add', 'owner@example.com', '--name', 'bench', '--abilities', 'read');

const flags = ['--db', db, '--port', '0', '--rate-limit', '0'];
const server = spawn('taskset', ['-c', '0', process.execPath, program, 'serve', ...flags], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
try {
  const [line] = (await once(createInterface(server.stdout), 'line')) as [string];
  const url = line.replace('listening on ', '');
  const bare = rate(`${url}/healthz`, token);
  for (const path of ['/api/v1/account', '/api/v1/sites', '/api/v1/sites/site1.example']) {
    const found = rate(url + path, token);
    console.log(`${path.padEnd(28)} ${found.toFixed(0).padStart(6)} /s  ${(found / bare).toFixed(2)} of /healthz`);
  }
  console.log(`${'/healthz'.padEnd(28)} ${bare.toFixed(0).padStart(6)} /s`);
} finally {
  server.kill();
  await once(server, 'exit');
  rmSync(folder, { recursive: true, force: true });
}
