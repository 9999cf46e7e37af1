import type { Word } from '../stats/dimensions.ts';
import type { Db } from '../store/statements.ts';

/** Beyond so many terms of one site in memory, they are looked up again. */
const REMEMBERED = 50_000;

/** The number of a text on a site; undefined for one that it never saw. */
const findTerm = (db: Db, siteId: number, text: string): number | undefined =>
  db.one<{ id: number }>('SELECT id FROM term WHERE site_id = ? AND text = ?', siteId, text)?.id;

export const hasTerm = (db: Db, siteId: number, id: number): boolean =>
  db.one('SELECT 1 FROM term WHERE site_id = ? AND id = ?', siteId, id) !== undefined;

function addTerm(db: Db, siteId: number, text: string): number {
  const last = db.one<{ id: number | null }>('SELECT max(id) AS id FROM term WHERE site_id = ?', siteId)?.id ?? 0;
  db.run('INSERT INTO term (site_id, id, text) VALUES (?, ?, ?)', siteId, last + 1, text);
  return last + 1;
}

/** The number of a text, which gets one if it has none. */
export const termFor = (db: Db, siteId: number, text: string): number =>
  findTerm(db, siteId, text) ?? addTerm(db, siteId, text);

/** The texts of a site, both ways. The empty text is 0. */
export type Texts = { termOf(text: string): number | undefined; textOf(term: number): string };

export const textsOf = (db: Db, siteId: number): Texts => ({
  termOf: (text) => (text === '' ? 0 : findTerm(db, siteId, text)),
  textOf: (term) =>
    term === 0
      ? ''
      : (db.one<{ text: string }>('SELECT text FROM term WHERE site_id = ? AND id = ?', siteId, term)?.text ?? ''),
});

/** The same for many texts in a row, which remembers some of them. */
export function rememberedTexts(db: Db, siteId: number): Texts['textOf'] {
  const { textOf } = textsOf(db, siteId);
  const known = new Map<number, string>();
  return (term) => {
    let text = known.get(term);
    if (text === undefined) {
      text = textOf(term);
      if (known.size >= REMEMBERED) known.clear();
      known.set(term, text);
    }
    return text;
  };
}

/** A word that a day has seen. */
export type Seen = { id: number; text: string };

export const listSeen = (db: Db, siteId: number, day: number, kind: Word): Seen[] =>
  db.all(
    `SELECT t.id, t.text FROM day_word w JOIN term t ON t.site_id = w.site_id AND t.id = w.term
     WHERE w.site_id = ? AND w.day = ? AND w.kind = ?`,
    siteId,
    day,
    kind,
  );

/** A command beside the server may have noted the word already. */
export const noteSeen = (db: Db, siteId: number, day: number, kind: Word, term: number): void => {
  const sql = 'INSERT INTO day_word (site_id, day, kind, term) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING';
  db.run(sql, siteId, day, kind, term);
};

/** Deletes at most so many notes of days before one; gives how many went. */
export const removeSeenBefore = (db: Db, siteId: number, day: number, most: number): number =>
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
