// Collectors are programs on other machines that receive hits for a cluster. This file stores what the primary knows of
// each collector: its number, its last status, and how many hits it received.
//
// Invariant: two collectors never have the same number at the same time. Row numbers contain the number of the
// collector, so two rows could have equal row numbers otherwise. A number is used again only 30 days after its
// collector sent everything and retired. A collector is called lost if it was removed before it had sent everything.
//
// Example: collector 5 sends a status each second (sender-status.ts). src/collectors/note.ts stores it with
// `changeStatus`. After the operator has removed collector 5, a new collector gets number 6. The number 5 is used again
// only if all 62 numbers were used and 30 days have passed.

import { DAY } from '../../lib/time.ts';
import type { Db } from '../db.ts';
import { listServers, wantFill } from './cluster-servers.ts';
import { findLag, LATE_SECONDS, type Progress, type Status } from './sender-status.ts';

/**
 * A collector with its last status. `seenAt` is 0 until the first status. `outbox` is the name of the first outbox that
 * the collector reported. A status from another outbox is refused: it may come from a second program with this
 * collector's secret.
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

/**
 * The largest number of collectors. A row number contains the number of its sender, from 0 to 63. The primary has the
 * number 0, and imports have the number 63.
 */
export const MOST_COLLECTORS = 62;

const FIELDS = `number, name, created_at AS createdAt, coalesce(seen_at, 0) AS seenAt, status, outbox,
  is_retiring AS isRetiring`;

export const listCollectors = (db: Db): Collector[] =>
  db.all<StoredCollector>(`SELECT ${FIELDS} FROM collector ORDER BY number`).map(readCollector);

/** Lists the URLs of servers that have not received all rows of a collector yet. */
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

export function findCollectorByHash(db: Db, hash: Buffer): Collector | undefined {
  const row = db.one<StoredCollector>(`SELECT ${FIELDS} FROM collector WHERE hash = ?`, hash);
  return row && readCollector(row);
}

/** The time after which the number of a retired collector may be used again. */
const RESTS = 30 * DAY;

/**
 * Finds a number for a new collector. A number that no collector ever had is best, because rows of two collectors with
 * one number could be confused. If there is none, the number that retired first is used again. The number of a lost
 * collector is never used again, because its rows may still arrive.
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

/**
 * Finds the collector to which an outbox belongs: a present or a lost one. The outbox of a collector that sent everything
 * and retired belongs to no collector, because it is empty.
 */
export const findOwner = (db: Db, outbox: string): 'present' | 'lost' | undefined =>
  db.one<{ owner: 'present' | 'lost' }>(
    `SELECT 'present' AS owner FROM collector WHERE outbox = ?
     UNION ALL SELECT 'lost' FROM retired_collector WHERE outbox = ? AND is_lost = 1`,
    outbox,
    outbox,
  )?.owner;

/** Adds a collector. Returns its number, or undefined if no number is free. Call this function inside a transaction. */
export function addCollector(
  db: Db,
  { name, hash, now }: { name: string; hash: Buffer; now: number },
): number | undefined {
  const number = findNumber(db, now);
  if (number === undefined) return undefined;
  db.run('INSERT INTO collector (number, name, hash, created_at) VALUES (?, ?, ?, ?)', number, name, hash, now);
  return number;
}

export const changeStatus = (
  db: Db,
  number: number,
  { status, outbox, now }: { status: Status; outbox: string; now: number },
): void => {
  const sql = 'UPDATE collector SET status = ?, outbox = ?, seen_at = ? WHERE number = ?';
  db.run(sql, JSON.stringify(status), outbox, now, number);
  wantFillsOfLost(db);
};

/**
 * Makes a collector refuse new hits and send all rows that it still has. After all rows were sent, the collector can be
 * removed without a loss.
 */
export const askToRetire = (db: Db, number: number): void => {
  db.run('UPDATE collector SET is_retiring = 1 WHERE number = ?', number);
};

/** Lists the numbers of retired collectors. With `isLost`, only the numbers of lost collectors are listed. */
export const listRetiredNumbers = (db: Db, { isLost = false } = {}): number[] =>
  db
    .all<{ number: number }>(
      `SELECT number FROM retired_collector
       WHERE is_lost >= ? AND number NOT IN (SELECT number FROM collector) ORDER BY number`,
      isLost ? 1 : 0,
    )
    .map(({ number }) => number);

/**
 * Removes a collector, and stores its number. The number of a lost collector is never used again, because its rows may
 * still arrive. Any other number may be used again after 30 days. Call this function inside a transaction.
 *
 * Only the status of a lost collector says which servers lack its rows. Therefore this part of its status is stored
 * too. Servers that lack rows of a lost collector are filled from a replica (test/cluster/away.test.ts). Returns the
 * URLs of these servers.
 */
export function retireCollector(
  db: Db,
  { number, name, status, outbox }: Pick<Collector, 'number' | 'name' | 'status' | 'outbox'>,
  { now, isLost }: { now: number; isLost: boolean },
): string[] {
  const servers = JSON.stringify(isLost ? (status?.servers ?? []) : []);
  const sql =
    'REPLACE INTO retired_collector (number, name, outbox, retired_at, is_lost, servers) VALUES (?, ?, ?, ?, ?, ?)';
  db.run(sql, number, name, outbox, now, isLost ? 1 : 0, servers);
  db.run('DELETE FROM collector WHERE number = ?', number);
  return wantFillsOfLost(db);
}

/**
 * Requests a fill of each complete server that lacks rows of a lost collector, if a replica has these rows. Returns the
 * URLs of these servers.
 *
 * A fill makes a server equal to a replica of its shard. The replica may lack rows of another collector that the server
 * has. Then a fill would delete these rows, so no fill is requested yet. After the other collector has sent its rows,
 * the next call requests the fill. A lost collector sends nothing more. So the replica may lack none of its rows, not
 * even those of the last minute.
 */
function wantFillsOfLost(db: Db): string[] {
  const lost = listLost(db);
  if (lost.length === 0) return [];
  const complete = listServers(db).filter(({ state }) => state === 'complete');
  const present = listCollectors(db).flatMap(({ status }) => status ?? []);
  const isShort = (url: string, replica: string) =>
    lost.some((one) => findLag(one, url, replica) > LATE_SECONDS) &&
    lost.every((one) => findLag(one, replica, url) <= 0) &&
    present.every((one) => findLag(one, replica, url) <= LATE_SECONDS);
  const short = complete
    .filter(({ url, shard }) => complete.some((one) => one.shard === shard && isShort(url, one.url)))
    .map(({ url }) => url);
  for (const url of short) wantFill(db, url);
  return short;
}

/** Lists which rows of lost collectors each server has received. Servers that were filled afterwards are not listed. */
export const listLost = (db: Db): ({ number: number } & Pick<Progress, 'servers'>)[] =>
  db
    .all<{ number: number; servers: string }>("SELECT number, servers FROM retired_collector WHERE servers <> '[]'")
    .map(({ number, servers }) => ({ number, servers: JSON.parse(servers) }));

/** The number of hits of a site that a collector received in a month, such as '2026-11'. */
export type TakenHits = { siteId: number; month: string; hits: number };

/**
 * Stores the number of hits that a collector reports for a month. Gives how many hits are new since the last report,
 * but at most `most`. A false report may name too many hits, therefore `most` limits them. `rest` is the number of new
 * hits above the limit. The next report repeats them. Call this function inside a transaction.
 */
export function noteCollected(
  db: Db,
  outbox: string,
  { siteId, month, hits }: TakenHits,
  most: number,
): { more: number; rest: number } {
  const of = 'WHERE outbox = ? AND site_id = ? AND month = ?';
  const known = db.one<{ hits: number }>(`SELECT hits FROM collected ${of}`, outbox, siteId, month)?.hits ?? 0;
  const all = Math.max(hits - known, 0);
  const more = Math.min(all, most);
  const sql = 'REPLACE INTO collected (outbox, site_id, month, hits) VALUES (?, ?, ?, ?)';
  if (more > 0) db.run(sql, outbox, siteId, month, known + more);
  return { more, rest: all - more };
}

/** Deletes the counts of months before `month`. No collector reports these months any more. */
export const removeCollectedBefore = (db: Db, month: string): void => {
  db.run('DELETE FROM collected WHERE month < ?', month);
};
