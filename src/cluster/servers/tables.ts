import { VISIT_TEXT_FIELDS } from '../../stats/dimensions.ts';

const TEXT_COLUMNS = VISIT_TEXT_FIELDS.map((name) => `${name} LowCardinality(String)`).join(', ');

/**
 * With these settings ClickHouse syncs new files to disk before it deletes the files that they replace. Otherwise a
 * power failure could lose hits. daybook deletes hits from its outbox when a server has accepted them
 * (test/cluster/servers/tables.test.ts).
 */
const DURABLE = 'fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1';

/**
 * Makes SQL for a table of received rows. When the rows of a partition are sealed, the partition is deleted. The last
 * four settings make ClickHouse delete files with visitor codes within seconds. By default that takes half a minute
 * to five minutes (test/cluster/traces.test.ts, "nothing that names a visitor …").
 */
const makeActivityTable = (name: string, partition: string): string => `CREATE TABLE IF NOT EXISTS ${name} (
    site UInt32, day UInt16, import UInt32, second Int32, seq UInt64, visitor UInt64, engaged UInt32,
    page String, event LowCardinality(String), label String, ${TEXT_COLUMNS}
  ) ENGINE = MergeTree PARTITION BY ${partition} ORDER BY (day, site, visitor, second, seq)
  SETTINGS ${DURABLE}, non_replicated_deduplication_window = 10000, old_parts_lifetime = 1,
    cleanup_delay_period = 1, cleanup_delay_period_random_add = 1, max_cleanup_delay_period = 5`;

/**
 * The tables of a shard. `activity` has the hits and heartbeats of open days, and `brought` the rows of past days
 * during an import. In the row of a hit, `engaged` is 0. In the row of a heartbeat, `engaged` is the number of seconds
 * plus one. `visit` has the visits of sealed days. `slice` is the id of the sealed day in the database file. `tally`
 * has rollups. In `visit` and `tally` a partition is a year, because few files are faster: each file makes a query a
 * millisecond slower.
 */
export const TABLES = [
  makeActivityTable('activity', 'day'),
  makeActivityTable('brought', 'import'),
  `CREATE TABLE IF NOT EXISTS visit (
    site UInt32, day UInt16, slice UInt32, visitor UInt32, start Int32, seconds UInt32, pageviews UInt32, events UInt32,
    ${TEXT_COLUMNS}, entry LowCardinality(String), exit LowCardinality(String), h_second Array(Int32),
    h_page Array(LowCardinality(String)), h_event Array(LowCardinality(String)), h_label Array(String), h_seen Array(UInt32)
  ) ENGINE = MergeTree PARTITION BY intDiv(day, 365) ORDER BY (site, day, slice, visitor, start) SETTINGS ${DURABLE}`,
  `CREATE TABLE IF NOT EXISTS tally (
    site UInt32, day UInt16, slice UInt32, dimension LowCardinality(String), event LowCardinality(String),
    value LowCardinality(String), visitors UInt32, hits UInt32
  ) ENGINE = MergeTree PARTITION BY intDiv(day, 365) ORDER BY (site, dimension, day, slice, event, value)
  SETTINGS ${DURABLE}`,
  `CREATE TABLE IF NOT EXISTS crawled (site UInt32, day UInt16, crawler LowCardinality(String), page String, seq UInt64, requests UInt64)
  ENGINE = SummingMergeTree PARTITION BY intDiv(day, 365) PRIMARY KEY (site, day, crawler, page) ORDER BY (site, day, crawler, page, seq)
  SETTINGS ${DURABLE}, non_replicated_deduplication_window = 10000`,
  `CREATE TABLE IF NOT EXISTS dropped (site UInt32, day UInt16, reason LowCardinality(String), seq UInt64, hits UInt64)
  ENGINE = SummingMergeTree PARTITION BY intDiv(day, 365) PRIMARY KEY (site, day, reason) ORDER BY (site, day, reason, seq)
  SETTINGS ${DURABLE}, non_replicated_deduplication_window = 10000`,
  // For each installation, ClickHouse keeps only the row with the highest beat.
  `CREATE TABLE IF NOT EXISTS mark (installation String, beat UInt64, site UInt32, day UInt32)
  ENGINE = ReplacingMergeTree(beat) ORDER BY installation SETTINGS ${DURABLE}`,
];
