import { cached } from '../../lib/cache.ts';
import type { TextField } from '../../stats/dimensions.ts';
import type { Db } from '../../store/db.ts';

/** The cache of a site is emptied at this many terms. */
const MAX_CACHED = 50_000;

const selectTerm = (db: Db, siteId: number, text: string): number | undefined =>
  db.one<{ id: number }>('SELECT id FROM term WHERE site_id = ? AND text = ?', siteId, text)?.id;

export const hasTerm = (db: Db, siteId: number, id: number): boolean =>
  db.one('SELECT 1 FROM term WHERE site_id = ? AND id = ?', siteId, id) !== undefined;

function addTerm(db: Db, siteId: number, text: string): number {
  const last = db.one<{ id: number | null }>('SELECT max(id) AS id FROM term WHERE site_id = ?', siteId)?.id ?? 0;
  db.run('INSERT INTO term (site_id, id, text) VALUES (?, ?, ?)', siteId, last + 1, text);
  return last + 1;
}

/** The term of a text, which is added if the site does not have it. */
export const termFor = (db: Db, siteId: number, text: string): number =>
  selectTerm(db, siteId, text) ?? addTerm(db, siteId, text);

/** Looks up the terms of a site in both directions. The empty text is term 0; an unknown term has the empty text. */
export type Texts = { findTerm(text: string): number | undefined; readText(term: number): string };

export const readTexts = (db: Db, siteId: number): Texts => ({
  findTerm: (text) => (text === '' ? 0 : selectTerm(db, siteId, text)),
  readText: (term) =>
    term === 0
      ? ''
      : (db.one<{ text: string }>('SELECT text FROM term WHERE site_id = ? AND id = ?', siteId, term)?.text ?? ''),
});

/** readText with a cache, for many lookups in a row. */
export const cachedTexts = (db: Db, siteId: number): Texts['readText'] =>
  cached(readTexts(db, siteId).readText, { size: MAX_CACHED });

/** The terms of all sites are cached together, up to this many. */
const MAX_CACHED_OF_SITES = 100_000;
/** Larger than any term. */
const MAX_TERM = 2 ** 31;

/** The texts of any sites, with one cache, for questions about many of them. */
export function textsOfSites(db: Db): (siteId: number) => Texts {
  const read = (key: number) => readTexts(db, Math.floor(key / MAX_TERM)).readText(key % MAX_TERM);
  const readText = cached<string, number>(read, { size: MAX_CACHED_OF_SITES });
  return (siteId) => ({ ...readTexts(db, siteId), readText: (term) => readText(siteId * MAX_TERM + term) });
}

/** A term that an open day uses; the caps count these. */
export type DayTerm = { id: number; text: string };

export const listDayTerms = (db: Db, siteId: number, day: number, kind: TextField): DayTerm[] =>
  db.all(
    `SELECT t.id, t.text FROM day_word w JOIN term t ON t.site_id = w.site_id AND t.id = w.term
     WHERE w.site_id = ? AND w.day = ? AND w.kind = ?`,
    siteId,
    day,
    kind,
  );

/** Another process may have added the term already, which is no conflict. */
export const addDayTerm = (db: Db, siteId: number, day: number, kind: TextField, term: number): void => {
  const sql = 'INSERT INTO day_word (site_id, day, kind, term) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING';
  db.run(sql, siteId, day, kind, term);
};

/** Deletes up to `most` of the terms of days before `day`. Returns how many it deleted. */
export const removeDayTermsBefore = (db: Db, siteId: number, day: number, most: number): number =>
  db.run(
    `DELETE FROM day_word WHERE (site_id, day, kind, term) IN
       (SELECT site_id, day, kind, term FROM day_word WHERE site_id = ? AND day < ? LIMIT ?)`,
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
