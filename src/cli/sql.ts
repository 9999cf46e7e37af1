// The command `daybook sql` answers an SQL statement about visits, hits, crawls and days.
//
// The statement reads a database in memory, never the database file. If a statement takes too long or too much memory,
// the whole process ends. For this reason, the server runs this command for `POST /api/v1/sql`, and waits for its
// output (sql/ask.ts). With --lines, the process answers one statement after another, and keeps columns in memory.
//
// Example: daybook sql "SELECT country, count(*) FROM visits GROUP BY country" --range 30d

import { RangeName, readRange } from '../api/query.ts';
import type { Engine } from '../engine/engine.ts';
import { writeCsvCell } from '../lib/csv.ts';
import { Refusal, USAGE } from '../lib/errors.ts';
import { lowerPriority, PRIORITY_BELOW_NORMAL } from '../lib/priority.ts';
import { findSiteDay } from '../lib/zone.ts';
import type { SqlSite } from '../sql/rows.ts';
import type { Answer } from '../sql/run.ts';
import type { Db } from '../store/db.ts';
import { listSiteDomains } from '../store/sites/sites.ts';
import { listSiteZones } from '../store/sites/zones.ts';
import { startWatchdog } from '../threads/watchdog.ts';
import { type Command, type Invocation, type Io, now, validated, withReader } from './command.ts';
import { existingSite } from './site.ts';
import { printTable } from './table.ts';

type Print = (answer: Answer, invocation: Invocation) => void;

const FORMATS: Record<string, Print> = {
  table: ({ columns, rows }, { io }) =>
    printTable(
      { flags: {}, io },
      columns,
      rows.map((row) => row.map(writeCell)),
    ),
  json: (answer, { io }) => io.print(JSON.stringify(answer)),
  csv({ columns, rows }, { io }) {
    for (const row of [columns, ...rows]) io.print(row.map((value) => writeCsvCell(value ?? '')).join(','));
  },
};

const writeCell = (value: string | number | null): string | number => value ?? 'NULL';

const DEFAULTS = { rows: 10_000, seconds: 60, memory: 512 };
const MOST = { rows: 1_000_000, seconds: 86_400, memory: 1_000_000 };

type Limits = Record<keyof typeof DEFAULTS, number>;

async function answer(invocation: Invocation): Promise<void> {
  const { args, flags, config, io } = invocation;
  const print = FORMATS[flags.format ?? 'table'];
  if (!print) throw new Refusal(`--format takes ${Object.keys(FORMATS).join(', ')}, not "${flags.format}"`, USAGE);
  const [rows, seconds, memory] = (['rows', 'seconds', 'memory'] as const).map((name) => readNumber(flags, name));
  const limits = { rows, seconds, memory } as Limits;
  if (flags.lines !== undefined) return await withReader(config, (engine, db) => answerLines(engine, db, limits, io));
  const typed = args[0] ?? (await io.readInput());
  const run = await guard(limits);
  await withReader(config, async ({ queries }, db) => {
    const found = await run(queries, listSites(db, flags), typed);
    print(found, invocation);
    if (!found.complete) io.explain(`these are the first ${found.rows.length} rows. To see more, use --rows`);
  }).finally(run.end);
}

/** A process that has grown by more than this number of bytes tells the server to end it. */
const MOST_GROWTH = 200_000_000;

/**
 * Answers a statement for each line of standard input. A line has the statement, the site and the range as JSON. The
 * answer is a line of JSON, and then a line that says whether the process may be kept.
 */
async function answerLines({ queries }: Engine, db: Db, limits: Limits, io: Io): Promise<void> {
  const before = process.memoryUsage.rss();
  for await (const line of io.readLines()) {
    const { sql, ...chosen } = JSON.parse(line);
    const run = await guard(limits);
    try {
      io.print(JSON.stringify(await run(queries, listSites(db, chosen), sql)));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      io.print(JSON.stringify({ refused: error.message }));
    } finally {
      await run.end();
    }
    io.print(process.memoryUsage.rss() - before > MOST_GROWTH ? 'end' : 'keep');
  }
}

/** Starts a watchdog. Returns a function that runs a statement. Calling `end` on this function ends the watchdog. */
async function guard({ rows, seconds, memory }: Limits) {
  // The sandbox needs a newer version of Node than other commands do. Its code is loaded only here, so that other
  // commands also run on an older Node.
  const { runStatement } = await import('../sql/run.ts');
  const end = await startWatchdog({
    seconds,
    megabytes: memory,
    tooSlow: `daybook: the statement took longer than ${seconds} s. Read less: choose one site and fewer days`,
    tooLarge: `daybook: the statement took more than ${memory} MB. Read less: choose one site and fewer days`,
  });
  // The watchdog was started before this line, so it keeps the normal priority. It can then end a statement that takes
  // too long, even on a busy machine.
  lowerPriority(PRIORITY_BELOW_NORMAL);
  const limits = { rows, bytes: memory * 1024 * 1024 * SHARE_OF_ROWS };
  const run = (queries: Engine['queries'], sites: readonly SqlSite[], typed: string): Promise<Answer> =>
    runStatement(queries, sites, typed, limits);
  return Object.assign(run, { end });
}

/** The share of the memory that result rows may take. The rest is for reading days and for sorting. */
const SHARE_OF_ROWS = 0.6;

function readNumber(flags: Invocation['flags'], name: keyof typeof DEFAULTS): number {
  const typed = flags[name] ?? String(DEFAULTS[name]);
  const number = Number(typed);
  if (/^\d+$/.test(typed) && number > 0 && number <= MOST[name]) return number;
  throw new Refusal(`--${name} takes a number from 1 to ${MOST[name]}, not "${typed}"`, USAGE);
}

/** Lists the sites that the statement may read. A range such as 30d depends on the present day of each site. */
function listSites(db: Db, { site, range }: Invocation['flags']): SqlSite[] {
  const chosen = site === undefined ? undefined : existingSite(db, site).id;
  const checked = range === undefined ? undefined : validated(RangeName, '--range', range);
  const zones = new Map(listSiteZones(db).map(({ siteId, ...zone }) => [siteId, zone]));
  return listSiteDomains(db)
    .filter(({ id }) => chosen === undefined || id === chosen)
    .map(({ id, domain }) => {
      const zone = zones.get(id);
      const days = checked === undefined || !zone ? undefined : readRange(checked, findSiteDay(zone, now()));
      return { id, domain, range: days };
    });
}

const describe = (name: keyof typeof DEFAULTS, help: string) => ({
  value: 'N',
  help: `${help} (default: ${DEFAULTS[name]})`,
});

export const sqlCommands: Command[] = [
  {
    name: 'sql',
    args: ['[STATEMENT]'],
    summary:
      'Answer an SQL statement, from standard input if there is no STATEMENT. Tables: visits, hits, properties, crawls, drops, days',
    settings: ['db', 'engine'],
    flags: {
      format: { value: 'NAME', help: `${Object.keys(FORMATS).join(', ')} (default: table)` },
      site: { value: 'DOMAIN', help: 'read only this site' },
      range: {
        value: 'RANGE',
        help: 'read only these days: 7d, 30d, month, last-month, year or 2026-01-01~2026-01-31',
      },
      rows: describe('rows', 'how many rows to print at most'),
      seconds: describe('seconds', 'how long the statement may take'),
      memory: describe('memory', 'how many megabytes the statement may take'),
      lines: {
        help: 'answer each line of standard input. A line is JSON, such as {"sql": "SELECT 1", "range": "30d"}',
      },
    },
    run: answer,
  },
];
