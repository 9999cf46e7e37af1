import * as v from 'valibot';
import { DAY } from '../../lib/time.ts';
import type { Db } from '../db.ts';

export const Count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

/** The last second of the year 9999: what is later is no date. */
const LATEST = 253_402_300_799;

/** In seconds since 1970. */
export const Moment = v.pipe(Count, v.maxValue(LATEST));

/** Short, in one line, and harmless on a terminal. */
export const Text = v.pipe(v.string(), v.maxLength(300), v.regex(/^[^\p{Cc}]*$/u));

/** Why a collector takes no hits, if it takes none. */
const CLOSINGS = ['refused', 'retiring', 'disk', 'clock'] as const;
export type Closing = (typeof CLOSINGS)[number];

/** All that was taken before `until`, and has a lower number than `next`, is there. */
const SHIPPED = { next: Count, until: Moment };

const MOST_SERVERS = 1_000;

/** How far a sender is with each server that lacks nothing else. */
const Servers = v.pipe(v.array(v.strictObject({ url: Text, ...SHIPPED })), v.maxLength(MOST_SERVERS));

/** Which rows are sent to the servers that are being filled, in the copy with this number: those from these numbers on. */
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

/** How far a sender is with the complete servers together, and with each. */
export type Progress = { next: number; until: number; servers: v.InferOutput<typeof Servers> };

/** How a collector is: all that it took before `until` by its clock, and has a lower number than `next`, is on the cluster. */
export const Status = v.strictObject({
  version: Text,
  /** Of this start of the program. */
  run: Text,
  /** What its clock says. */
  now: Moment,
  ...SHIPPED,
  servers: Servers,
  cuts: Cuts,
  /** When the last parcel was taken, since its start. */
  parcelAt: v.nullable(Moment),
  /** The size of its outbox. */
  bytes: Count,
  /** Servers of the cluster that lack something of what it has taken. */
  behind: v.pipe(v.array(Text), v.maxLength(1_000)),
  /** How visitors reach it. */
  visitors: v.nullable(v.strictObject({ at: Moment, fine: v.boolean(), words: Text })),
  closed: v.nullable(v.picklist(CLOSINGS)),
});
export type Status = v.InferOutput<typeof Status>;

/** Seconds: a clock of a collector that is further off the primary's is told. */
export const MOST_SKEW = 30;

/**
 * A program on another machine that takes hits for a cluster, and what it said last; `seenAt` is 0 before it ever did. It has one
 * outbox, the first that it named.
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

type Row = Omit<Collector, 'status' | 'isRetiring'> & { status: string | null; isRetiring: 0 | 1 };
const collectorOf = ({ status, isRetiring, ...row }: Row): Collector => ({
  ...row,
  isRetiring: isRetiring === 1,
  status: status === null ? undefined : JSON.parse(status),
});

/** How many there may be: their numbers are the last digits of those of their rows. */
export const MOST_COLLECTORS = 62;

const FIELDS = `number, name, created_at AS createdAt, coalesce(seen_at, 0) AS seenAt, status, outbox,
  is_retiring AS isRetiring`;

export const listCollectors = (db: Db): Collector[] =>
  db.all<Row>(`SELECT ${FIELDS} FROM collector ORDER BY number`).map(collectorOf);

/** The servers that lack something of what collectors have taken. */
export const listBehind = (db: Db): Set<string> =>
  new Set(
    db
      .all<{ url: string }>("SELECT value AS url FROM collector, json_each(collector.status, '$.behind')")
      .map(({ url }) => url),
  );

export const hasCollectors = (db: Db): boolean => db.one('SELECT 1 FROM collector LIMIT 1') !== undefined;

export function findCollector(db: Db, name: string): Collector | undefined {
  const row = db.one<Row>(`SELECT ${FIELDS} FROM collector WHERE name = ?`, name);
  return row && collectorOf(row);
}

/** That with a secret. */
export function findCollectorOf(db: Db, hash: Buffer): Collector | undefined {
  const row = db.one<Row>(`SELECT ${FIELDS} FROM collector WHERE hash = ?`, hash);
  return row && collectorOf(row);
}

/** So long after a collector has retired with everything sent, another may get its number. */
const RESTS = 30 * DAY;

/**
 * A number that no collector has or had: rows of two with one number could be taken for each other. When all have been used, the one
 * of which the collector retired first, with everything sent, comes again. One whose collector was lost never does.
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

/** Gives its number; undefined when none can be given. Call it inside a transaction. */
export function addCollector(
  db: Db,
  { name, hash, now }: { name: string; hash: Buffer; now: number },
): number | undefined {
  const number = findNumber(db, now);
  if (number === undefined) return undefined;
  db.run('INSERT INTO collector (number, name, hash, created_at) VALUES (?, ?, ?, ?)', number, name, hash, now);
  return number;
}

/** Notes what a collector says, and the name of its outbox. */
export const changeStatus = (
  db: Db,
  number: number,
  { status, outbox, now }: { status: Status; outbox: string; now: number },
): void => {
  const sql = 'UPDATE collector SET status = ?, outbox = ?, seen_at = ? WHERE number = ?';
  db.run(sql, JSON.stringify(status), outbox, now, number);
};

/** Asks a collector to send what it has and to take no more. Call it inside a transaction. */
export const askToRetire = (db: Db, number: number): void => {
  db.run('UPDATE collector SET is_retiring = 1 WHERE number = ?', number);
};

/** Gives a collector up. Its number is remembered. Call it inside a transaction. */
export function retireCollector(
  db: Db,
  { number, name }: Pick<Collector, 'number' | 'name'>,
  { now, isLost }: { now: number; isLost: boolean },
): void {
  const sql = 'REPLACE INTO retired_collector (number, name, retired_at, is_lost) VALUES (?, ?, ?, ?)';
  db.run(sql, number, name, now, isLost ? 1 : 0);
  db.run('DELETE FROM collector WHERE number = ?', number);
}

/** What an outbox has taken of a site in a month. */
export type Taken = { siteId: number; month: string; hits: number };

/**
 * Notes how many hits there are in all by now; gives how many of them are new, at most so many. What is beyond counts when it is told
 * again. Call it inside a transaction.
 */
export function noteCollected(db: Db, outbox: string, { siteId, month, hits }: Taken, most: number): number {
  const of = 'WHERE outbox = ? AND site_id = ? AND month = ?';
  const known = db.one<{ hits: number }>(`SELECT hits FROM collected ${of}`, outbox, siteId, month)?.hits ?? 0;
  const more = Math.min(hits - known, most);
  if (more <= 0) return 0;
  const sql = 'REPLACE INTO collected (outbox, site_id, month, hits) VALUES (?, ?, ?, ?)';
  db.run(sql, outbox, siteId, month, known + more);
  return more;
}

/** Months of which no outbox tells any more. */
export const removeCollectedBefore = (db: Db, month: string): void => {
  db.run('DELETE FROM collected WHERE month < ?', month);
};
