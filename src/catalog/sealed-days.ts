// Reads the sealed days that queries can see: ids, totals and origin. A sealed day is a past day of a site in packed
// form, which queries read fast.
//
// Invariant: a sealed day is one row of `sealed_day`. A large day is several rows, called slices, with the numbers 0,
// 1, 2 in `slice`. The totals of the slices add up to the totals of the day. States change in `day-states.ts` only.
//
// Example: a day with 2,500,000 hits has three rows, with `slice` 0, 1 and 2. A day for which only totals are stored
// has `has_hits` 0. The engine on SQLite stores the visits with the id of the row, and so does the cluster. Both
// engines use this file.

import { TOTALS, type Totals, type UnknownSum } from '../stats/aggregates.ts';
import type { UnknownDay } from '../stats/unknown.ts';
import type { Db } from '../store/db.ts';

export type SiteDay = { siteId: number; day: number };

/**
 * A sealed day (a packed past day) that queries can see, or one of the rows (slices) of a large day. `format` is the
 * file version of the program that wrote it. `reduced` has ids of exclusions, such as '3 7': the totals are without the
 * visits that these exclude.
 */
export type SealedDay = Totals & { id: number; day: number; format: number; reduced?: string };

export const DAY_FIELDS = `id, day, format, ${TOTALS.join(', ')}`;
/** SQL that selects the sealed days (packed past days) of a site that queries can see. */
export const SHOWN = "site_id = ? AND state = 'shown'";
const BETWEEN = `${SHOWN} AND day >= ? AND day < ?`;

export const isSealed = (db: Db, siteId: number, day: number): boolean =>
  db.one(`SELECT 1 FROM sealed_day WHERE ${SHOWN} AND day = ?`, siteId, day) !== undefined;

export const hasSealedDays = (db: Db): boolean =>
  db.one("SELECT 1 FROM sealed_day WHERE state = 'shown' LIMIT 1") !== undefined;

export const hasSumsOnly = (db: Db, id: number): boolean =>
  db.one('SELECT 1 FROM sealed_day WHERE id = ? AND has_hits = 0', id) !== undefined;

export const isShown = (db: Db, id: number): boolean =>
  db.one("SELECT 1 FROM sealed_day WHERE id = ? AND state = 'shown'", id) !== undefined;

export const listSealed = (db: Db, siteId: number, from: number, to: number): SealedDay[] =>
  db.all(`SELECT ${DAY_FIELDS} FROM sealed_day WHERE ${BETWEEN} ORDER BY day, slice`, siteId, from, to);

const SUMS = TOTALS.map((name) => `coalesce(sum(${name}), 0)`).join(', ');

export function sumSealed(db: Db, siteId: number, from: number, to: number): Totals {
  const sql = `SELECT ${SUMS} FROM sealed_day WHERE ${BETWEEN}`;
  const [sums = []] = db.lists<number[]>(sql, siteId, from, to);
  return Object.fromEntries(TOTALS.map((name, i) => [name, sums[i] ?? 0])) as Totals;
}

/**
 * Writes the ids of the sealed days (packed past days) of a range as text, such as '4 5 9'. Fast, because an index has
 * all needed columns.
 */
export const joinIds = (db: Db, siteId: number, from: number, to: number): string =>
  db.one<{ ids: string | null }>(
    `SELECT group_concat(id, ' ' ORDER BY day, slice) AS ids FROM sealed_day WHERE ${BETWEEN}`,
    siteId,
    from,
    to,
  )?.ids ?? '';

export const listWithHits = (db: Db, siteId: number, from: number, to: number): SealedDay[] =>
  db.all(
    `SELECT ${DAY_FIELDS} FROM sealed_day WHERE ${BETWEEN} AND has_hits = 1 ORDER BY day, slice`,
    siteId,
    from,
    to,
  );

export const listSumDays = (db: Db, siteId: number, from: number, to: number): number[] =>
  db
    .all<{ day: number }>(
      `SELECT DISTINCT day FROM sealed_day WHERE ${BETWEEN} AND has_hits = 0 ORDER BY day`,
      siteId,
      from,
      to,
    )
    .map(({ day }) => day);

/**
 * Lists the days of a range with sums that are not known, because their import did not have them. Fast, because an
 * index has only such days.
 */
export const listUnknown = (db: Db, siteId: number, from: number, to: number): UnknownDay[] =>
  db
    .all<{ day: number; unknown: string; visitors: number }>(
      `SELECT day, unknown, visitors FROM sealed_day WHERE ${BETWEEN} AND unknown <> '' ORDER BY day`,
      siteId,
      from,
      to,
    )
    .map(({ day, unknown, visitors }) => ({ day, visitors, names: unknown.split(' ') as UnknownSum[] }));

/**
 * Lists the state of each sealed day (a packed past day) of a range. A large day has several rows. It counts as
 * recounted (checked against its hits) when all of them were.
 */
export const listStates = (
  db: Db,
  siteId: number,
  from: number,
  to: number,
): { day: number; hasHits: number; importId: number | null; recountedAt: number | null }[] =>
  db.all(
    `SELECT day, min(has_hits) AS hasHits, max(import_id) AS importId,
       CASE WHEN count(recounted_at) = count(*) THEN min(recounted_at) END AS recountedAt
     FROM sealed_day WHERE ${BETWEEN} GROUP BY day ORDER BY day`,
    siteId,
    from,
    to,
  );

/**
 * Lists up to `most` sealed days (packed past days) of all sites for the nightly check. Days that were never checked
 * come first, then those with the oldest check.
 */
export const listUncounted = (db: Db, most: number): (SealedDay & { siteId: number })[] =>
  db.all(
    `SELECT ${DAY_FIELDS}, site_id AS siteId FROM sealed_day WHERE state = 'shown'
     ORDER BY recounted_at IS NOT NULL, recounted_at, day, id LIMIT ?`,
    most,
  );

export const countSealed = (db: Db): number =>
  db.one<{ n: number }>("SELECT count(*) AS n FROM sealed_day WHERE state = 'shown'")?.n ?? 0;

export const noteRecounted = (db: Db, id: number, at: number): void => {
  db.run('UPDATE sealed_day SET recounted_at = ? WHERE id = ?', at, id);
};

/**
 * Lists the sealed days (packed past days) with visits that queries can see, of all sites. For an engine that stores
 * visits outside of this database file.
 */
export const listWithVisits = (db: Db): (SiteDay & { id: number })[] =>
  db.all("SELECT id, site_id AS siteId, day FROM sealed_day WHERE state = 'shown' AND has_hits = 1 AND visits > 0");

/** Finds the latest date of any site for which a sealed day (a packed past day) exists. */
export const findLastSealed = (db: Db): number | undefined =>
  db.one<{ day: number | null }>("SELECT max(day) AS day FROM sealed_day WHERE state = 'shown'")?.day ?? undefined;

/**
 * What a sealed day (a packed past day) contains. `after` is the id of its last hit, so hits with a higher id arrived
 * later. `at` is the time of sealing.
 */
export type Closed = { day: number; after: number; at: number };

/**
 * One of the rows of a sealed day (a packed past day), for an engine that stores visits outside of this file. A large
 * day has several rows, and any other day has one.
 */
export type Slice = Totals &
  Closed & {
    id: number;
    slice: number;
    importId: number | null;
    hasHits: number;
    recountedAt: number | null;
  };

const SLICES = `SELECT id, day, slice, import_id AS importId, coalesce(after_id, 0) AS after, has_hits AS hasHits,
    recounted_at AS recountedAt, staged_at AS at, ${TOTALS.join(', ')}
  FROM sealed_day WHERE ${BETWEEN} ORDER BY day, slice`;
export const listSlices = (db: Db, siteId: number, from: number, to: number): Slice[] =>
  db.all(SLICES, siteId, from, to);

/**
 * Lists the ids of the sealed days (packed past days) since the day `from`, of one site or of all. `first` is the date
 * of the earliest sealed day.
 */
export function listSealedSince(db: Db, from: number, siteId?: number): { ids: number[]; first: number | undefined } {
  const of = "state = 'shown' AND site_id = coalesce(?, site_id)";
  const ids = db.all<{ id: number }>(`SELECT id FROM sealed_day WHERE ${of} AND day >= ?`, siteId ?? null, from);
  const first = db.one<{ day: number | null }>(`SELECT min(day) AS day FROM sealed_day WHERE ${of}`, siteId ?? null);
  return { ids: ids.map(({ id }) => id), first: first?.day ?? undefined };
}

/** Lists the sealed days (packed past days) of a site that came from imports, with their number of hits. */
export const listImported = (db: Db, siteId: number): { importId: number; day: number; hits: number }[] =>
  db.all(
    `SELECT import_id AS importId, day, sum(pageviews + events) AS hits FROM sealed_day
     WHERE ${SHOWN} AND import_id IS NOT NULL GROUP BY import_id, day`,
    siteId,
  );

/** Tells whether a day was sealed (packed) from live hits. Imported hits may be in it too. */
export const isSealedFromCollected = (db: Db, siteId: number, day: number): boolean =>
  db.one(`SELECT 1 FROM sealed_day WHERE ${SHOWN} AND day = ? AND import_id IS NULL`, siteId, day) !== undefined;

/** Stores that the hits of a sealed day (a packed past day) are deleted, or will be. Only its totals and sums stay. */
export const setSumsOnly = (db: Db, id: number): void => {
  db.run('UPDATE sealed_day SET has_hits = 0 WHERE id = ?', id);
};

export const findDay = (db: Db, id: number): SealedDay | undefined =>
  db.one(`SELECT ${DAY_FIELDS} FROM sealed_day WHERE id = ?`, id);
