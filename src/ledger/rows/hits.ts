// This file has the SQL of the table `hit`, with the hits and heartbeats of open days in the order of arrival.
// Invariant: ids ascend in the order of arrival. So a reader who has all rows up to an id asks only for rows above it.
//
// Example: an open day was read up to id 700. `listHits(db, day, 700)` gives the rows from 701 on, a thousand at a time. A heartbeat is a
// row whose `engaged` is a number of seconds; a hit has NULL there, which a `HitList` has as -1.
//
// open/append.ts adds rows, open/row-sources.ts reads them, upkeep/ deletes them.
import { type Activity, isHit } from '../../engine/activity.ts';
import { emptyRows, type ImportedRows } from '../../engine/import-content.ts';
import { TEXT_FIELDS, type TextField } from '../../stats/dimensions.ts';
import type { Db } from '../../store/db.ts';

/** Where hits come from: an import, or visitors if `importId` is null. */
export type Origin = { siteId: number; importId: number | null };
export type OriginDay = Origin & { day: number };

const COLUMNS = ['site_id', 'import_id', 'day', 'second', 'visitor', 'engaged', ...TEXT_FIELDS];
/** Lists the rows of a day with ids above `after`, in the order of arrival and in portions. */
export function* listHits(db: Db, { siteId, importId, day }: OriginDay, after: number): Generator<HitList[]> {
  let last = after;
  for (;;) {
    const lists = db.lists<HitList>(NEXT, siteId, importId, day, last);
    if (lists.length > 0) yield lists;
    last = lists.at(-1)?.[0] ?? last;
    if (lists.length < ROWS_PER_QUERY) return;
  }
}

const writeInsert = (rows: number): string =>
  `INSERT INTO hit (${COLUMNS.join(', ')}) VALUES ${Array(rows)
    .fill(`(${COLUMNS.map(() => '?').join(', ')})`)
    .join(', ')}`;

/** How many rows a statement stores. A row takes 2.7 µs among 32, 3.0 µs among 8, and 4 µs alone. */
const PORTIONS = [32, 8, 1].map((rows) => ({ sql: writeInsert(rows), length: rows * COLUMNS.length }));

/** Stores rows. Their values follow each other in one list. */
function addValues(db: Db, values: readonly (number | null)[]): void {
  let at = 0;
  for (const { sql, length } of PORTIONS) {
    for (; at + length <= values.length; at += length) db.run(sql, ...values.slice(at, at + length));
  }
}

/** Gives the function that turns texts into terms on a day of a site. */
export type TermsOn = (siteId: number, day: number) => (field: TextField, text: string) => number;

/** Stores hits and heartbeats, of visitors or of an import. */
export function addActivities(
  db: Db,
  activities: readonly (Activity & { importId?: number | null })[],
  termsOn: TermsOn,
): void {
  const values: (number | null)[] = [];
  for (const activity of activities) {
    const { siteId, importId = null, day, second, visitor } = activity;
    const findId = termsOn(siteId, day);
    values.push(siteId, importId, day, second, visitor);
    if (isHit(activity)) {
      values.push(null);
      for (const field of TEXT_FIELDS) values.push(findId(field, activity[field]));
    } else {
      values.push(activity.engaged);
      for (const field of TEXT_FIELDS) values.push(field === 'page' ? findId(field, activity.page) : 0);
    }
  }
  addValues(db, values);
}

/** Stores the rows of an import from index `from` to before `to`. */
export function addRows(
  db: Db,
  { siteId, importId, day }: OriginDay,
  rows: ImportedRows,
  from: number,
  to: number,
): void {
  const { second, visitor, engaged, terms } = rows;
  const values: (number | null)[] = [];
  for (let i = from; i < to; i++) {
    const seconds = engaged[i] as number;
    values.push(siteId, importId, day, second[i] as number, visitor[i] as number, seconds < 0 ? null : seconds);
    for (const field of TEXT_FIELDS) values.push(terms[field][i] as number);
  }
  addValues(db, values);
}

/** With more rows, so many objects exist at once that they outlive a collection of young objects. */
export const ROWS_PER_QUERY = 1_000;
const FIELDS = ['id', 'second', 'visitor', 'coalesce(engaged, -1)', ...TEXT_FIELDS].join(', ');
const OF_DAY = 'site_id = ? AND import_id IS ? AND day = ?';
const NEXT = `SELECT ${FIELDS} FROM hit WHERE ${OF_DAY} AND id > ? ORDER BY id LIMIT ${ROWS_PER_QUERY}`;

/** A row of `hit` as a list: id, second, visitor code and engaged, then its terms. */
export type HitList = number[];

/** True if a day has at least `count` rows with ids above `after`. */
export const hasMoreHits = (db: Db, { siteId, importId, day }: OriginDay, after: number, count: number): boolean =>
  db.one(`SELECT id FROM hit WHERE ${OF_DAY} AND id > ? LIMIT 1 OFFSET ?`, siteId, importId, day, after, count - 1) !==
  undefined;

/** Counts the rows of a day with ids above `after`. */
export const countHits = (db: Db, { siteId, importId, day }: OriginDay, after: number): number =>
  db.one<{ n: number }>(`SELECT count(*) AS n FROM hit WHERE ${OF_DAY} AND id > ?`, siteId, importId, day, after)?.n ??
  0;

/** Finds the latest id of a day, or 0. */
export const findLastId = (db: Db, { siteId, importId, day }: OriginDay): number =>
  db.one<{ id: number | null }>(`SELECT max(id) AS id FROM hit WHERE ${OF_DAY}`, siteId, importId, day)?.id ?? 0;

/** Finds the latest id of all sites, or 0. */
export const findNewestId = (db: Db): number => db.one<{ id: number | null }>('SELECT max(id) AS id FROM hit')?.id ?? 0;

/** Finds the second of the last hit or heartbeat of a visitor, in seconds since 1970, or 0. */
export const findLastMoment = (db: Db): number =>
  db.one<{ at: number }>('SELECT day * 86400 + second AS at FROM hit WHERE import_id IS NULL ORDER BY id DESC LIMIT 1')
    ?.at ?? 0;

/** A starting server reads so many rows to continue their visits. This costs about 50 ms. */
const LOOK_BACK = 100_000;

/** Lists when each visitor of the latest rows was last active, if that was since `since`. */
export const listActive = (db: Db, since: number): { visitor: number; last: number }[] =>
  db.all(
    `SELECT visitor, max(day * 86400 + second) AS last
     FROM (SELECT visitor, day, second FROM hit ORDER BY id DESC LIMIT ${LOOK_BACK})
     WHERE day * 86400 + second >= ? GROUP BY visitor`,
    since,
  );

const NEXT_DAY = `SELECT site_id AS siteId, import_id AS importId, day FROM hit
  WHERE site_id = ? AND import_id IS ? AND day > ? ORDER BY day LIMIT 1`;
const NEXT_IMPORT = `SELECT site_id AS siteId, import_id AS importId, day FROM hit
  WHERE site_id = ? AND import_id > ? ORDER BY import_id, day LIMIT 1`;
const NEXT_SITE = `SELECT site_id AS siteId, import_id AS importId, day FROM hit
  WHERE site_id > ? ORDER BY site_id, import_id, day LIMIT 1`;

/**
 * Lists the days with rows, by origin. Each costs up to three index lookups. With one query for the next origin and day, SQLite would scan
 * all rows of the site.
 */
export function listHitDays(db: Db): OriginDay[] {
  const days: OriginDay[] = [];
  for (let last: OriginDay = { siteId: Number.MIN_SAFE_INTEGER, importId: null, day: 0 }; ; ) {
    const { siteId, importId, day } = last;
    const row =
      db.one<OriginDay>(NEXT_DAY, siteId, importId, day) ??
      db.one<OriginDay>(NEXT_IMPORT, siteId, importId ?? 0) ??
      db.one<OriginDay>(NEXT_SITE, siteId);
    if (!row) return days;
    days.push(row);
    last = row;
  }
}

/** Finds the first day with rows of an origin, from `from` to before `to`. */
export const findFirstHitDay = (db: Db, { siteId, importId }: Origin, from: number, to: number): number | undefined =>
  db.one<{ day: number | null }>(
    'SELECT min(day) AS day FROM hit WHERE site_id = ? AND import_id IS ? AND day >= ? AND day < ?',
    siteId,
    importId,
    from,
    to,
  )?.day ?? undefined;

export const hasHits = (db: Db, { siteId, importId }: Origin): boolean =>
  db.one('SELECT 1 FROM hit WHERE site_id = ? AND import_id IS ? LIMIT 1', siteId, importId) !== undefined;

/** Counts the hits of imports in open days, by import and day. */
export const countImported = (db: Db, siteId: number): { importId: number; day: number; hits: number }[] =>
  db.all(
    `SELECT import_id AS importId, day, count(*) AS hits FROM hit
     WHERE site_id = ? AND import_id > 0 AND engaged IS NULL GROUP BY import_id, day`,
    siteId,
  );

/** Deletes up to `most` rows of a day. Returns how many it deleted. */
export const removeHits = (db: Db, { siteId, importId, day }: OriginDay, most: number): number =>
  db.run(`DELETE FROM hit WHERE id IN (SELECT id FROM hit WHERE ${OF_DAY} LIMIT ?)`, siteId, importId, day, most)
    .changes;

/** Deletes up to `most` rows of a day with ids up to `until`. Returns how many it deleted. */
export const removeHitsUntil = (db: Db, { siteId, importId, day }: OriginDay, until: number, most: number): number =>
  db.run(
    `DELETE FROM hit WHERE id IN (SELECT id FROM hit WHERE ${OF_DAY} AND id <= ? ORDER BY id LIMIT ?)`,
    siteId,
    importId,
    day,
    until,
    most,
  ).changes;

/** Deletes up to `most` rows of a site. Returns how many it deleted. */
export const removeSiteHits = (db: Db, siteId: number, most: number): number =>
  db.run('DELETE FROM hit WHERE id IN (SELECT id FROM hit WHERE site_id = ? LIMIT ?)', siteId, most).changes;

/** Copies rows into buffers with twice the room. */
function doubleRoom(rows: ImportedRows): ImportedRows {
  const larger = emptyRows(Math.max(rows.second.length, 1) * 2);
  larger.count = rows.count;
  larger.second.set(rows.second);
  larger.visitor.set(rows.visitor);
  larger.engaged.set(rows.engaged);
  for (const field of TEXT_FIELDS) larger.terms[field].set(rows.terms[field]);
  return larger;
}

/** Copies rows without the first `some` rows. */
export function dropFirst(rows: ImportedRows, some: number): ImportedRows {
  const fewer = emptyRows(rows.count - some);
  fewer.count = rows.count - some;
  fewer.second.set(rows.second.subarray(some, rows.count));
  fewer.visitor.set(rows.visitor.subarray(some, rows.count));
  fewer.engaged.set(rows.engaged.subarray(some, rows.count));
  for (const field of TEXT_FIELDS) fewer.terms[field].set(rows.terms[field].subarray(some, rows.count));
  return fewer;
}

/** Writes a list as row `at`. Reads it by index, because destructuring would make another list of each row. */
function put(rows: ImportedRows, at: number, list: HitList): void {
  rows.second[at] = list[1] as number;
  rows.visitor[at] = list[2] as number;
  rows.engaged[at] = list[3] as number;
  for (let i = 0; i < TEXT_FIELDS.length; i++) rows.terms[TEXT_FIELDS[i] as TextField][at] = list[4 + i] as number;
}

/** Appends lists to the rows, in place while the buffers have room. */
export function appendLists(rows: ImportedRows, lists: Iterable<HitList>): ImportedRows {
  let result = rows;
  for (const list of lists) {
    if (result.count === result.second.length) result = doubleRoom(result);
    put(result, result.count++, list);
  }
  return result;
}

export const countOpenHits = (db: Db): number =>
  db.one<{ n: number }>('SELECT count(*) AS n FROM hit WHERE engaged IS NULL')?.n ?? 0;
