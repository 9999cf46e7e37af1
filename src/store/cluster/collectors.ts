// Collectors are programs on other machines that take hits for a cluster. This file has what the primary knows of each:
// its number, its last status, and how many hits it took.
//
// Invariant: no two collectors ever have the same number at one time, because row ids end in it. A number comes again
// only 30 days after its collector retired with everything sent.
//
// Example: collector 5 sends a status each few seconds, such as `{ next: 812, until: 1764000000, bytes: 40960, … }`. So
// all rows below number 812 that it took before that moment are on the cluster. src/collectors/primary.ts calls this
// for each status.

import * as v from 'valibot';
import { DAY } from '../../lib/time.ts';
import type { Db } from '../db.ts';

export const Count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

/** The last second of the year 9999, after which a date has no four-digit year. */
const LATEST = 253_402_300_799;

/** A moment in seconds since 1970. */
export const Moment = v.pipe(Count, v.maxValue(LATEST));

/** A short text in one line, which is harmless on a terminal. */
export const Text = v.pipe(v.string(), v.maxLength(300), v.regex(/^[^\p{Cc}]*$/u));

/** Why a collector takes no hits. */
const CLOSINGS = ['refused', 'retiring', 'disk', 'clock'] as const;
export type Closing = (typeof CLOSINGS)[number];

/** A sender's progress: rows below number `next` that were taken before `until` have arrived. */
const SHIPPED = { next: Count, until: Moment };

const MOST_SERVERS = 1_000;

/** How far a sender is with each server that lacks nothing else. */
const Servers = v.pipe(v.array(v.strictObject({ url: Text, ...SHIPPED })), v.maxLength(MOST_SERVERS));

/**
 * The rows that go to servers that are being filled: those from these numbers on, in the copy with the number `fill`.
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

/** How far a sender is with the complete servers together, and with each server. */
export type Progress = { next: number; until: number; servers: v.InferOutput<typeof Servers> };

/** The status that a collector sends to the primary. */
export const Status = v.strictObject({
  version: Text,
  /** A name for this start of the program. */
  run: Text,
  /** The time of the collector's clock. */
  now: Moment,
  ...SHIPPED,
  servers: Servers,
  cuts: Cuts,
  /** When a server last took a parcel; null if none did since the start. */
  parcelAt: v.nullable(Moment),
  /** How many parcels of the outbox servers took, over all starts. */
  parcels: v.optional(Count),
  /** The size of the outbox. */
  bytes: Count,
  /** The URLs of servers that lack some rows of this collector. */
  behind: v.pipe(v.array(Text), v.maxLength(1_000)),
  /** Whether visitors reach the collector by a proxy that passes IP addresses on. */
  visitors: v.nullable(v.strictObject({ at: Moment, fine: v.boolean(), words: Text })),
  closed: v.nullable(v.picklist(CLOSINGS)),
});
export type Status = v.InferOutput<typeof Status>;

/** A collector whose clock is further off the primary's, in seconds, is reported. */
export const MOST_SKEW = 30;

/**
 * A collector with its last status. `seenAt` is 0 until the first status. `outbox` is the name of the first outbox that
 * it reported, its only one.
 */
export type Collector = {
  number: number;
  name: string;
  createdAt: number;
  seenAt: number;
  status: Status | undefined;
  outbox: string | null;
  isRetiring: boolean;
};

type StoredCollector = Omit<Collector, 'status' | 'isRetiring'> & { status: string | null; isRetiring: 0 | 1 };
const readCollector = ({ status, isRetiring, ...row }: StoredCollector): Collector => ({
  ...row,
  isRetiring: isRetiring === 1,
  status: status === null ? undefined : JSON.parse(status),
});

/** The highest number of a collector. Row ids end in it. */
export const MOST_COLLECTORS = 62;

const FIELDS = `number, name, created_at AS createdAt, coalesce(seen_at, 0) AS seenAt, status, outbox,
  is_retiring AS isRetiring`;

export const listCollectors = (db: Db): Collector[] =>
  db.all<StoredCollector>(`SELECT ${FIELDS} FROM collector ORDER BY number`).map(readCollector);

/** Lists the URLs of servers that lack some rows of collectors. */
export const listBehind = (db: Db): Set<string> =>
  new Set(
    db
      .all<{ url: string }>("SELECT value AS url FROM collector, json_each(collector.status, '$.behind')")
      .map(({ url }) => url),
  );

export const hasCollectors = (db: Db): boolean => db.one('SELECT 1 FROM collector LIMIT 1') !== undefined;

export function findCollector(db: Db, name: string): Collector | undefined {
  const row = db.one<StoredCollector>(`SELECT ${FIELDS} FROM collector WHERE name = ?`, name);
  return row && readCollector(row);
}

/** Finds the collector whose secret has this hash. */
export function findCollectorByHash(db: Db, hash: Buffer): Collector | undefined {
  const row = db.one<StoredCollector>(`SELECT ${FIELDS} FROM collector WHERE hash = ?`, hash);
  return row && readCollector(row);
}

/** The time after which a retired collector's number may be used again, if it sent everything. */
const RESTS = 30 * DAY;

/**
 * Finds a number for a new collector: an unused one, because rows of two collectors with one number could be confused.
 * When all are used, the number that retired first is taken. A lost collector's number never is.
 */
function findNumber(db: Db, now: number): number | undefined {
  const used = new Set(
    db
      .all<{ number: number }>('SELECT number FROM collector UNION SELECT number FROM retired_collector')
      .map(({ number }) => number),
  );
  const fresh = Array.from({ length: MOST_COLLECTORS }, (_, i) => i + 1).find((one) => !used.has(one));
  if (fresh !== undefined) return fresh;
  const sql = `SELECT number FROM retired_collector
    WHERE is_lost = 0 AND retired_at < ? AND number NOT IN (SELECT number FROM collector) ORDER BY retired_at, number LIMIT 1`;
  return db.one<{ number: number }>(sql, now - RESTS)?.number;
}

/** Adds a collector and gives its number, or undefined if there is none. Call it inside a transaction. */
export function addCollector(
  db: Db,
  { name, hash, now }: { name: string; hash: Buffer; now: number },
): number | undefined {
  const number = findNumber(db, now);
  if (number === undefined) return undefined;
  db.run('INSERT INTO collector (number, name, hash, created_at) VALUES (?, ?, ?, ?)', number, name, hash, now);
  return number;
}

/** Notes the status of a collector and the name of its outbox. */
export const changeStatus = (
  db: Db,
  number: number,
  { status, outbox, now }: { status: Status; outbox: string; now: number },
): void => {
  const sql = 'UPDATE collector SET status = ?, outbox = ?, seen_at = ? WHERE number = ?';
  db.run(sql, JSON.stringify(status), outbox, now, number);
};

/** Asks a collector to send all of its rows and to take no more hits. Call it inside a transaction. */
export const askToRetire = (db: Db, number: number): void => {
  db.run('UPDATE collector SET is_retiring = 1 WHERE number = ?', number);
};

/** Removes a collector and remembers its number. Call it inside a transaction. */
export function retireCollector(
  db: Db,
  { number, name }: Pick<Collector, 'number' | 'name'>,
  { now, isLost }: { now: number; isLost: boolean },
): void {
  const sql = 'REPLACE INTO retired_collector (number, name, retired_at, is_lost) VALUES (?, ?, ?, ?)';
  db.run(sql, number, name, now, isLost ? 1 : 0);
  db.run('DELETE FROM collector WHERE number = ?', number);
}

/** The hits of a site that an outbox took in a month. */
export type TakenHits = { siteId: number; month: string; hits: number };

/**
 * Notes a new total of hits. Gives how many of them are new, at most `most`; the rest counts with a later report. Call
 * it inside a transaction.
 */
export function noteCollected(db: Db, outbox: string, { siteId, month, hits }: TakenHits, most: number): number {
  const of = 'WHERE outbox = ? AND site_id = ? AND month = ?';
  const known = db.one<{ hits: number }>(`SELECT hits FROM collected ${of}`, outbox, siteId, month)?.hits ?? 0;
  const more = Math.min(hits - known, most);
  if (more <= 0) return 0;
  const sql = 'REPLACE INTO collected (outbox, site_id, month, hits) VALUES (?, ?, ?, ?)';
  db.run(sql, outbox, siteId, month, known + more);
  return more;
}

/** Forgets totals before a month: no outbox reports them any more. */
export const removeCollectedBefore = (db: Db, month: string): void => {
  db.run('DELETE FROM collected WHERE month < ?', month);
};
