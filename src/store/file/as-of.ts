// Opens the database file as it was for a site at a moment in the past. For some tables, there are SQL views with the
// same names in SQLite's temporary schema. SQLite looks for a name in that schema first. Therefore the program's
// queries read the past, although their SQL is the usual one.
//
// Invariant: a view hides all effects of later changes of the site, and has the rows that these changes replaced. Other
// sites are not rolled back. All other queries use connections without these views, and have no additional work.
//
// Example: change 20 added exclusion 4, and change 31 removed it. On 5 May, only change 20 had happened. Therefore the
// view `exclusion` has the row of exclusion 4 from the table `former_exclusion`.
//
// A removed import or a deleted hit cannot be shown again. catalog/lost-days.ts finds out if an answer needs one. Test:
// test/stats/as-of.test.ts.

import Database from 'better-sqlite3';
import { makeDb } from '../db.ts';
import { type Opened, READER_PRAGMAS } from './open-file.ts';

/**
 * The past moment at which queries see a site. Days after `day` are hidden. A change counts if it was made before the
 * time `at`, and if its number is at most `lastChange`. On a cluster, the hits of an unsealed day count only if they
 * arrived before the time `arrivedBefore`.
 */
export type PastMoment = { siteId: number; day: number; at: number; lastChange: number; arrivedBefore: number };

/** Opens the file for reading, as it was at a moment. The caller must close it. */
export function openAsOf(path: string, { siteId, day, at, lastChange }: PastMoment): Opened {
  const file = new Database(path, { readonly: true, fileMustExist: true });
  for (const pragma of READER_PRAGMAS) file.pragma(pragma);
  // The views read temporary tables. The temporary tables are written now, because later the connection may only read.
  file.pragma('query_only = OFF');
  file.exec(`CREATE TEMP TABLE moment (site_id INTEGER NOT NULL, day INTEGER NOT NULL, at INTEGER NOT NULL,
      last_change INTEGER NOT NULL);
    CREATE TEMP TABLE untouched (day INTEGER PRIMARY KEY)`);
  file
    .prepare('INSERT INTO moment (site_id, day, at, last_change) VALUES (?, ?, ?, ?)')
    .run(siteId, day, at, lastChange);
  // The plus in `+site_id` stops SQLite from using the index of all changes, which is long. Instead, SQLite uses the
  // short index of the changes with the state `due`.
  file
    .prepare(
      `INSERT INTO untouched (day) SELECT DISTINCT from_day FROM change
       WHERE +site_id = ? AND state = 'due' AND reason = 'late_hits' AND ${isLater('change.id')}`,
    )
    .run(siteId);
  views ??= Object.entries(PAST).map(([table, past]) => writeView(file, table, past));
  file.exec(views.join(';'));
  file.pragma('query_only = ON');
  const db = makeDb(file);
  return { db, path, close: db.close };
}

const LAST_DAY = '(SELECT day FROM temp.moment)';
const AT = '(SELECT at FROM temp.moment)';
/**
 * Writes SQL that is true if a change has not happened yet. The number 0 stands for no change. Each change is looked up
 * by its number, because the journal of a site may be long.
 */
const isLater = (change: string): string =>
  `(${change} <> 0 AND NOT EXISTS (SELECT 1 FROM main.change c JOIN temp.moment m USING (site_id)
    WHERE c.id = ${change} AND c.at < m.at AND c.id <= m.last_change))`;

/**
 * How a table was in the past. `where` is the condition for the rows that the table had then. `columns` has SQL for the
 * columns whose values may have been different. `former` is a table with the rows that were replaced or removed since.
 * `former.where` is the condition for the rows of this table that were still valid at that moment.
 */
type Past = { columns?: Record<string, string>; where?: string; former?: { table: string; where: string } };

const EARLIEST_SETTING = `FROM main.former_setting f WHERE f.site_id = site.id AND ${isLater('f.replaced_by')}
  ORDER BY f.replaced_by LIMIT 1`;
const formerly = (name: string): string =>
  `CASE WHEN EXISTS (SELECT 1 ${EARLIEST_SETTING}) THEN (SELECT f.${name} ${EARLIEST_SETTING}) ELSE ${name} END`;

/**
 * A condition for the rows of open days that count at the past moment. Days that began later do not count. `untouched`
 * lists days that got late hits after that moment. The rows of these days do not count either.
 */
const IS_OPEN = `day <= ${LAST_DAY} AND day NOT IN (SELECT day FROM temp.untouched)`;

/** The tables that answers depend on, as they were in the past. */
const PAST: Record<string, Past> = {
  sealed_day: {
    columns: {
      state: `CASE WHEN state NOT IN ('shown', 'reopened') THEN state
        WHEN day > ${LAST_DAY} OR ${isLater('since')} THEN 'staged'
        WHEN state = 'reopened' AND ${isLater('reopened_by')} THEN 'shown' ELSE state END`,
    },
  },
  hit: { where: IS_OPEN },
  open_shard: { where: IS_OPEN },
  import: { columns: { state: `CASE WHEN state = 'shown' AND shown_at >= ${AT} THEN 'staged' ELSE state END` } },
  exclusion: {
    where: `NOT ${isLater('added_by')}`,
    former: { table: 'former_exclusion', where: `NOT ${isLater('added_by')} AND ${isLater('removed_by')}` },
  },
  goal: {
    where: `NOT ${isLater('changed_by')}`,
    former: { table: 'former_goal', where: `NOT ${isLater('changed_by')} AND ${isLater('replaced_by')}` },
  },
  site: {
    columns: {
      main_goal_id: formerly('main_goal_id'),
      page_parameters: formerly('page_parameters'),
      currency: formerly('currency'),
      time_zone: `coalesce((SELECT z.time_zone FROM main.zone_change z
        WHERE z.site_id = site.id AND z.at >= ${AT} ORDER BY z.at LIMIT 1), time_zone)`,
    },
  },
  zone_change: { where: `at < ${AT}` },
  outage: { where: `from_at < ${AT}` },
};

/**
 * The SQL of the views. The SQL is written once, because all files that this program has opened have the same columns.
 */
let views: string[] | undefined;

function writeView(file: Database.Database, table: string, { columns = {}, where = '1', former }: Past): string {
  const names = (file.pragma(`main.table_info(${table})`) as { name: string }[]).map(({ name }) => name);
  const own = names.map((name) => (columns[name] ? `${columns[name]} AS ${name}` : name)).join(', ');
  const more = former ? ` UNION ALL SELECT ${names.join(', ')} FROM main.${former.table} WHERE ${former.where}` : '';
  return `CREATE TEMP VIEW ${table} AS SELECT ${own} FROM main.${table} WHERE ${where}${more}`;
}
