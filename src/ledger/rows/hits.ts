// All SQL of the table `hit`, which has the hits and heartbeats of open days.
//
// Invariant: ids are ascending in the order of arrival. Code that has read all rows up to an id needs to read only rows
// with larger ids.
//
// Example: an open day was read up to id 700. `listHits(db, day, 700)` returns the rows from id 701 on, a thousand at a
// time. In the row of a heartbeat, `engaged` is a number of seconds. In the row of a hit, `engaged` is NULL, and the
// `HitList` has -1.
//
// open/append.ts, imports and transfers add rows, and open/row-sources.ts reads rows. Compaction and the files of
// upkeep/ delete rows.
import { type Activity, isHit } from '../../engine/activity.ts';
import { type ImportedRows, unpackScroll } from '../../engine/import-content.ts';
import { cached } from '../../lib/cache.ts';
import { PROPERTIES, TEXT_FIELDS } from '../../stats/dimensions.ts';
import type { Db } from '../../store/db.ts';
import type { TermIndex } from './capped-terms.ts';
import type { HitList } from './hit-lists.ts';
import { findOrAddSet } from './property-sets.ts';

/** Where hits come from. `importId` is the id of an import, or null for live hits. */
export type Origin = { siteId: number; importId: number | null };
export type OriginDay = Origin & { day: number };

const COLUMNS = ['site_id', 'import_id', 'day', 'second', 'visitor', 'engaged', 'scroll', ...TEXT_FIELDS, 'vitals'];
/**
 * Lists the rows of a day with ids above `after`, in the order of arrival. Reads 1,000 rows at a time, so only these
 * rows take memory.
 */
export function* listHits(db: Db, { siteId, importId, day }: OriginDay, after: number): Generator<HitList[]> {
  let last = after;
  for (;;) {
    const lists = db.lists<HitList>(NEXT, siteId, importId, day, last);
    if (lists.length > 0) yield lists;
    last = lists.at(-1)?.[0] ?? last;
    if (lists.length < ROWS_PER_QUERY) return;
  }
}

/**
 * Columns that most rows leave empty, in groups. An INSERT statement has parameters for a group only if one of its rows
 * has a value there. For all other groups, the statement itself says that the columns are empty. With parameters for
 * all columns, storing a pageview takes a third longer.
 */
const RARE: readonly (readonly string[])[] = [
  ['import_id', 'region', 'city'],
  ['engaged', 'scroll', 'vitals'],
  ['event', 'label', 'properties', 'revenue'],
  ['utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content', 'ad'],
];
const NULLABLE = ['import_id', 'engaged', 'scroll'];

/**
 * `RARE` has groups of columns that most rows leave empty. Each group has a bit: 1, 2, 4 and so on. For each column,
 * this list has the bit of its group. A column in no group has 0, and every INSERT statement has a parameter for it.
 */
const BITS = COLUMNS.map((name) => RARE.reduce((bits, group, i) => bits | (group.includes(name) ? 1 << i : 0), 0));
const EMPTY = COLUMNS.map((name) => (NULLABLE.includes(name) ? null : 0));

const RARE_PLACES = COLUMNS.map((_, i) => i).filter((i) => BITS[i] !== 0);

/**
 * Finds the groups in `RARE` in which at least one of the given rows has a value. The result has the bit of each group
 * that was found (see `BITS`). The fields of the given rows are the entries of `values` from index `from` on, and
 * before index `to`.
 */
function findGroups(values: readonly (number | null)[], from: number, to: number): number {
  let groups = 0;
  for (let at = from; at < to; at += COLUMNS.length)
    for (const i of RARE_PLACES) if (values[at + i] !== EMPTY[i]) groups |= BITS[i] as number;
  return groups;
}

/**
 * Makes an INSERT statement. The lowest bits of `key` say which groups in `RARE` have parameters. The other bits of
 * `key` are the number of rows. `RARE` has groups of columns that most rows leave empty. `places` has the indexes in
 * `COLUMNS` of all columns with parameters.
 */
const findInsert = cached((key: number) => {
  const [rows, groups] = [key >> RARE.length, key & ((1 << RARE.length) - 1)];
  const has = (i: number): boolean => BITS[i] === 0 || ((BITS[i] as number) & groups) > 0;
  const row = `(${COLUMNS.map((_, i) => (has(i) ? '?' : String(EMPTY[i]))).join(', ')})`;
  const sql = `INSERT INTO hit (${COLUMNS.join(', ')}) VALUES ${Array(rows).fill(row).join(', ')}`;
  return { sql, places: COLUMNS.map((_, i) => i).filter(has) };
});

/**
 * Rows are stored by statements of 64 rows, then of 32 rows, and so on. In a statement of 32 rows, each row takes half
 * as long as in a statement of one row.
 */
const PORTIONS = [64, 32, 16, 8, 4, 2, 1];

/**
 * Stores rows of the table `hit`. `values` has all fields of the first row, then all fields of the second row, and so
 * on.
 */
function addValues(db: Db, values: readonly (number | null)[]): void {
  let from = 0;
  for (const rows of PORTIONS) {
    for (let to = from + rows * COLUMNS.length; to <= values.length; from = to, to += rows * COLUMNS.length) {
      const { sql, places } = findInsert((rows << RARE.length) | findGroups(values, from, to));
      const given: (number | null)[] = [];
      for (let at = from; at < to; at += COLUMNS.length)
        for (const place of places) given.push(values[at + place] as number | null);
      db.run(sql, ...given);
    }
  }
}

export function addActivities(
  db: Db,
  activities: readonly (Activity & { importId?: number | null })[],
  terms: TermIndex,
): void {
  const values: (number | null)[] = [];
  for (const activity of activities) {
    const { siteId, importId = null, day, second, visitor } = activity;
    const findTerm = terms.on(siteId, day);
    values.push(siteId, importId, day, second, visitor);
    if (isHit(activity)) {
      values.push(null, null);
      for (const field of TEXT_FIELDS) {
        const text = activity[field];
        // Most texts of most hits are empty, and term 0 is the empty text.
        if (text === '') values.push(0);
        else if (field === PROPERTIES) values.push(findOrAddSet(db, { siteId, day }, text, terms));
        else values.push(findTerm(field, text));
      }
      values.push(0);
    } else {
      values.push(activity.engaged, activity.scroll ?? null);
      for (const field of TEXT_FIELDS) values.push(field === 'page' ? findTerm(field, activity.page) : 0);
      values.push(activity.vitals ?? 0);
    }
  }
  addValues(db, values);
}

/**
 * Stores rows of an import, from index `from` on, and before index `to`. An import is stored by several calls, to keep
 * each transaction short.
 */
export function addRows(
  db: Db,
  { siteId, importId, day }: OriginDay,
  rows: ImportedRows,
  from: number,
  to: number,
): void {
  const { second, visitor, engaged, scroll, vitals, terms } = rows;
  const values: (number | null)[] = [];
  for (let i = from; i < to; i++) {
    const seconds = engaged[i] as number;
    values.push(siteId, importId, day, second[i] as number, visitor[i] as number, seconds < 0 ? null : seconds);
    values.push(unpackScroll(scroll[i] as number) ?? null);
    for (const field of TEXT_FIELDS) values.push(terms[field][i] as number);
    values.push(vitals[i] as number);
  }
  addValues(db, values);
}

/**
 * How many rows a query reads at a time. Reading more rows at a time takes longer, because the garbage collector then
 * has more objects to handle.
 */
export const ROWS_PER_QUERY = 1_000;
const ACTIVE = ['coalesce(engaged, -1)', 'coalesce(scroll + 1, 0)'];
const FIELDS = ['id', 'second', 'visitor', ...ACTIVE, ...TEXT_FIELDS, 'vitals'].join(', ');
const OF_DAY = 'site_id = ? AND import_id IS ? AND day = ?';
const NEXT = `SELECT ${FIELDS} FROM hit WHERE ${OF_DAY} AND id > ? ORDER BY id LIMIT ${ROWS_PER_QUERY}`;

export const hasMoreHits = (db: Db, { siteId, importId, day }: OriginDay, after: number, count: number): boolean =>
  db.one(`SELECT id FROM hit WHERE ${OF_DAY} AND id > ? LIMIT 1 OFFSET ?`, siteId, importId, day, after, count - 1) !==
  undefined;

/** Returns how many rows of a day have ids above `after`. Heartbeats are rows too. */
export const countHits = (db: Db, { siteId, importId, day }: OriginDay, after: number): number =>
  db.one<{ n: number }>(`SELECT count(*) AS n FROM hit WHERE ${OF_DAY} AND id > ?`, siteId, importId, day, after)?.n ??
  0;

export const findLastId = (db: Db, { siteId, importId, day }: OriginDay): number =>
  db.one<{ id: number | null }>(`SELECT max(id) AS id FROM hit WHERE ${OF_DAY}`, siteId, importId, day)?.id ?? 0;

export const hasHit = (db: Db, id: number): boolean => db.one('SELECT 1 FROM hit WHERE id = ?', id) !== undefined;

export const findNewestId = (db: Db): number => db.one<{ id: number | null }>('SELECT max(id) AS id FROM hit')?.id ?? 0;

/** Returns the time of the newest live hit or heartbeat, in seconds since 1970. Returns 0 if there is none. */
export const findLastMoment = (db: Db): number =>
  db.one<{ at: number }>('SELECT day * 86400 + second AS at FROM hit WHERE import_id IS NULL ORDER BY id DESC LIMIT 1')
    ?.at ?? 0;

/**
 * How many rows the server reads when it starts, to know which visitors are active. Reading these rows takes about 50
 * ms.
 */
const LOOK_BACK = 100_000;

/**
 * Lists the visitors who were active at time `since` or later. `last` is the time of their latest row. Times are in
 * seconds since 1970. The server calls this function when it starts. Only the latest 100,000 rows are read, because
 * reading all rows would delay the start.
 */
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
 * Lists the days that have rows, of one site or of all sites. The next day may belong to the same import, to another
 * import or to another site. For this reason, each day takes up to three lookups in an index. A single SQL query for
 * all days would read every row.
 */
export function listHitDays(db: Db, ofSite?: number): OriginDay[] {
  const days: OriginDay[] = [];
  for (let last: OriginDay = { siteId: ofSite ?? Number.MIN_SAFE_INTEGER, importId: null, day: 0 }; ; ) {
    const { siteId, importId, day } = last;
    const row =
      db.one<OriginDay>(NEXT_DAY, siteId, importId, day) ??
      db.one<OriginDay>(NEXT_IMPORT, siteId, importId ?? 0) ??
      (ofSite === undefined ? db.one<OriginDay>(NEXT_SITE, siteId) : undefined);
    if (!row) return days;
    days.push(row);
    last = row;
  }
}

/** Finds the first day with rows, from day `from` on, and before day `to`. */
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

export const countImported = (db: Db, siteId: number): { importId: number; day: number; hits: number }[] =>
  db.all(
    `SELECT import_id AS importId, day, count(*) AS hits FROM hit
     WHERE site_id = ? AND import_id > 0 AND engaged IS NULL GROUP BY import_id, day`,
    siteId,
  );

/**
 * Deletes up to `most` rows of a day, so that the transaction is short. If fewer than `most` rows were deleted, no row
 * of the day is left.
 */
export const removeHits = (db: Db, { siteId, importId, day }: OriginDay, most: number): number =>
  db.run(`DELETE FROM hit WHERE id IN (SELECT id FROM hit WHERE ${OF_DAY} LIMIT ?)`, siteId, importId, day, most)
    .changes;

/**
 * Deletes up to `most` rows of a day with ids up to `until`, so that the transaction is short. If fewer than `most`
 * rows were deleted, no row of the day with an id up to `until` is left.
 */
export const removeHitsUntil = (db: Db, { siteId, importId, day }: OriginDay, until: number, most: number): number =>
  db.run(
    `DELETE FROM hit WHERE id IN (SELECT id FROM hit WHERE ${OF_DAY} AND id <= ? ORDER BY id LIMIT ?)`,
    siteId,
    importId,
    day,
    until,
    most,
  ).changes;

export const removeSiteHits = (db: Db, siteId: number, most: number): number =>
  db.run('DELETE FROM hit WHERE id IN (SELECT id FROM hit WHERE site_id = ? LIMIT ?)', siteId, most).changes;

export const countOpenHits = (db: Db): number =>
  db.one<{ n: number }>('SELECT count(*) AS n FROM hit WHERE engaged IS NULL')?.n ?? 0;
