// Reads the sealed days that queries can see: ids, totals and origin. Also stores when a day was recounted, and that a
// day has only sums.
//
// Invariant: a sealed day is one row of `sealed_day`. A large day has several rows, its slices, whose totals add up.
// Only day-states.ts changes states.
//
// Example: a day with 2,500,000 hits has three rows, with `slice` 0, 1 and 2. A totals-only day has `has_hits` 0.
//
// Both engines use this file, and store the visits of a day with the id of its row.

import { setImmediate as turn } from 'node:timers/promises';
import { type ExcludedVisits, TOTALS, type Totals, type UnknownSum } from '../stats/aggregates.ts';
import type { UnknownDay } from '../stats/unknown.ts';
import type { Db } from '../store/db.ts';

export type SiteDay = { siteId: number; day: number };

/**
 * A sealed day, or a slice of a large day. `format` is the version of the database file when the day was sealed. If the
 * totals are reduced, `reduced` has the ids of the exclusions, such as '3 7'. `excluded` then has the number of visits
 * that each exclusion leaves out.
 */
export type SealedDay = Totals & {
  id: number;
  day: number;
  format: number;
  reduced?: string;
  excluded?: ExcludedVisits;
};

export const DAY_FIELDS = `id, day, format, ${TOTALS.join(', ')}`;
export const SHOWN = "site_id = ? AND state = 'shown'";
const BETWEEN = `${SHOWN} AND day >= ? AND day < ?`;

export const isSealed = (db: Db, siteId: number, day: number): boolean =>
  db.one(`SELECT 1 FROM sealed_day WHERE ${SHOWN} AND day = ?`, siteId, day) !== undefined;

export const hasSealedDays = (db: Db): boolean =>
  db.one("SELECT 1 FROM sealed_day WHERE state = 'shown' LIMIT 1") !== undefined;

export const hasSumsOnly = (db: Db, id: number): boolean =>
  db.one('SELECT 1 FROM sealed_day WHERE id = ? AND has_hits = 0', id) !== undefined;

/** Returns whether a shown day has only sums. */
export const hasSumsOn = (db: Db, siteId: number, day: number): boolean =>
  db.one(`SELECT 1 FROM sealed_day WHERE ${SHOWN} AND day = ? AND has_hits = 0`, siteId, day) !== undefined;

export const isShown = (db: Db, id: number): boolean =>
  db.one("SELECT 1 FROM sealed_day WHERE id = ? AND state = 'shown'", id) !== undefined;

/** Returns whether queries still read the hits of a day. The sweep and the retention delete hits of no such day. */
export const isStored = (db: Db, id: number): boolean =>
  db.one("SELECT 1 FROM sealed_day WHERE id = ? AND has_hits = 1 AND state IN ('shown', 'reopened')", id) !== undefined;

export const listSealed = (db: Db, siteId: number, from: number, to: number): SealedDay[] =>
  db.all(`SELECT ${DAY_FIELDS} FROM sealed_day WHERE ${BETWEEN} ORDER BY day, slice`, siteId, from, to);

const SUMS = TOTALS.map((name) => `coalesce(sum(${name}), 0)`).join(', ');

export function sumSealed(db: Db, siteId: number, from: number, to: number): Totals {
  const sql = `SELECT ${SUMS} FROM sealed_day WHERE ${BETWEEN}`;
  const [sums = []] = db.lists<number[]>(sql, siteId, from, to);
  return Object.fromEntries(TOTALS.map((name, i) => [name, sums[i] ?? 0])) as Totals;
}

/**
 * Returns the ids of the sealed days of a range, such as '4 5 9'. The query is fast, because an index has all needed
 * columns.
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
 * Lists the days with unknown sums. For example, an import had no visit durations, or the retention could not read
 * damaged columns. `unknown` names the sums. The query is fast, because an index has only the days with unknown sums.
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
 * Lists the state of each sealed day of a range. A large day counts as recounted when all of its slices were recounted.
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
 * In this number of nights, each day is recounted once. So even if some nights are missed, each day is still checked
 * within a month.
 */
const NIGHTS = 25;

/**
 * Says which days `listUncounted` returns: up to `most` days, without the first `skip` days in its order. Without
 * `most`, it returns as many days as one night should recount: a 25th of all days (`NIGHTS`).
 */
export type Uncounted = { skip: number; most?: number };

/**
 * Lists sealed days of all sites for the nightly recount. Days that were never recounted come first, then days with the
 * oldest recount. A faulty day does not count as recounted, so it stays at the front of the list. The night skips the
 * faulty days that it has found, and recounts other days in their place. Otherwise, many faulty days at the front would
 * keep all other days from being recounted (test/jobs/jobs.long.test.ts).
 */
export const listUncounted = (db: Db, { skip, most = countShare(db) }: Uncounted): (SealedDay & { siteId: number })[] =>
  db.all(
    `SELECT ${DAY_FIELDS}, site_id AS siteId FROM sealed_day WHERE state = 'shown'
     ORDER BY recounted_at IS NOT NULL, recounted_at, day, id LIMIT ? OFFSET ?`,
    most,
    skip,
  );

const countShare = (db: Db): number =>
  Math.ceil((db.one<{ n: number }>("SELECT count(*) AS n FROM sealed_day WHERE state = 'shown'")?.n ?? 0) / NIGHTS);

export const noteRecounted = (db: Db, id: number, at: number): void => {
  db.run('UPDATE sealed_day SET recounted_at = ? WHERE id = ?', at, id);
};

/**
 * Lists the shown days of all sites. Leaves out days without visits, unless they are totals-only days. This list is for
 * an engine that stores visits and rollups outside of the database file (the cluster).
 */
export const listStored = (db: Db): (SiteDay & { id: number; hasHits: 0 | 1 })[] =>
  db.all(`SELECT id, site_id AS siteId, day, has_hits AS hasHits FROM sealed_day
    WHERE state = 'shown' AND (has_hits = 0 OR visits > 0)`);

export const findFirstSealed = (db: Db, siteId: number): number | undefined =>
  db.one<{ day: number | null }>(`SELECT min(day) AS day FROM sealed_day WHERE ${SHOWN}`, siteId)?.day ?? undefined;

export const findLastSealed = (db: Db): number | undefined =>
  db.one<{ day: number | null }>("SELECT max(day) AS day FROM sealed_day WHERE state = 'shown'")?.day ?? undefined;

/** `after` is the id of the last hit in a sealed day. Later hits have higher ids. `at` is the time of sealing. */
export type Closed = { day: number; after: number; at: number };

/** A slice of a sealed day, for an engine that stores visits outside of the database file (the cluster). */
export type Slice = Totals &
  Closed & {
    id: number;
    slice: number;
    importId: number | null;
    hasHits: number;
    format: number;
    recountedAt: number | null;
  };

const SLICES = `SELECT id, day, slice, format, import_id AS importId, coalesce(after_id, 0) AS after, has_hits AS hasHits,
    recounted_at AS recountedAt, staged_at AS at, ${TOTALS.join(', ')}
  FROM sealed_day WHERE ${BETWEEN} ORDER BY day, slice`;
export const listSlices = (db: Db, siteId: number, from: number, to: number): Slice[] =>
  db.all(SLICES, siteId, from, to);

/**
 * Lists the sealed days since the day `from`, of one site or of all sites. `first` is the earliest of all sealed days,
 * even if it is before `from`.
 */
export function listSealedSince(db: Db, from: number, siteId?: number): { ids: number[]; first: number | undefined } {
  const of = "state = 'shown' AND site_id = coalesce(?, site_id)";
  const ids = db.all<{ id: number }>(`SELECT id FROM sealed_day WHERE ${of} AND day >= ?`, siteId ?? null, from);
  const first = db.one<{ day: number | null }>(`SELECT min(day) AS day FROM sealed_day WHERE ${of}`, siteId ?? null);
  return { ids: ids.map(({ id }) => id), first: first?.day ?? undefined };
}

/** Lists the sealed days of a site that came from imports, with their number of hits. */
export const listImported = (db: Db, siteId: number): { importId: number; day: number; hits: number }[] =>
  db.all(
    `SELECT import_id AS importId, day, sum(pageviews + events) AS hits FROM sealed_day
     WHERE ${SHOWN} AND import_id IS NOT NULL GROUP BY import_id, day`,
    siteId,
  );

/** Returns whether a day was sealed from live hits. The sealed day may contain imported hits too. */
export const isSealedFromCollected = (db: Db, siteId: number, day: number): boolean =>
  db.one(`SELECT 1 FROM sealed_day WHERE ${SHOWN} AND day = ? AND import_id IS NULL`, siteId, day) !== undefined;

/**
 * Makes a sealed day a totals-only day. The caller deletes its hits. `unknown` names the sums that could not be
 * counted.
 */
export const setSumsOnly = (db: Db, id: number, unknown: readonly UnknownSum[] = []): void => {
  db.run('UPDATE sealed_day SET has_hits = 0, unknown = ? WHERE id = ?', unknown.join(' '), id);
};

export const findDay = (db: Db, id: number): SealedDay | undefined =>
  db.one(`SELECT ${DAY_FIELDS} FROM sealed_day WHERE id = ?`, id);

/**
 * Lists the sealed days whose visits are still stored. `ids` has the ids of the day's slices, such as '4 5'. `at` is
 * when the last slice was sealed.
 */
export const listFinalDays = (db: Db, siteId: number): { day: number; ids: string; at: number }[] =>
  db.all(
    `SELECT day, group_concat(id, ' ' ORDER BY slice) AS ids, max(staged_at) AS at FROM sealed_day
     WHERE ${SHOWN} AND has_hits = 1 AND visits > 0 GROUP BY day ORDER BY day`,
    siteId,
  );

/** How many ids `stampDays` reads in one step, which takes about 5 ms. */
const STAMPED_IDS = 20_000;

/**
 * Returns numbers that change when a day is sealed, replaced, reopened or deleted, or when its hits are deleted. A
 * server with 1,000 sites has 700,000 days after two years. So the days are read in steps, and other requests are
 * served between two steps.
 */
export async function stampDays(db: Db): Promise<number[]> {
  const stamp = [0, 0, 0];
  const last = db.one<{ last: number | null }>('SELECT max(id) AS last FROM sealed_day')?.last ?? 0;
  for (let from = 0; from <= last; from += STAMPED_IDS) {
    if (from > 0) await turn();
    const sums = db.one<Record<string, number>>(
      `SELECT count(*) AS days, total(id) AS ids, total(id * has_hits) AS hits FROM sealed_day
       WHERE state = 'shown' AND id BETWEEN ? AND ?`,
      ...[from, from + STAMPED_IDS - 1],
    );
    for (const [i, sum] of Object.values(sums ?? {}).entries()) stamp[i] = (stamp[i] as number) + sum;
  }
  return stamp;
}

/** A sealed day with the ids of its slices, such as '4 5', and the ids of its imports. `at` is when it was sealed. */
export type ReceiptDay = { day: number; ids: string; hasHits: 0 | 1; imports: number[]; at: number };

/**
 * Lists the sealed days of a site, from the day `from` to the day before `to`. A day that a late hit has reopened is
 * left out, and so is a day without visits, unless it is a totals-only day.
 */
export const listReceiptDays = (db: Db, siteId: number, from: number, to: number): ReceiptDay[] =>
  db
    .all<Omit<ReceiptDay, 'imports'> & { imports: string }>(
      `SELECT day, group_concat(id, ' ' ORDER BY slice) AS ids, min(has_hits) AS hasHits, max(staged_at) AS at,
         json_group_array(DISTINCT import_id) FILTER (WHERE import_id IS NOT NULL) AS imports
       FROM sealed_day WHERE ${BETWEEN} GROUP BY day HAVING sum(visits) > 0 OR min(has_hits) = 0 ORDER BY day`,
      siteId,
      from,
      to,
    )
    .map((row) => ({ ...row, imports: (JSON.parse(row.imports) as number[]).sort((one, other) => one - other) }));

/**
 * A slice that queries count now. `since` is the id of the change that brought the slice, or 0 if the slice came with
 * no change.
 */
export type CountedSlice = Pick<SealedDay, 'id' | 'day' | 'visitors' | 'visits' | 'pageviews' | 'events'> & {
  since: number;
};

const COUNTED = `SELECT id, day, since, visitors, visits, pageviews, events FROM sealed_day
  WHERE site_id = ? AND state IN ('shown', 'reopened')`;

export const listImportedSlices = (db: Db, siteId: number, importId: number): CountedSlice[] =>
  db.all(`${COUNTED} AND import_id = ? ORDER BY day, slice`, siteId, importId);

export const listSlicesOn = (db: Db, siteId: number, days: readonly number[]): CountedSlice[] =>
  db.all(`${COUNTED} AND day IN (SELECT value FROM json_each(?)) ORDER BY day, slice`, siteId, JSON.stringify(days));

export const listSlicesWithin = (db: Db, siteId: number, { from, to }: { from: number; to: number }): CountedSlice[] =>
  db.all(`${COUNTED} AND day >= ? AND day < ? ORDER BY day, slice`, siteId, from, to);
