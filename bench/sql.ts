// Compares statements in SQL with the reports of the API that give the same figures: `npm run bench:sql`. The file has a
// million hits on 30 sealed days. `-- 100000` takes fewer hits. A report reads columns and sums. A statement first copies
// its rows into a database in memory, in a process of its own, so it takes longer.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepare, today } from './open-day/prepare.ts';
import { program, start } from './open-day/server.ts';
import { show } from './stats/table.ts';

const HITS = Number(process.argv[2] ?? 1_000_000);
const DAYS = 30;
const RUNS = 3;
const SECONDS_IN_DAY = 86_400;

const VISITORS = "count(DISTINCT day || ' ' || visitor)";
/** A report, with a filter that makes it count visits as a statement does, and the statement. */
const QUESTIONS = [
  {
    path: 'stats/overview?range=30d&filters[country]=DE',
    sql: `SELECT ${VISITORS}, sum(pageviews) FROM visits WHERE country = 'DE' AND NOT excluded`,
  },
  {
    path: 'stats/breakdown/countries?range=30d&filters[device]=Desktop',
    sql: `SELECT country, ${VISITORS} FROM visits WHERE device = 'Desktop' AND NOT excluded GROUP BY 1 ORDER BY 2 DESC LIMIT 10`,
  },
  {
    path: 'stats/breakdown/pages?range=30d&filters[country]=DE',
    sql: `SELECT page, count(DISTINCT hits.day || ' ' || hits.visitor) FROM visits JOIN hits USING (site, day, visit)
      WHERE country = 'DE' AND event = '' AND NOT hits.excluded GROUP BY 1 ORDER BY 2 DESC LIMIT 10`,
  },
  {
    path: 'stats/timeseries?range=30d&filters[country]=DE',
    sql: `SELECT day, count(DISTINCT visitor) FROM visits WHERE country = 'DE' AND NOT excluded GROUP BY 1`,
  },
];

const folder = mkdtempSync(join(tmpdir(), 'daybook-bench-'));
const db = join(folder, 'daybook.db');
const daybook = (...args: string[]): string =>
  execFileSync(process.execPath, [program, ...args, '--db', db], { encoding: 'utf8', stdio: 'pipe' }).trim();

/** The fastest of some runs, in milliseconds. */
async function time(work: () => unknown): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    const begin = performance.now();
    await work();
    times.push(performance.now() - begin);
  }
  return Math.min(...times);
}

try {
  daybook('user', 'add', 'owner@example.com');
  daybook('site', 'add', 'owner@example.com', 'example.com');
  const token = daybook('token', 'add', 'owner@example.com', '--name', 'bench', '--abilities', 'read,write');
  const hits = Math.floor(HITS / DAYS);
  const days = Array.from({ length: DAYS }, (_, n) => today() - 1 - n);
  prepare(
    db,
    days.map((day) => ({ day, seconds: SECONDS_IN_DAY, hits, visitors: Math.floor(hits / 3) })),
  );
  daybook('seal');
  const server = await start(db);
  const headers = { Authorization: `Bearer ${token}` };
  const rows: string[][] = [];
  for (const { path, sql } of QUESTIONS) {
    const report = await time(async () => {
      const answer = await fetch(`${server.url}/api/v1/sites/1/${path}`, { headers });
      if (!answer.ok) throw new Error(await answer.text());
      await answer.text();
    });
    const statement = await time(() => daybook('sql', sql, '--range', '30d'));
    const times = statement / report;
    rows.push([path, `${report.toFixed(0)} ms`, `${statement.toFixed(0)} ms`, `${times.toFixed(0)} times`]);
  }
  await server.end();
  show(['report', 'API', 'daybook sql', ''], rows, process.argv.includes('--markdown'));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
