// Makes a file as the program of today writes it, and notes what it answers: `node test/store/releases/make.ts` after
// `npm run build`, once for each version of the file, when it is released. From then on test/store/releases.program.test.ts holds that
// later programs read it. Versions 1 and 2 were made in the same way by the programs of their time.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { gzipSync } from 'node:zlib';
import { RELEASED } from '../../../src/store/file/migrations.ts';

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';
const program = join(import.meta.dirname, '../../../dist/daybook.mjs');
const folder = mkdtempSync(join(tmpdir(), 'daybook-release-'));
const db = join(folder, 'daybook.db');

async function daybook(args: string[], input = ''): Promise<string> {
  const child = spawn(process.execPath, [program, ...args, '--db', db], { stdio: ['pipe', 'pipe', 'inherit'] });
  let said = '';
  child.stdout.on('data', (chunk) => {
    said += chunk;
  });
  child.stdin.end(input);
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}`);
  return said.trim();
}

/** Days of January and February, with a bit of everything. */
function line(i: number): string {
  const at = new Date(Date.UTC(2026, 0, 1 + (i % 45), i % 24, i % 60, (i * 7) % 60)).toISOString();
  const url = `https://example.com/p${(i * i) % 7}${i % 5 === 0 ? '?utm_source=news&utm_campaign=c1' : ''}`;
  const referrer = ['', 'https://news.ycombinator.com/', 'https://chatgpt.com/'][i % 3];
  const visitor = `v${i % 60}`;
  const who = {
    country: ['DE', 'US', 'FR'][i % 3],
    device: ['Desktop', 'Mobile'][i % 2],
    browser: 'Firefox',
    os: 'Linux',
  };
  return JSON.stringify({
    at,
    url,
    referrer,
    visitor,
    ...who,
    ...(i % 9 === 0 ? { event: 'signup', label: `l${i % 4}` } : {}),
  });
}

await daybook(['user', 'add', 'ann@example.com', '--password-stdin'], 'a long password of ann\n');
await daybook(['site', 'add', 'ann@example.com', 'example.com']);
await daybook(['site', 'add', 'ann@example.com', 'second.example']);
const token = await daybook(['token', 'add', 'ann@example.com', '--name', 'first', '--abilities', 'read,write']);
await daybook(
  ['import', 'example.com', '-', '--format', 'ndjson'],
  Array.from({ length: 3_000 }, (_, i) => `${line(i)}\n`).join(''),
);

const flags = ['--base-url', 'https://stats.example.com', '--trusted-proxies', '127.0.0.1', '--port', '8397'];
const server = spawn(process.execPath, [program, 'serve', '--db', db, ...flags], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
await once(createInterface(server.stdout), 'line');
const url = 'http://127.0.0.1:8397';

async function ask(method: string, path: string, body?: unknown): Promise<unknown> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const answer = await fetch(`${url}/api/v1${path}`, {
    method,
    headers,
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const { data, error } = (await answer.json()) as { data?: unknown; error?: { message: string } };
  if (error) throw new Error(`${method} ${path}: ${error.message}`);
  return data;
}

const SITE = '/sites/example.com';
await ask('PATCH', SITE, { shared: true, weekly_report: true, monthly_report: true, alert_silence: true });
await ask('POST', `${SITE}/goals`, { type: 'event', value: 'signup' });
await ask('POST', `${SITE}/goals`, { type: 'page', value: '/p1' });
await ask('PATCH', SITE, { main_goal_id: 1 });
const steps = [
  { type: 'page', value: '/p0' },
  { type: 'event', value: 'signup' },
];
await ask('POST', `${SITE}/funnels`, { name: 'To the end', steps });
await ask('POST', `${SITE}/notes`, { date: '2026-01-20', text: 'a note with "quotes" and ü' });
await ask('POST', `${SITE}/embeds`, { origin: 'https://blog.example' });
await ask('POST', '/team', { email: 'cid@example.com', role: 'viewer' });
const agent = 'Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)';
await ask('POST', `${SITE}/crawls`, Array(3).fill({ url: 'https://example.com/p0', agent }));
for (let i = 0; i < 10; i++) {
  const headers = { 'user-agent': FIREFOX, 'accept-language': 'de', 'x-forwarded-for': `203.0.113.${i}` };
  const body = JSON.stringify({ site: 'example.com', url: `https://example.com/p${i % 3}` });
  await fetch(`${url}/day`, { method: 'POST', headers, body });
}

const today = new Date().toISOString().slice(0, 10);
const RANGES = [`${today}~${today}`, '2026-01-01~2026-01-31', '2026-01-10~2026-02-20', '2025-12-01~2026-03-31'];
const REPORTS = ['overview?', 'timeseries?', 'goals?', 'funnels/1?', 'bots?', 'assistants?', 'drops?'];
const BREAKDOWNS = ['pages', 'entry_pages', 'exit_pages', 'referrers', 'utm_source', 'utm_campaign', 'countries'];
const MORE = ['devices', 'browsers', 'operating_systems', 'events'];
const FIGURES = [
  'overview?metrics=time_on_page&',
  'breakdown/pages?metrics=visits,pageviews,time_on_page&',
  'breakdown/countries?metrics=visits,pageviews,bounce_rate,visit_duration&',
];
const FILTERED = [
  'overview?filters[country]=DE&',
  'timeseries?filters[page]=/p1&',
  'breakdown/referrers?filters[goal]=1&',
  'breakdown/event_labels?event=signup&',
];
const reports = [...REPORTS, ...[...BREAKDOWNS, ...MORE].map((name) => `breakdown/${name}?`), ...FIGURES, ...FILTERED];
const paths = [
  ...['/sites', SITE, '/team', ...['goals', 'funnels', 'notes', 'embeds'].map((noun) => `${SITE}/${noun}`)],
  ...reports.flatMap((report) => RANGES.map((range) => `${SITE}/stats/${report}range=${range}`)),
];
const answers: Record<string, unknown> = {};
for (const path of paths) answers[path] = await ask('GET', path);
server.kill();
await once(server, 'exit');

const version = RELEASED.length + 1;
const place = (name: string) => join(import.meta.dirname, name);
writeFileSync(place(`${version}.db.gz`), gzipSync(readFileSync(db), { level: 9 }));
writeFileSync(place(`${version}.json`), `${JSON.stringify({ token, answers }, undefined, 2)}\n`);
rmSync(folder, { recursive: true });
console.log(`${version}.db.gz, with ${paths.length} answers`);
