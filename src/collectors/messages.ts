// The messages between a collector and its primary. Each second a collector sends a report, and the primary answers with the
// time and, if they changed, the settings.
//
// Invariant: both sides check what they hear against these schemas before they use it. A number stays a safe integer, and each
// list has a bound.
//
// Example: a collector reports its progress with each server and that it took 300 hits of site 7 in November. The answer is {
// number: 3, now: …, least: …, tag: … }, without settings, because the tag of the report was the newest.
//
// Called by mount.ts at the primary and by primary.ts at a collector.
import * as v from 'valibot';
import { isAddress } from '../cluster/servers/address.ts';
import { findLowestNumber } from '../cluster/servers/row-numbers.ts';
import { REASONS, type Reason } from '../collect/outcome.ts';
import { Count, MOST_COLLECTORS, Moment, Status, Text } from '../store/cluster/collectors.ts';
import { findRowFault, MIRRORED_TABLES, type Mirrored } from '../store/cluster/copied-tables.ts';

/** The path for collectors. Its number grows when the messages change. */
export const PATH = '/collectors/2';

/** The most entries of each list in a report. The rest is in the next report. */
export const MOST_REPORTED = { taken: 1_000, outages: 100, seen: 1_000 } as const;

const Id = v.pipe(v.number(), v.safeInteger(), v.minValue(1));

/** What a collector sends each second. The primary believes only what is plausible (src/collectors/note.ts). */
export const CollectorReport = v.strictObject({
  status: Status,
  /** The name of its outbox. */
  outbox: Text,
  /** How many hits the outbox has taken in all, by site and month. */
  taken: v.pipe(
    v.array(
      v.strictObject({ siteId: Id, month: v.pipe(v.string(), v.regex(/^\d{4}-(?:0[1-9]|1[0-2])$/)), hits: Count }),
    ),
    v.maxLength(MOST_REPORTED.taken),
  ),
  /** Times in which the collector refused hits. After the answer the collector forgets them. */
  outages: v.pipe(
    v.array(v.strictObject({ from: Moment, to: Moment, reason: v.picklist(['down', 'refused']) })),
    v.maxLength(MOST_REPORTED.outages),
  ),
  /** The last request for each site since the last report, and why it was not counted. */
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
  /** Whether the collector has stopped taking hits, as it was asked, and has nothing left to send or report. */
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

/** In milliseconds. A clock outside of this range is wrong, and row numbers would no longer be unique. */
const [EARLIEST, LATEST] = [Date.UTC(2001), Date.UTC(2200)];

/** What a collector needs from the primary: the URL of the cluster and copies of some tables. */
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

/** The answer of the primary. Settings are left out if the collector has them. */
export const PrimaryAnswer = v.strictObject({
  number: v.pipe(Count, v.minValue(1), v.maxValue(MOST_COLLECTORS)),
  name: Text,
  /** The primary's time in milliseconds. */
  now: v.pipe(v.number(), v.minValue(EARLIEST), v.maxValue(LATEST)),
  /** A new outbox numbers its rows from here on. No row of a sealed day has a higher number. */
  least: v.pipe(Count, v.maxValue(findLowestNumber(LATEST))),
  /** Whether the collector is to send what it has and take no more hits, before it is retired. */
  isRetiring: v.boolean(),
  tag: Text,
  settings: v.optional(Settings),
});
export type PrimaryAnswer = v.InferOutput<typeof PrimaryAnswer>;
