import { VISIT_TEXT_FIELDS } from '../../stats/dimensions.ts';

const ofVisits = VISIT_TEXT_FIELDS.map((name) => `${name} LowCardinality(String)`).join(', ');

/**
 * What a table has, and what its parts become when ClickHouse merges or changes them, is on the disk before the parts that were there go:
 * senders forget a hit when it is taken, and rows of a day when it is sealed. Test: test/cluster/servers/tables.test.ts.
 */
const DURABLE = 'fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1';

/**
 * Of activities. A partition goes as a whole when what is in it is sealed, and its files, which have visitor codes, some seconds
 * later: without the last settings ClickHouse looks for such files every half a minute at first, and every five minutes where it
 * found none for a while (test/cluster/traces.test.ts, "nothing that names a visitor …").
 */
const activities = (name: string, partition: string): string => `CREATE TABLE IF NOT EXISTS ${name} (
    site UInt32, day UInt16, import UInt32, second Int32, seq UInt64, visitor UInt64, engaged UInt32,
    page String, event LowCardinality(String), label String, ${ofVisits}
  ) ENGINE = MergeTree PARTITION BY ${partition} ORDER BY (day, site, visitor, second, seq)
  SETTINGS ${DURABLE}, non_replicated_deduplication_window = 10000, old_parts_lifetime = 1,
    cleanup_delay_period = 1, cleanup_delay_period_random_add = 1, max_cleanup_delay_period = 5`;

/**
 * The tables of one shard. `activity` has what came to open days, in the order of `seq`: hits, and with `engaged` signs of life,
 * whose seconds are one less; `brought` the same of past days while they are imported. `visit` has sealed days, each under the id of
 * its row in the catalog of the primary; each part of a table costs a question a millisecond, so that a year is one partition.
 */
export const TABLES = [
  activities('activity', 'day'),
  activities('brought', 'import'),
  `CREATE TABLE IF NOT EXISTS visit (
    site UInt32, day UInt16, part UInt32, visitor UInt32, start Int32, seconds UInt32, pageviews UInt32, events UInt32,
    ${ofVisits}, entry LowCardinality(String), exit LowCardinality(String), h_second Array(Int32),
    h_page Array(LowCardinality(String)), h_event Array(LowCardinality(String)), h_label Array(String), h_seen Array(UInt32)
  ) ENGINE = MergeTree PARTITION BY intDiv(day, 365) ORDER BY (site, day, part, visitor, start) SETTINGS ${DURABLE}`,
  `CREATE TABLE IF NOT EXISTS tally (
    site UInt32, day UInt16, part UInt32, dimension LowCardinality(String), event LowCardinality(String),
    value LowCardinality(String), visitors UInt32, hits UInt32
  ) ENGINE = MergeTree PARTITION BY intDiv(day, 365) ORDER BY (site, dimension, day, part, event, value)
  SETTINGS ${DURABLE}`,
  `CREATE TABLE IF NOT EXISTS crawled (site UInt32, day UInt16, crawler LowCardinality(String), page String, seq UInt64, requests UInt64)
  ENGINE = SummingMergeTree PARTITION BY intDiv(day, 365) PRIMARY KEY (site, day, crawler, page) ORDER BY (site, day, crawler, page, seq)
  SETTINGS ${DURABLE}, non_replicated_deduplication_window = 10000`,
  `CREATE TABLE IF NOT EXISTS dropped (site UInt32, day UInt16, reason LowCardinality(String), seq UInt64, hits UInt64)
  ENGINE = SummingMergeTree PARTITION BY intDiv(day, 365) PRIMARY KEY (site, day, reason) ORDER BY (site, day, reason, seq)
  SETTINGS ${DURABLE}, non_replicated_deduplication_window = 10000`,
  // One row for each installation is left when its parts are merged.
  `CREATE TABLE IF NOT EXISTS mark (installation String, beat UInt64, site UInt32, day UInt32)
  ENGINE = ReplacingMergeTree(beat) ORDER BY installation SETTINGS ${DURABLE}`,
];
