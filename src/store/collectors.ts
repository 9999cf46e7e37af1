import * as v from 'valibot';
import type { Db } from './statements.ts';

const Count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

/** How a collector is: all that it took before `until` by its clock, and has a lower number than `next`, is on the cluster. */
export const Status = v.strictObject({
  version: v.string(),
  /** Of this start of the program. */
  run: v.string(),
  /** What its clock says. */
  now: Count,
  next: Count,
  until: Count,
  /** When the last parcel was taken, since its start. */
  parcelAt: v.nullable(Count),
  /** The size of its outbox. */
  bytes: Count,
  /** Servers of the cluster that lack something of what it has taken. */
  behind: v.array(v.string()),
  /** How visitors reach it. */
  visitors: v.nullable(v.strictObject({ at: Count, fine: v.boolean(), words: v.string() })),
});
export type Status = v.InferOutput<typeof Status>;

/** Seconds: a clock of a collector that is further off the primary's is told. */
export const MOST_SKEW = 30;

/** A program on another machine that takes hits for a cluster, and what it said last; `seenAt` is 0 before it ever did. */
export type Collector = { number: number; name: string; seenAt: number; status: Status | undefined };

type Row = Omit<Collector, 'status'> & { status: string | null };
const collectorOf = ({ status, ...row }: Row): Collector => ({
  ...row,
  status: status === null ? undefined : JSON.parse(status),
});

/** How many there may be: their numbers are the last digits of those of their rows. */
export const MOST_COLLECTORS = 62;

const FIELDS = 'number, name, coalesce(seen_at, 0) AS seenAt, status';

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

/** Gives its number; undefined when all are taken. Call it inside a transaction. */
export function addCollector(
  db: Db,
  { name, hash, now }: { name: string; hash: Buffer; now: number },
): number | undefined {
  const taken = new Set(listCollectors(db).map(({ number }) => number));
  const number = Array.from({ length: MOST_COLLECTORS }, (_, i) => i + 1).find((one) => !taken.has(one));
  if (number === undefined) return undefined;
  db.run('INSERT INTO collector (number, name, hash, created_at) VALUES (?, ?, ?, ?)', number, name, hash, now);
  return number;
}

export const changeStatus = (db: Db, number: number, { status, now }: { status: Status; now: number }): void => {
  db.run('UPDATE collector SET status = ?, seen_at = ? WHERE number = ?', JSON.stringify(status), now, number);
};

export const removeCollector = (db: Db, number: number): void => {
  db.run('DELETE FROM collector WHERE number = ?', number);
};

/** What an outbox has taken of a site in a month. */
export type Taken = { siteId: number; month: string; hits: number };

/** Notes how many hits there are in all by now; gives how many of them are new. Call it inside a transaction. */
export function noteCollected(db: Db, outbox: string, { siteId, month, hits }: Taken): number {
  const of = 'WHERE outbox = ? AND site_id = ? AND month = ?';
  const known = db.one<{ hits: number }>(`SELECT hits FROM collected ${of}`, outbox, siteId, month)?.hits ?? 0;
  if (hits <= known) return 0;
  const sql = 'REPLACE INTO collected (outbox, site_id, month, hits) VALUES (?, ?, ?, ?)';
  db.run(sql, outbox, siteId, month, hits);
  return hits - known;
}

/** Months of which no outbox tells any more. */
export const removeCollectedBefore = (db: Db, month: string): void => {
  db.run('DELETE FROM collected WHERE month < ?', month);
};
