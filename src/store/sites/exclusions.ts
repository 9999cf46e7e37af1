// Exclusions of a site: rules that take visits out of its statistics. Nothing is deleted; removing an exclusion counts
// its visits again.
//
// Invariant: an exclusion covers whole days, from `from` up to `to`, which is not included. Without `to` it also covers
// days to come.
//
// Example: `{ from: 20700, to: null, filters: { country: ['is', ['XX']] }, … }` excludes visits from XX on day 20700
// and later. api/exclusions.ts adds and removes them, and both engines read them with listExclusions for each query.

import { coded } from '../../lang/coded.ts';
import { Problem } from '../../lib/errors.ts';
import type { Db } from '../db.ts';

/**
 * An exclusion that is not stored yet: it excludes the visits that its filters select. Without `to` it has no last day.
 */
export type NewExclusion = {
  from: number;
  to: number | null;
  filters: object;
  /** The filters as the request gave them. */
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

/** Lists the sites that have exclusions. */
export const listExcludingSites = (db: Db): number[] =>
  db.all<{ id: number }>('SELECT DISTINCT site_id AS id FROM exclusion').map(({ id }) => id);

/** Each exclusion is matched with every visit of its days. */
const EXCLUSIONS_PER_SITE = 50;

export function assertRoomForExclusion(db: Db, siteId: number): void {
  if (listExclusions(db, siteId).length < EXCLUSIONS_PER_SITE) return;
  throw new Problem('limit_reached', {
    message: coded('most_exclusions', { most: EXCLUSIONS_PER_SITE }),
  });
}

export function addExclusion(db: Db, siteId: number, one: NewExclusion, now: number): Exclusion {
  const { from, to, filters, applied, note } = one;
  const sql = `INSERT INTO exclusion (site_id, from_day, to_day, filters, applied, note, created_at)
    VALUES (?, ?, ?, ?, ?, ?, ?)`;
  const { id } = db.run(sql, siteId, from, to, JSON.stringify(filters), JSON.stringify(applied), note, now);
  return { id, ...one, created_at: now };
}

/** Removes an exclusion, so that its visits count again. */
export const removeExclusion = (db: Db, siteId: number, id: number): void => {
  db.run('DELETE FROM exclusion WHERE site_id = ? AND id = ?', siteId, id);
};

/** Gives the days of an exclusion as a half-open range. */
export const readExclusionRange = ({ from, to }: Pick<Exclusion, 'from' | 'to'>): { from: number; to: number } => ({
  from,
  to: to ?? Number.MAX_SAFE_INTEGER,
});
