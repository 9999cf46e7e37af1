import { coded } from '../../lang/coded.ts';
import { Problem } from '../../lib/errors.ts';
import type { Db } from '../db.ts';

/** Visits that are set aside: those that the filters select on some days; without an end also on those to come. */
export type NewExclusion = {
  from: number;
  to: number | null;
  filters: object;
  /** The filters as they were asked for. */
  applied: object;
  note: string;
};
export type Exclusion = NewExclusion & { id: number; created_at: number };

type Row = Omit<Exclusion, 'filters' | 'applied'> & { filters: string; applied: string };

const EXCLUSION =
  'SELECT id, from_day AS "from", to_day AS "to", filters, applied, note, created_at FROM exclusion WHERE site_id = ?';

const read = ({ filters, applied, ...row }: Row): Exclusion => ({
  ...row,
  filters: JSON.parse(filters),
  applied: JSON.parse(applied),
});

export const listExclusions = (db: Db, siteId: number): Exclusion[] =>
  db.all<Row>(`${EXCLUSION} ORDER BY id`, siteId).map(read);

export function findExclusion(db: Db, siteId: number, id: number): Exclusion | undefined {
  const row = db.one<Row>(`${EXCLUSION} AND id = ?`, siteId, id);
  return row && read(row);
}

/** The sites that have any. */
export const listExcludingSites = (db: Db): number[] =>
  db.all<{ id: number }>('SELECT DISTINCT site_id AS id FROM exclusion').map(({ id }) => id);

/** Each is tried on every visit of its days. */
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

/** What it had set aside counts again from then on. */
export const removeExclusion = (db: Db, siteId: number, id: number): void => {
  db.run('DELETE FROM exclusion WHERE site_id = ? AND id = ?', siteId, id);
};

/** The days of an exclusion. */
export const rangeOfExclusion = ({ from, to }: Pick<Exclusion, 'from' | 'to'>): { from: number; to: number } => ({
  from,
  to: to ?? Number.MAX_SAFE_INTEGER,
});
