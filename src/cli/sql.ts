// The command `daybook sql` answers an SQL statement about visits, hits, crawls and days.
//
// The statement reads a database in memory, never the database file. If a statement takes too long or too much memory,
// the whole process ends. For this reason, the server runs this command for `POST /api/v1/sql`, and waits for its
// output (api/sql.ts).
//
// Example: daybook sql "SELECT country, count(*) FROM visits GROUP BY country" --range 30d

import { RangeName, readRange } from '../api/query.ts';
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
import { type Command, type Invocation, now, validated, withReader } from './command.ts';
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

async function answer(invocation: Invocation): Promise<void> {
  const { args, flags, config, io } = invocation;
  const print = FORMATS[flags.format ?? 'table'];
  if (!print) throw new Refusal(`--format takes ${Object.keys(FORMATS).join(', ')}, not "${flags.format}"`, USAGE);
  const [rows, seconds, memory] = (['rows', 'seconds', 'memory'] as const).map((name) => readNumber(flags, name));
  const typed = args[0] ?? (await io.readInput());
  // The sandbox needs a newer version of Node than other commands do. Its code is loaded only here, so that other
  // commands also run on an older Node.
  const { runStatement } = await import('../sql/run.ts');
  const stopWatchdog = await startWatchdog({
    seconds: seconds as number,
    megabytes: memory as number,
    tooSlow: `daybook: the statement took longer than ${seconds} s. Read less: choose one site and fewer days`,
    tooLarge: `daybook: the statement took more than ${memory} MB. Read less: choose one site and fewer days`,
  });
  try {
    // The watchdog was started before this line, so it keeps the normal priority. It can then end a statement that
    // takes too long, even on a busy machine.
    lowerPriority(PRIORITY_BELOW_NORMAL);
    await withReader(config, async ({ queries }, db) => {
      const limits = { rows: rows as number, bytes: (memory as number) * 1024 * 1024 * SHARE_OF_ROWS };
      const found = await runStatement(queries, listSites(db, flags), typed, limits);
      print(found, invocation);
      if (!found.complete) io.explain(`these are the first ${found.rows.length} rows. To see more, use --rows`);
    });
  } finally {
    await stopWatchdog();
  }
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
    },
    run: answer,
  },
];
