// An exclusion is a rule of a site: visits that match the rule do not count in reports. The visits are not deleted, and
// count again after the exclusion is removed.
//
// Invariant: an exclusion covers whole days. The first day is `from`, and the last day is the day before `to`. Without
// `to`, the exclusion also covers all later days.
//
// Example: `{ from: 20700, to: null, filters: { country: ['is', ['XX']] }, … }` excludes visits from the country XX on
// day 20700 (counted since 1970) and all later days. api/exclusions.ts adds and removes exclusions. Engines read them
// with listExclusions.

import { coded } from '../../lang/coded.ts';
import { Problem } from '../../lib/errors.ts';
import type { Db } from '../db.ts';
import { addChange } from './changes.ts';

/** An exclusion before it is stored. `to` is the first day that is not covered. Null: all later days are covered. */
export type NewExclusion = {
  from: number;
  to: number | null;
  filters: object;
  /** The filters as the user wrote them. The API and commands show these. `filters` has the form that engines read. */
  applied: object;
  note: string;
};
export type Exclusion = NewExclusion & { id: number; created_at: number };

type StoredExclusion = Omit<Exclusion, 'filters' | 'applied'> & { filters: string; applied: string };

const EXCLUSION =
  'SELECT id, from_day AS "from", to_day AS "to", filters, applied, note, created_at FROM exclusion WHERE site_id = ?';

const read = ({ filters, applied, ...row }: StoredExclusion): Exclusion => ({
  ...row,
  filters: JSON.parse(filters),
  applied: JSON.parse(applied),
});

export const listExclusions = (db: Db, siteId: number): Exclusion[] =>
  db.all<StoredExclusion>(`${EXCLUSION} ORDER BY id`, siteId).map(read);

export function findExclusion(db: Db, siteId: number, id: number): Exclusion | undefined {
  const row = db.one<StoredExclusion>(`${EXCLUSION} AND id = ?`, siteId, id);
  return row && read(row);
}

export const listExcludingSites = (db: Db): number[] =>
  db.all<{ id: number }>('SELECT DISTINCT site_id AS id FROM exclusion').map(({ id }) => id);

/**
 * The most exclusions of a site. Each exclusion is compared with every visit of its days, therefore many exclusions
 * would make queries slow.
 */
const EXCLUSIONS_PER_SITE = 50;

export function assertRoomForExclusion(db: Db, siteId: number): void {
  if (listExclusions(db, siteId).length < EXCLUSIONS_PER_SITE) return;
  throw new Problem('limit_reached', {
    message: coded('most_exclusions', { most: EXCLUSIONS_PER_SITE }),
  });
}

export function addExclusion(db: Db, siteId: number, one: NewExclusion, now: number): Exclusion {
  const { from, to, filters, applied, note } = one;
  const change = addChange(db, { siteId, reason: 'exclusion_added', name: note, ...readExclusionRange(one), now });
  const sql = `INSERT INTO exclusion (site_id, from_day, to_day, filters, applied, note, created_at, added_by)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)`;
  const { id } = db.run(sql, siteId, from, to, JSON.stringify(filters), JSON.stringify(applied), note, now, change);
  return { id, ...one, created_at: now };
}

const COLUMNS = 'id, site_id, from_day, to_day, filters, applied, note, created_at, added_by';

/**
 * Removes an exclusion. After this call, queries count the excluded visits again. A report that shows the site as it
 * was on an earlier day still needs the exclusion. So the exclusion is stored in `former_exclusion`.
 */
export function removeExclusion(db: Db, siteId: number, id: number, now: number): void {
  const one = findExclusion(db, siteId, id);
  if (!one) return;
  const range = readExclusionRange(one);
  const change = addChange(db, { siteId, reason: 'exclusion_removed', name: one.note, ...range, now });
  const sql = `INSERT INTO former_exclusion (${COLUMNS}, removed_by) SELECT ${COLUMNS}, ? FROM exclusion WHERE id = ?`;
  db.run(sql, change, id);
  db.run('DELETE FROM exclusion WHERE site_id = ? AND id = ?', siteId, id);
}

/**
 * Writes the exclusions of a site into a database file (`db`), such as the file with copies of open days. First deletes
 * all exclusions of the site from this database file.
 */
export function replaceExclusions(db: Db, siteId: number, exclusions: readonly Exclusion[]): void {
  db.run('DELETE FROM exclusion WHERE site_id = ?', siteId);
  const sql = `INSERT INTO exclusion (id, site_id, from_day, to_day, filters, applied, note, created_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)`;
  for (const { id, from, to, filters, applied, note, created_at } of exclusions)
    db.run(sql, id, siteId, from, to, JSON.stringify(filters), JSON.stringify(applied), note, created_at);
}

/**
 * Returns the days of an exclusion. `to` is the first day that is not covered. For an exclusion without an end, `to`
 * becomes the largest possible number.
 */
export const readExclusionRange = ({ from, to }: Pick<Exclusion, 'from' | 'to'>): { from: number; to: number } => ({
  from,
  to: to ?? Number.MAX_SAFE_INTEGER,
});

/**
 * Returns numbers that change when an exclusion of any site is added or removed, and never return to earlier ones. By
 * these numbers, a job notices that its files or receipts may be out of date. `latest` is the highest id so far. Without
 * it, an exclusion that is added and removed during a run of the job would leave no trace.
 */
export const stampExclusions = (db: Db): object =>
  db.one(`SELECT count(*) AS exclusions, sum(id) AS ids,
    (SELECT seq FROM sqlite_sequence WHERE name = 'exclusion') AS latest FROM exclusion`) ?? {};

/**
 * Finds the latest change that added or removed an exclusion of a site. Work that reads days compares this number
 * before and after. If the numbers differ, the work may have seen an exclusion that is gone again.
 */
export const findLastExclusionChange = (db: Db, siteId: number): number =>
  db.one<{ id: number }>(
    `SELECT max(coalesce((SELECT max(added_by) FROM exclusion WHERE site_id = ?), 0),
      coalesce((SELECT max(removed_by) FROM former_exclusion WHERE site_id = ?), 0)) AS id`,
    siteId,
    siteId,
  )?.id ?? 0;
