// Compares statements in SQL with the same tables from the API: `npm run bench:sql`. The tables are those of `npm run
// bench`, over a year of ten million hits. Each answer of `POST /sql` must have the visitors of the API's answer.
//
// `--hits 1000000` takes fewer hits. `--folder F` keeps the filled file in F, and uses it again. `--load` first measures
// how long hits take while two people run these statements, and statements that take too long or too much memory.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { program } from './open-day/server.ts';
import { measureHits } from './sql-load.ts';
import { daybook } from './stats/daybook.ts';
import { prepare } from './stats/prepare.ts';
import { nameOf, QUESTIONS } from './stats/questions.ts';
import { median, ms, show } from './stats/table.ts';
import { SITE } from './stats/traffic.ts';

const { values } = parseArgs({
  options: {
    hits: { type: 'string', default: '10000000' },
    runs: { type: 'string', default: '9' },
    folder: { type: 'string' },
    load: { type: 'boolean', default: false },
    markdown: { type: 'boolean', default: false },
  },
});
const WARM_UPS = 2;

const VISITORS = "count(DISTINCT day || ' ' || visitor) AS visitors";
const OF_HITS = "count(DISTINCT day || ' ' || hits.visitor) AS visitors";
const MONTH = 'substr(day, 1, 7)';
const WEEK = "date(day, 'weekday 0', '-6 days')";
const BOUNCES = 'round(100.0 * sum(pageviews = 1 AND events = 0) / count(*), 1)';
const JOIN = 'hits JOIN visits USING (site, day, visit)';
const END = 'ORDER BY visitors DESC, 1, 2 LIMIT 10';

/** A statement for each table of QUESTIONS, in their order. The last columns are not compared. */
const STATEMENTS = [
  `SELECT channel, ${WEEK}, ${OF_HITS}, count(DISTINCT day || ' ' || visit), sum(revenue) FROM ${JOIN}
    WHERE NOT hits.excluded GROUP BY 1, 2 ${END}`,
  `SELECT country, browser, ${VISITORS} FROM visits WHERE NOT excluded GROUP BY 1, 2 ${END}`,
  `SELECT channel, country, ${MONTH}, ${VISITORS}, count(*), ${BOUNCES} FROM visits
    WHERE NOT excluded GROUP BY 1, 2, 3 ${END}`,
  `SELECT source, device, ${VISITORS}, sum(seconds) / count(*) FROM visits
    WHERE country = 'DE' AND NOT excluded GROUP BY 1, 2 ${END}`,
  `SELECT entry, source, ${VISITORS} FROM visits WHERE NOT excluded GROUP BY 1, 2 ${END}`,
  `SELECT country, day, ${VISITORS}, sum(pageviews) FROM visits WHERE NOT excluded GROUP BY 1, 2 ${END}`,
  `SELECT city, screen, ${VISITORS} FROM visits
    WHERE country = 'DE' AND (device = 'Mobile' OR browser = 'Firefox') AND NOT excluded GROUP BY 1, 2 ${END}`,
  `SELECT page, device, ${OF_HITS}, count(*), avg(nullif(engaged, 0)) FROM ${JOIN}
    WHERE event = '' AND NOT hits.excluded GROUP BY 1, 2 ${END}`,
  `SELECT page, country, ${OF_HITS} FROM ${JOIN}
    WHERE source = 'bing.com' AND event = '' AND NOT hits.excluded GROUP BY 1, 2 ${END}`,
  // In the API, this table has rows of hits without the property too.
  `SELECT value, country, ${VISITORS} FROM properties p JOIN visits USING (site, day, visit)
    WHERE name = 'plan' AND NOT p.excluded GROUP BY 1, 2 ${END}`,
  `SELECT event, channel, ${MONTH}, ${OF_HITS} FROM ${JOIN} WHERE NOT hits.excluded GROUP BY 1, 2, 3 ${END}`,
  `SELECT hostname, language, ${OF_HITS}, count(*) FROM ${JOIN}
    WHERE page LIKE '/guide/%' AND event = '' AND NOT hits.excluded GROUP BY 1, 2 ${END}`,
];

type Table = { data: { rows: { by: string[]; metrics: { visitors: number } }[] } };
type Answer = { data: { columns: string[]; rows: number[][] } };

const folder = values.folder ?? mkdtempSync(join(tmpdir(), 'daybook-bench-'));
const db = join(folder, 'daybook.db');
const command = (...args: string[]): string =>
  execFileSync(process.execPath, [program, ...args, '--db', db], { encoding: 'utf8', stdio: 'pipe' }).trim();

async function time<Result>(work: () => Promise<Result>): Promise<{ taken: number; result: Result }> {
  const times: number[] = [];
  for (;;) {
    const begin = performance.now();
    const result = await work();
    times.push(performance.now() - begin);
    if (times.length === WARM_UPS + Number(values.runs)) return { taken: median(times.slice(WARM_UPS)), result };
  }
}

try {
  mkdirSync(folder, { recursive: true });
  const product = daybook(folder);
  const { year } = await prepare(folder, Number(values.hits), product, []);
  const range = `${year.from}~${year.to}`;
  const owner = 'owner@example.com';
  const token = command('token', 'add', owner, '--name', 'sql', '--abilities', 'read,write');
  const server = await product.serve([
    '--sql',
    ...(values.load ? ['--flood', '0', '--trusted-proxies', '127.0.0.1'] : []),
  ]);
  const ask = async (sql: string): Promise<Answer> => {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    const body = JSON.stringify({ sql, site: SITE, range });
    const answer = await fetch(`${server.url}/api/v1/sql`, { method: 'POST', headers, body });
    if (!answer.ok) throw new Error(await answer.text());
    return (await answer.json()) as Answer;
  };
  if (values.load) console.log(await measureHits(server.url, STATEMENTS, ask));
  const rows: string[][] = [];
  for (const [i, question] of QUESTIONS.filter(({ report }) => report === 'table').entries()) {
    const table = await time(() => server.ask(question, range, 10));
    const statement = await time(() => ask(STATEMENTS[i] as string));
    if (!question.by?.includes('plan')) {
      const expected = (table.result as Table).data.rows.map(({ metrics }) => metrics.visitors);
      const place = statement.result.data.columns.indexOf('visitors');
      assert.deepEqual(
        statement.result.data.rows.map((row) => row[place]),
        expected,
      );
    }
    rows.push([nameOf(question), ms(table.taken), ms(statement.taken), (statement.taken / table.taken).toFixed(1)]);
  }
  await server.close();
  command('token', 'revoke', owner, token.slice(0, token.indexOf('|')));
  show(['ms in the median', 'API', 'POST /sql', 'times'], rows, values.markdown);
} finally {
  if (values.folder === undefined) rmSync(folder, { recursive: true, force: true });
}
