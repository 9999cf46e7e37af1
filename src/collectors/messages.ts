// The messages between a collector and the primary server. Each second a collector sends a report. The answer has the
// time and, if they changed, the settings.
//
// Invariant: each side checks a message with these schemas before using it. Numbers are safe integers, and each list
// has a maximum length.
//
// Example: a collector reports which rows each server has, and that it received 300 hits of site 7 in November. The
// answer is { number: 3, now: …, least: …, tag: … }. The answer has no settings, because the tag in the report shows
// that the collector has the newest.
//
// mount.ts uses the schemas on the primary server, and primary.ts uses them on a collector.
import * as v from 'valibot';
import { isAddress } from '../cluster/servers/address.ts';
import { findLowestNumber } from '../cluster/servers/row-numbers.ts';
import { REASONS, type Reason } from '../collect/outcome.ts';
import { Count, MOST_COLLECTORS, Moment, Status, Text } from '../store/cluster/collectors.ts';
import { findRowFault, MIRRORED_TABLES, type Mirrored } from '../store/cluster/copied-tables.ts';

/** The path to which collectors send reports. The number in the path grows when the messages change. */
export const PATH = '/collectors/2';

/** The maximum length of each list in a report. Further entries are sent with the next report. */
export const MOST_REPORTED = { taken: 1_000, outages: 100, seen: 1_000 } as const;

const Id = v.pipe(v.number(), v.safeInteger(), v.minValue(1));

/**
 * What a collector sends each second. The primary server uses only values that are possible (src/collectors/note.ts).
 */
export const CollectorReport = v.strictObject({
  status: Status,
  /** The random name of the collector's outbox file. */
  outbox: Text,
  /** How many hits the outbox has ever received, by site and month. */
  taken: v.pipe(
    v.array(
      v.strictObject({ siteId: Id, month: v.pipe(v.string(), v.regex(/^\d{4}-(?:0[1-9]|1[0-2])$/)), hits: Count }),
    ),
    v.maxLength(MOST_REPORTED.taken),
  ),
  /**
   * Times in which the collector did not run or refused hits. The collector deletes them when the answer has come.
   */
  outages: v.pipe(
    v.array(v.strictObject({ from: Moment, to: Moment, reason: v.picklist(['down', 'refused']) })),
    v.maxLength(MOST_REPORTED.outages),
  ),
  /**
   * For each site, the last request of a browser since the last report. `dropped` says why the request was not
   * counted, and is missing if it was counted.
   */
  seen: v.pipe(
    v.array(
      v.strictObject({
        siteId: Id,
        at: Moment,
        dropped: v.optional(v.picklist<readonly Reason[]>(REASONS)),
        host: Text,
      }),
    ),
    v.maxLength(MOST_REPORTED.seen),
  ),
  /** True if the collector was told to retire, and has nothing left to send or report. */
  isDrained: v.boolean(),
  /** A hash of the settings that the collector has. */
  tag: Text,
});
export type CollectorReport = v.InferOutput<typeof CollectorReport>;

const makeRowsSchema = (table: Mirrored) =>
  v.array(
    v.pipe(
      v.array(v.union([v.string(), v.number()])),
      v.rawCheck(({ dataset, addIssue }) => {
        const message = dataset.typed ? findRowFault(table, dataset.value) : undefined;
        if (message !== undefined) addIssue({ message });
      }),
    ),
  );

/**
 * The possible times, in milliseconds. A time outside of this range is wrong, and row numbers made from it would not
 * be unique.
 */
const [EARLIEST, LATEST] = [Date.UTC(2001), Date.UTC(2200)];

/** The settings that a collector needs: the URL of the cluster, and copies of some tables of the primary server. */
export const Settings = v.strictObject({
  engine: v.pipe(v.string(), v.check(isAddress, 'the engine is no URL of a cluster')),
  mirror: v.pipe(
    v.strictObject(
      Object.fromEntries(MIRRORED_TABLES.map((table) => [table, makeRowsSchema(table)])) as Record<
        Mirrored,
        ReturnType<typeof makeRowsSchema>
      >,
    ),
    v.check((mirror) => mirror.cluster_server.length > 0, 'there is no server of the cluster'),
  ),
});
export type Settings = v.InferOutput<typeof Settings>;

/** The answer of the primary server. `settings` is missing if the collector already has the newest settings. */
export const PrimaryAnswer = v.strictObject({
  number: v.pipe(Count, v.minValue(1), v.maxValue(MOST_COLLECTORS)),
  name: Text,
  /** The time of the primary server in milliseconds. */
  now: v.pipe(v.number(), v.minValue(EARLIEST), v.maxValue(LATEST)),
  /** A new outbox gives its rows numbers above `least`. No row of a sealed day has a higher number than `least`. */
  least: v.pipe(Count, v.maxValue(findLowestNumber(LATEST))),
  /** Whether the collector must send all its rows, and refuse new hits, before it is retired. */
  isRetiring: v.boolean(),
  tag: Text,
  settings: v.optional(Settings),
});
export type PrimaryAnswer = v.InferOutput<typeof PrimaryAnswer>;
