// Stores the properties of the hits of open days. Each distinct set of properties is stored once, and each hit has the
// id of its set.
//
// Invariant: a set never changes, and its id is never used again. For this reason, a set that a thread has cached stays
// right.
//
// Example: 5,000 hits have the properties plan = pro and theme = dark. The set 81 is `{"plan":12,"theme":40}`, in which
// 12 and 40 are the terms of pro and dark. The 5,000 rows of `hit` have the number 81 in the column `properties`.
// rows/hits.ts and upkeep/import.ts add sets, and rows/read-sets.ts reads them for queries. A sealed day has columns in
// place of sets.
import type { SiteDay } from '../../catalog/sealed-days.ts';
import { OTHER } from '../../stats/dimensions.ts';
import { capProperties, PROPERTY_NAMES, readProperties, VALUES_OF, writeProperties } from '../../stats/properties.ts';
import type { Db } from '../../store/db.ts';
import type { TermIndex } from './capped-terms.ts';

/**
 * Finds the id of the set with the properties in `text`, or adds the set. Returns 0 for a hit without properties: its
 * `text` is empty. If all sets of the day together would have too many properties, the hit gets a set with only the
 * name `(other)`.
 */
export function findOrAddSet(db: Db, { siteId, day }: SiteDay, text: string, terms: TermIndex): number {
  if (text === '') return 0;
  const findTerm = terms.on(siteId, day);
  const { cap, takeMembers } = terms.limitsOn(siteId, day);
  const members = readProperties(capProperties(text, cap)).map(
    ([name, value]) => [name, findTerm(name === OTHER ? PROPERTY_NAMES : `${VALUES_OF}${name}`, value)] as const,
  );
  const known = findSet(db, { siteId, day }, members);
  if (known !== undefined) return known;
  const hasRoom = takeMembers(members.length, () => countMembers(db, { siteId, day }));
  return addSet(db, { siteId, day }, hasRoom ? members : [[OTHER, findTerm(PROPERTY_NAMES, OTHER)]]);
}

/** Counts the members of all sets of a day. In the text of a set, each member has one colon, so colons are counted. */
const countMembers = (db: Db, { siteId, day }: SiteDay): number =>
  db.one<{ n: number }>(
    `SELECT coalesce(sum(length(members) - length(replace(members, ':', ''))), 0) AS n
      FROM property_set WHERE site_id = ? AND day = ?`,
    siteId,
    day,
  )?.n ?? 0;

/** The members of a set: the names of its properties, with the terms of their values. */
export type Members = readonly (readonly [name: string, term: number])[];

const writeMembers = (members: Members): string => JSON.stringify(Object.fromEntries(members));

function findSet(db: Db, { siteId, day }: SiteDay, members: Members): number | undefined {
  if (members.length === 0) return 0;
  const sql = 'SELECT id FROM property_set WHERE site_id = ? AND day = ? AND members = ?';
  return db.one<{ id: number }>(sql, siteId, day, writeMembers(members))?.id;
}

export function addSet(db: Db, { siteId, day }: SiteDay, members: Members): number {
  const sql = 'INSERT INTO property_set (site_id, day, members) VALUES (?, ?, ?)';
  return findSet(db, { siteId, day }, members) ?? db.run(sql, siteId, day, writeMembers(members)).id;
}

/** Reads the properties of a set as one text. Outside of the engine, a hit has its properties in this form. */
export function readSet(db: Db, id: number, readText: (term: number) => string): string {
  if (id === 0) return '';
  const found = db.one<{ members: string }>('SELECT members FROM property_set WHERE id = ?', id);
  const members: Members = Object.entries(JSON.parse(found?.members ?? '{}'));
  return writeProperties(members.map(([name, term]) => [name, readText(term)]));
}

const NEXT_DAY = 'SELECT site_id AS siteId, day FROM property_set WHERE site_id = ? AND day > ? ORDER BY day LIMIT 1';
const NEXT_SITE = 'SELECT site_id AS siteId, day FROM property_set WHERE site_id > ? ORDER BY site_id, day LIMIT 1';

/**
 * Finds the next day with property sets after a given day. It may be a day of the next site. Without a given day, finds
 * the first day of all sites. One call takes up to two lookups in an index. A single SQL query for all days would read
 * every set.
 */
export const findSetDay = (db: Db, { siteId, day }: SiteDay = { siteId: 0, day: 0 }): SiteDay | undefined =>
  db.one(NEXT_DAY, siteId, day) ?? db.one(NEXT_SITE, siteId);

export const removeSets = (db: Db, { siteId, day }: SiteDay, most: number): number =>
  db.run(
    'DELETE FROM property_set WHERE id IN (SELECT id FROM property_set WHERE site_id = ? AND day = ? LIMIT ?)',
    siteId,
    day,
    most,
  ).changes;

export const removeSiteSets = (db: Db, siteId: number, most: number): number =>
  db.run('DELETE FROM property_set WHERE id IN (SELECT id FROM property_set WHERE site_id = ? LIMIT ?)', siteId, most)
    .changes;
