// Makes the SQL for the tables of a ClickHouse server, and for columns that tables of an older daybook lack.
//
// Invariant: on all servers, a table has the same columns in the same order. Two servers are compared by a hash of all
// columns, so another order would make them seem different.
//
// Example: a new version of daybook stores the language of a visit. At its first start, the primary adds the column
// `language` to the tables `activity`, `brought` and `visit`. Older rows have an empty text there. connect.ts and
// query/visits.ts use this file. Test: test/cluster/servers/tables.test.ts.
import { HIT_TEXT_FIELDS, TEXT_FIELDS, VISIT_TEXT_FIELDS } from '../../stats/dimensions.ts';

/** The type of each column, in the order of the table. */
type Columns = Readonly<Record<string, string>>;

/** Texts whose values repeat. ClickHouse stores them as indexes into a dictionary. */
const LOW = 'LowCardinality(String)';

const typeAll = <Name extends string>(names: readonly Name[], type: string) =>
  Object.fromEntries(names.map((name) => [name, type])) as Record<Name, string>;

const ACTIVITY: Columns = {
  ...{ site: 'UInt32', day: 'UInt16', import: 'UInt32', second: 'Int32', seq: 'UInt64', visitor: 'UInt64' },
  ...{ engaged: 'UInt32', scroll: 'UInt8', vitals: 'UInt64' },
  ...typeAll(TEXT_FIELDS, LOW),
  ...{ page: 'String', label: 'String', properties: 'String', revenue: 'String' },
};

/** Tells whether a column of `activity` has texts that ClickHouse stores as numbers. */
export const isLow = (column: string): boolean => ACTIVITY[column] === LOW;

const HIT_LISTS = HIT_TEXT_FIELDS.map((name) => `h_${name}` as const);

/**
 * Columns of the table `visit`, with their types. Columns that begin with `h_` have a list with one value for each hit.
 */
export const VISIT_TYPES = {
  ...{ start: 'Int32', seconds: 'UInt32', pageviews: 'UInt32', events: 'UInt32' },
  ...typeAll(VISIT_TEXT_FIELDS, LOW),
  ...{ entry: LOW, exit: LOW, h_second: 'Array(Int32)' },
  ...typeAll(HIT_LISTS, `Array(${LOW})`),
  ...typeAll(['h_label', 'h_properties', 'h_revenue'], 'Array(String)'),
  ...{ h_seen: 'Array(UInt32)', h_scroll: 'Array(UInt8)', h_vitals: 'Array(UInt64)' },
};

const VISIT: Columns = { site: 'UInt32', day: 'UInt16', slice: 'UInt32', visitor: 'UInt32', ...VISIT_TYPES };

const MARK: Columns = {
  ...{ installation: 'String', beat: 'UInt64', site: 'UInt32', day: 'UInt32', shards: 'UInt16' },
  ...{ place: 'String', retired: 'UInt64' },
};

const writeColumns = (columns: Columns): string =>
  Object.entries(columns)
    .map((column) => column.join(' '))
    .join(', ');

/**
 * With these settings ClickHouse syncs inserted rows to disk before it answers. When ClickHouse merges files, the
 * merged file is synced before the original files are deleted. The outbox deletes hits that a server has accepted. So a
 * power cut would otherwise lose hits (test/cluster/servers/tables.test.ts).
 */
const DURABLE = 'fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1';

/**
 * Makes SQL for a table of hits and heartbeats. These rows have visitor codes, and are deleted when their day is
 * sealed. With the last four settings, ClickHouse deletes the files of deleted rows within seconds. By default these
 * files stay for eight minutes or longer (test/cluster/traces.test.ts, "nothing that names a visitor …").
 */
const makeActivityTable = (name: string, partition: string): string => `CREATE TABLE IF NOT EXISTS ${name} (
    ${writeColumns(ACTIVITY)}
  ) ENGINE = MergeTree PARTITION BY ${partition} ORDER BY (day, site, visitor, second, seq)
  SETTINGS ${DURABLE}, non_replicated_deduplication_window = 10000, old_parts_lifetime = 1,
    cleanup_delay_period = 1, cleanup_delay_period_random_add = 1, max_cleanup_delay_period = 5`;

/**
 * The tables of each server.
 *
 * * `activity`: hits and heartbeats of open days. `engaged` is 0 for a hit, and the visible seconds plus one for a
 *   heartbeat. `scroll` is the depth that a heartbeat reported, in percent plus one. `vitals` has the packed web vitals
 *   of a heartbeat, or 0.
 * * `brought`: rows of past days during an import.
 * * `visit`: visits of sealed days. `slice` is the id of a sealed day in the database file.
 * * `tally`: rollups of sealed days.
 * * `crawled` and `dropped`: how often crawlers requested pages, and how many hits were dropped.
 *   `block` in `dropped` is the id of the block that dropped the hits, or 0.
 * * `mark`: the mark of the server (marks.ts).
 *
 * A partition of `visit` and `tally` is a year, because each partition makes a query a millisecond slower.
 */
export const TABLES = [
  makeActivityTable('activity', 'day'),
  makeActivityTable('brought', 'import'),
  `CREATE TABLE IF NOT EXISTS visit (
    ${writeColumns(VISIT)}
  ) ENGINE = MergeTree PARTITION BY intDiv(day, 365) ORDER BY (site, day, slice, visitor, start) SETTINGS ${DURABLE}`,
  `CREATE TABLE IF NOT EXISTS tally (
    site UInt32, day UInt16, slice UInt32, dimension LowCardinality(String), event LowCardinality(String),
    value LowCardinality(String), visitors UInt32, hits UInt32
  ) ENGINE = MergeTree PARTITION BY intDiv(day, 365) ORDER BY (site, dimension, day, slice, event, value)
  SETTINGS ${DURABLE}`,
  `CREATE TABLE IF NOT EXISTS crawled (site UInt32, day UInt16, crawler LowCardinality(String), page String, seq UInt64, requests UInt64)
  ENGINE = SummingMergeTree PARTITION BY intDiv(day, 365) PRIMARY KEY (site, day, crawler, page) ORDER BY (site, day, crawler, page, seq)
  SETTINGS ${DURABLE}, non_replicated_deduplication_window = 10000`,
  `CREATE TABLE IF NOT EXISTS dropped (site UInt32, day UInt16, reason LowCardinality(String), block UInt32, seq UInt64, hits UInt64)
  ENGINE = SummingMergeTree PARTITION BY intDiv(day, 365) PRIMARY KEY (site, day, reason) ORDER BY (site, day, reason, block, seq)
  SETTINGS ${DURABLE}, non_replicated_deduplication_window = 10000`,
  // A mark names the daybook installation of this server. A new mark with a higher `beat` replaces the old one.
  `CREATE TABLE IF NOT EXISTS mark (${writeColumns(MARK)})
  ENGINE = ReplacingMergeTree(beat) ORDER BY installation SETTINGS ${DURABLE}`,
];

/** The tables that may get more columns in a new version of daybook. */
const GROWING: Record<string, Columns> = { activity: ACTIVITY, brought: ACTIVITY, visit: VISIT, mark: MARK };

/** SQL that lists the columns of a server. An older daybook may have made its tables, with fewer columns. */
export const SELECT_COLUMNS = `SELECT table, name FROM system.columns WHERE database = currentDatabase()`;

/**
 * Makes SQL that adds the missing columns to the tables of a server, each at its position. In `visit`, columns that
 * begin with `h_` are lists with one value for each hit. Queries read several of these lists together, so all lists of
 * a visit must be equally long. Therefore a new list gets an empty value for each hit of an older visit.
 */
export function addMissingColumns(found: readonly { table: string; name: string }[]): string[] {
  return Object.entries(GROWING).flatMap(([table, columns]) => {
    const names = new Set(found.filter((one) => one.table === table).map(({ name }) => name));
    const all = Object.entries(columns);
    const added = all.flatMap(([name, type], i) => {
      const empty = type.includes('String') ? "''" : '0';
      const value = name.startsWith('h_') ? ` DEFAULT arrayWithConstant(length(h_second), ${empty})` : '';
      return names.has(name) ? [] : [`ADD COLUMN IF NOT EXISTS ${name} ${type}${value} AFTER ${all[i - 1]?.[0]}`];
    });
    return added.length === 0 ? [] : [`ALTER TABLE ${table} ${added.join(', ')}`];
  });
}
