// Measures how long queries over all sites take: `npm run bench:all-sites`. The built server has 100 sites with two
// years of hits each, and answers one query after another. Some sources are on all sites, and each site has sources of
// its own. `-- 2000 30` takes fewer hits and sites.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ENVIRONMENT, NODE } from './shipped.ts';
import { median, ms, show } from './stats/table.ts';
import { type Hit, SITE, traffic, yearOf } from './stats/traffic.ts';

const [HITS = 20_000, SITES = 100] = process.argv.slice(2).map(Number);
const ROUNDS = 15;
const YEAR_MS = 365 * 86_400_000;
const QUESTIONS = [
  'overview?range=12m',
  'timeseries?range=12m',
  'timeseries?range=30d',
  'breakdown/sites?range=12m',
  'breakdown/referrers?range=12m',
  'breakdown/utm_campaign?range=12m',
  'breakdown/countries?range=12m',
  'breakdown/browsers?range=12m',
  'realtime',
  'overview?range=30d&filters[country]=DE',
  'breakdown/referrers?range=12m&filters[country]=DE',
];

const folder = process.env.BENCH_FOLDER ?? mkdtempSync(join(tmpdir(), 'daybook-bench-'));
const program = join(import.meta.dirname, '../dist/daybook.mjs');
const db = join(folder, 'daybook.db');
const daybook = (...args: string[]): string =>
  execFileSync(process.execPath, [program, ...args, '--db', db], { encoding: 'utf8', stdio: 'pipe' }).trim();

/** Makes the hits of a site. All sites have the same traffic, but nine of ten sources have other names on each site. */
function linesOf(site: number, hits: readonly Hit[]): string {
  const own = ({ url, referrer, ...hit }: Hit) => ({
    ...hit,
    url: url.replace(SITE, `site${site}.example`),
    ...(referrer && { referrer: referrer.replace(/site-(\d*[1-9])\.example/, `from-$1-to-${site}.example`) }),
  });
  return hits.map((hit) => `${JSON.stringify(own(hit))}\n`).join('');
}

function fill(): void {
  mkdirSync(folder, { recursive: true });
  daybook('user', 'add', 'owner@example.com');
  const years = [Date.now() - YEAR_MS, Date.now()].map((now) => [...traffic(yearOf(HITS, now))].flat());
  const file = join(folder, 'hits.ndjson');
  for (let site = 1; site <= SITES; site++) {
    daybook('site', 'add', 'owner@example.com', `site${site}.example`);
    writeFileSync(file, linesOf(site, years.flat()));
    daybook('import', `site${site}.example`, file, '--format', 'ndjson');
  }
  rmSync(file);
  daybook('seal');
}

if (!existsSync(db)) fill();
const token = daybook('token', 'add', 'owner@example.com', '--name', 'bench', '--abilities', 'read');
const [node, ...flags] = [...NODE, program, 'serve', '--db', db, '--port', '0', '--rate-limit', '0'];
const server = spawn(node, flags, { env: ENVIRONMENT, stdio: ['ignore', 'pipe', 'inherit'] });
try {
  const [line] = (await once(createInterface(server.stdout), 'line')) as [string];
  const url = line.replace('listening on ', '');

  async function ask(question: string): Promise<number> {
    const start = performance.now();
    const answer = await fetch(`${url}/api/v1/stats/${question}`, { headers: { Authorization: `Bearer ${token}` } });
    const text = await answer.text();
    if (!answer.ok) throw new Error(text);
    return performance.now() - start;
  }

  const rows: string[][] = [];
  for (const question of QUESTIONS) {
    const first = await ask(question);
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round++) times.push(await ask(question));
    rows.push([question, ms(first), ms(median(times)), ms(Math.max(...times))]);
  }
  show(
    [`${SITES} sites of ${HITS.toLocaleString('en')} hits a year`, 'first ms', 'median ms', 'worst ms'],
    rows,
    false,
  );
} finally {
  server.kill();
  await once(server, 'exit');
  if (process.env.BENCH_FOLDER === undefined) rmSync(folder, { recursive: true, force: true });
}
