// Defines the messages between a collector and the primary. A collector sends a report each second. The response has
// the time, and also has the settings if they changed.
//
// Invariant: each side checks a message with these schemas before using it. Numbers have limits, and each list of a
// report has a maximum length.
//
// Example: a collector reports which rows each server has, and that it received 300 hits of site 7 in November. The
// response is { number: 3, now: …, tag: …, … }. The response has no settings, because the tag in the report shows that
// the collector has the newest ones. mount.ts uses the schemas on the primary, and primary.ts uses them on a collector.
import * as v from 'valibot';
import { isAddress } from '../cluster/servers/address.ts';
import { findLowestNumber } from '../cluster/servers/row-numbers.ts';
import { REASONS, type Reason } from '../collect/outcome.ts';
import { MOST_COLLECTORS } from '../store/cluster/collectors.ts';
import { findRowFault, MIRRORED_TABLES, type Mirrored } from '../store/cluster/copied-tables.ts';
import { Count, Moment, Status, Text } from '../store/cluster/sender-status.ts';

/**
 * The path to which collectors send reports. The number in the path grows when the messages change. In this way, a
 * collector of another version gets a clear 404, and not a response that it misunderstands.
 */
export const PATH = '/collectors/4';

/**
 * The maximum length of each of these lists in a collector's report. Further hits and outages go into the report of the
 * next second. Of `seen` and `tokens`, only the latest are reported.
 */
export const MOST_REPORTED = { taken: 1_000, outages: 100, seen: 1_000, tokens: 1_000 } as const;

const Id = v.pipe(v.number(), v.safeInteger(), v.minValue(1));

/**
 * The report that a collector sends each second. A thief with a stolen secret may send reports too. For this reason,
 * the primary uses only values that are possible (src/collectors/note.ts).
 */
export const CollectorReport = v.strictObject({
  status: Status,
  /** The random name of the collector's outbox. The name shows whether two outboxes are used with one secret. */
  outbox: Text,
  /**
   * The hits that the collector has received, by site and month. The numbers are totals and not additions, so a report
   * that is sent twice counts once.
   */
  taken: v.pipe(
    v.array(
      v.strictObject({ siteId: Id, month: v.pipe(v.string(), v.regex(/^\d{4}-(?:0[1-9]|1[0-2])$/)), hits: Count }),
    ),
    v.maxLength(MOST_REPORTED.taken),
  ),
  /**
   * Times in which the collector did not run or refused hits. The dashboard then says that hits of these times are
   * missing. The collector deletes these entries after the response.
   */
  outages: v.pipe(
    v.array(v.strictObject({ from: Moment, to: Moment, reason: v.picklist(['down', 'refused']) })),
    v.maxLength(MOST_REPORTED.outages),
  ),
  /**
   * For each site, the last request of a browser since the previous report. The dashboard shows this request to an
   * owner who waits for the first hit. `dropped` says why the request did not count, and is missing if the request
   * counted.
   */
  seen: v.pipe(
    v.array(
      v.strictObject({
        siteId: Id,
        at: Moment,
        dropped: v.optional(v.picklist<readonly Reason[]>(REASONS)),
        host: Text,
        /**
         * Present only if this request brought the first revenue of the site. The primary then sets this currency for
         * the site.
         */
        currency: v.optional(v.pipe(v.string(), v.regex(/^[A-Z]{3}$/))),
      }),
    ),
    v.maxLength(MOST_REPORTED.seen),
  ),
  /** The tokens that servers of websites have used since the previous report, with the time of the last use. */
  tokens: v.pipe(v.array(v.strictObject({ id: Id, at: Moment })), v.maxLength(MOST_REPORTED.tokens)),
  /**
   * True if the operator retires this collector, and the collector has sent all its hits. The collector can then be
   * removed without loss.
   */
  isDrained: v.boolean(),
  /** A hash of the settings that the collector has. The response repeats the settings only if this hash is old. */
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
 * The times that a response may have, in milliseconds. A time outside of 2001 to 2200 is an error of a clock. Such a
 * time would give rows wrong numbers, because row numbers are made from the time.
 */
const [EARLIEST, LATEST] = [Date.UTC(2001), Date.UTC(2200)];

/**
 * The settings that a collector gets from the primary. `engine` is the URL of the cluster. `mirror` has copies of some
 * tables, such as the sites and the salts.
 */
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

/** The response of the primary to a collector. `settings` is missing if the collector has the newest settings. */
export const PrimaryAnswer = v.strictObject({
  number: v.pipe(Count, v.minValue(1), v.maxValue(MOST_COLLECTORS)),
  name: Text,
  /** The time of the primary, in milliseconds. */
  now: v.pipe(v.number(), v.minValue(EARLIEST), v.maxValue(LATEST)),
  /**
   * The first row number of a new collector. After a day is sealed, its rows up to a certain number do not count, and
   * are deleted. A new row with a lower number would be lost.
   */
  least: v.pipe(Count, v.maxValue(findLowestNumber(LATEST))),
  /**
   * True if the operator retires this collector. The collector must then refuse new hits, and send all hits that it
   * has.
   */
  isRetiring: v.boolean(),
  tag: Text,
  settings: v.optional(Settings),
});
export type PrimaryAnswer = v.InferOutput<typeof PrimaryAnswer>;
