// What a collector reports to the primary each second. Collectors and the primary are senders: they send rows to the
// servers of the cluster. The primary uses the types `Progress`, `Cuts` and `Hold` for its own state too.
//
// Invariant: a collector is another machine, so no report is trusted. Each number, text and list has a limit, and a
// report with an unknown field is refused.
//
// Example: a collector sends `{ next: 812, until: 1764000000, bytes: 40960, … }`. This status says that the cluster has
// all rows of this collector with a number below 812. These rows include all that the collector received before the
// time `until`. src/collectors/messages.ts reads the status, and collectors.ts stores it.

import * as v from 'valibot';
import { MINUTE } from '../../lib/time.ts';

export const Count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

/** The last second of the year 9999. A later date would have a year of five digits, and date texts allow only four. */
const LATEST = 253_402_300_799;

/** A time in seconds since 1970. */
export const Moment = v.pipe(Count, v.maxValue(LATEST));

/** A short text. It may not have control characters, because it is shown on terminals. */
export const Text = v.pipe(v.string(), v.maxLength(300), v.regex(/^[^\p{Cc}]*$/u));

/**
 * Why a collector refuses hits. `refused`: the primary refuses the secret or the outbox of the collector. `retiring`:
 * the operator removes the collector. `disk`: the disk of the collector is full. `clock`: the collector does not know
 * the right time yet.
 */
export const CLOSINGS = ['refused', 'retiring', 'disk', 'clock'] as const;
export type Closing = (typeof CLOSINGS)[number];

/**
 * The cluster has all rows of a sender with a number below `next`. These rows include all that the sender received
 * before the time `until`. In the list `servers`, both numbers are about one server.
 */
const SHIPPED = { next: Count, until: Moment };

const MOST_SERVERS = 1_000;

/** The progress of a sender for each server. A `lacking` server is not in the list, because no rows are sent to it. */
const Servers = v.pipe(v.array(v.strictObject({ url: Text, ...SHIPPED })), v.maxLength(MOST_SERVERS));

/**
 * A sender sends rows with the numbers `seqs` and higher to a filling server. `seqs` has a number for each kind of
 * rows. The fill with the number `fill` copies all rows with lower numbers from a replica.
 */
export const Cuts = v.pipe(
  v.array(
    v.strictObject({
      url: Text,
      fill: Count,
      seqs: v.strictObject({ activity: Count, crawled: Count, dropped: Count }),
    }),
  ),
  v.maxLength(MOST_SERVERS),
);
export type Cuts = v.InferOutput<typeof Cuts>;

/**
 * A promise of a sender. The primary proposes to divide the visitors of `day` and later days among more shards
 * (divisions.ts). `from` is `day` or a later day. The sender has not divided any hit of the day `from` or later. The
 * sender holds all hits of these days until the primary has decided.
 */
const Hold = v.strictObject({ day: Count, from: Count });
export type Hold = v.InferOutput<typeof Hold>;

/**
 * All complete servers have the sender's rows with a number below `next`. These rows include all that the sender
 * received before the time `until`. `servers` has `next` and `until` for each server.
 */
export type Progress = { next: number; until: number; servers: v.InferOutput<typeof Servers> };

/**
 * A server that lags too far behind a replica of its shard is outdone: it gets no queries. The server must lag by more
 * than this many seconds in the rows of one sender (src/cluster/servers/late.ts). Shorter lags are normal while rows
 * are being sent.
 */
export const LATE_SECONDS = MINUTE;

/**
 * Finds by how many seconds a server is behind a replica. The number is negative if the server is ahead. Returns 0
 * unless the sender has reported about the server and about the replica.
 */
export function findLag({ servers }: Pick<Progress, 'servers'>, url: string, replica: string): number {
  const [own, other] = [url, replica].map((name) => servers.find((one) => one.url === name)?.until);
  return own === undefined || other === undefined ? 0 : other - own;
}

/** The places in which the primary or a collector searches for removed salts. */
const SEARCHED_PLACES = ['file', 'wal', 'backups', 'outbox'] as const;
export type SearchedPlace = (typeof SEARCHED_PLACES)[number];

/**
 * The last daily search for removed salts. `salts` is how many salts were searched for, and `found` is how many were
 * found.
 */
const OwnSearch = v.strictObject({
  at: Moment,
  salts: Count,
  found: Count,
  places: v.pipe(
    v.array(v.strictObject({ place: v.picklist(SEARCHED_PLACES), bytes: Count, isFound: v.boolean() })),
    v.maxLength(SEARCHED_PLACES.length),
    v.check((places) => new Set(places.map(({ place }) => place)).size === places.length, 'a place comes twice'),
  ),
});
export type OwnSearch = v.InferOutput<typeof OwnSearch>;

export const Status = v.strictObject({
  version: Text,
  /**
   * A random name for this start of the collector's process. If two programs use the secret of one collector, their
   * names differ. Then the operator gets a warning.
   */
  run: Text,
  now: Moment,
  ...SHIPPED,
  servers: Servers,
  cuts: Cuts,
  /** The field is missing if no division is proposed. */
  hold: v.optional(Hold),
  /**
   * When a server last received a parcel from this collector. Null if no server has received one since the collector
   * started.
   */
  parcelAt: v.nullable(Moment),
  /**
   * How many parcels this collector has ever delivered, also before restarts. A smaller number than before shows that
   * somebody put an old outbox file back.
   */
  parcels: v.optional(Count),
  /** True if no row waits in the outbox. Missing in reports of earlier versions. */
  isEmpty: v.optional(v.boolean()),
  /** The size of the outbox in bytes. */
  bytes: Count,
  /** The URLs of servers that have not received all rows of this collector yet, without `lacking` servers. */
  behind: v.pipe(v.array(Text), v.maxLength(1_000)),
  /**
   * Says whether the IP addresses of visitors reach the collector. A proxy in front of the collector must pass them on.
   * Otherwise, all visitors look like one visitor. Null if the collector does not know this yet.
   */
  visitors: v.nullable(v.strictObject({ at: Moment, fine: v.boolean(), words: Text })),
  closed: v.nullable(v.picklist(CLOSINGS)),
  /** Missing until the first search for removed salts. */
  search: v.optional(OwnSearch),
});
export type Status = v.InferOutput<typeof Status>;

/**
 * The largest normal difference between the clocks of a collector and the primary, in seconds. If the difference is
 * larger, the operator gets a warning.
 */
export const MOST_SKEW = 30;
