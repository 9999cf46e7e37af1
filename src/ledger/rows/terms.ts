// Stores the texts of a site as terms. A term is the number that stands for a text. Rows and columns have terms,
// because numbers take less space than texts.
//
// Invariant: a term keeps its text as long as the site exists. Term 0 is the empty text.
//
// Example: the first page of a new site is `/`, which becomes term 1. The source `example.com` becomes term 2. If an
// event is also called `/`, the event has term 1 too. capped-terms.ts, imports and transfers add terms. Queries read
// the texts.
import { cached } from '../../lib/cache.ts';
import type { CappedField } from '../../stats/dimensions.ts';
import type { PropertyKind } from '../../stats/properties.ts';
import type { Db } from '../../store/db.ts';
import type { SetTexts } from '../column/properties.ts';
import { cacheSets } from './read-sets.ts';

/** The cache of a site is emptied when it has this many texts, so that it takes little memory. */
const MAX_CACHED = 50_000;

export const readTexts = (db: Db, siteId: number, readSets = cacheSets(db)): Texts => ({
  readSets: (day) => readSets(siteId, day),
  findTerm: (text) => (text === '' ? 0 : selectTerm(db, siteId, text)),
  readText: (term) =>
    term === 0
      ? ''
      : (db.one<{ text: string }>('SELECT text FROM term WHERE site_id = ? AND id = ?', siteId, term)?.text ?? ''),
});

const selectTerm = (db: Db, siteId: number, text: string): number | undefined =>
  db.one<{ id: number }>('SELECT id FROM term WHERE site_id = ? AND text = ?', siteId, text)?.id;

export const hasTerm = (db: Db, siteId: number, id: number): boolean =>
  db.one('SELECT 1 FROM term WHERE site_id = ? AND id = ?', siteId, id) !== undefined;

function addTerm(db: Db, siteId: number, text: string): number {
  const last = db.one<{ id: number | null }>('SELECT max(id) AS id FROM term WHERE site_id = ?', siteId)?.id ?? 0;
  db.run('INSERT INTO term (site_id, id, text) VALUES (?, ?, ?)', siteId, last + 1, text);
  return last + 1;
}

export const findOrAddTerm = (db: Db, siteId: number, text: string): number =>
  selectTerm(db, siteId, text) ?? addTerm(db, siteId, text);

/** Finds terms and texts. The text of an unknown term is empty. */
export type Texts = SetTexts & { findTerm(text: string): number | undefined; readText(term: number): string };

export const cacheTexts = (db: Db, siteId: number): Texts['readText'] =>
  cached(readTexts(db, siteId).readText, { size: MAX_CACHED });

/** The cache of all sites is emptied when it has this many texts, so that it takes little memory. */
const MAX_CACHED_OF_SITES = 100_000;
/**
 * Every term is smaller than this number. So `siteId * MAX_TERM + term` is a different key for each term of each site.
 */
const MAX_TERM = 2 ** 31;

export function cacheTextsOfSites(db: Db, readSets = cacheSets(db)): (siteId: number) => Texts {
  const read = (key: number) => readTexts(db, Math.floor(key / MAX_TERM)).readText(key % MAX_TERM);
  const readText = cached<string, number>(read, { size: MAX_CACHED_OF_SITES });
  return (siteId) => ({
    ...readTexts(db, siteId, readSets),
    readText: (term) => readText(siteId * MAX_TERM + term),
  });
}

/** The kinds of texts that the table `day_term` lists for each open day. */
type DayKind = CappedField | PropertyKind;

/**
 * A text that a day uses, with its term. A day may use only a limited number of different texts of each kind. The table
 * `day_term` says which texts of hits a day already uses.
 */
export type DayTerm = { id: number; text: string };

export const listDayTerms = (db: Db, siteId: number, day: number, kind: DayKind): DayTerm[] =>
  db.all(
    `SELECT t.id, t.text FROM day_term w JOIN term t ON t.site_id = w.site_id AND t.id = w.term
     WHERE w.site_id = ? AND w.day = ? AND w.kind = ?`,
    siteId,
    day,
    kind,
  );

/** Records that a day uses a term. Does nothing if another process has already recorded this. */
export const addDayTerm = (db: Db, siteId: number, day: number, kind: DayKind, term: number): void => {
  const sql = 'INSERT INTO day_term (site_id, day, kind, term) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING';
  db.run(sql, siteId, day, kind, term);
};

export const removeDayTermsBefore = (db: Db, siteId: number, day: number, most: number): number =>
  db.run(
    `DELETE FROM day_term WHERE (site_id, day, kind, term) IN
       (SELECT site_id, day, kind, term FROM day_term WHERE site_id = ? AND day < ? LIMIT ?)`,
    siteId,
    day,
    most,
  ).changes;

export const removeSiteTerms = (db: Db, siteId: number, most: number): number =>
  db.run(
    'DELETE FROM term WHERE (site_id, id) IN (SELECT site_id, id FROM term WHERE site_id = ? LIMIT ?)',
    siteId,
    most,
  ).changes;
