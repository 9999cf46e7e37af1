import type { Db } from '../db.ts';

type TermKind = { siteId: number; day: number; kind: string };

export const listWords = (db: Db, { siteId, day, kind }: TermKind): string[] =>
  db
    .all<{ text: string }>('SELECT text FROM word WHERE site_id = ? AND day = ? AND kind = ?', siteId, day, kind)
    .map(({ text }) => text);

export const addWord = (db: Db, { siteId, day, kind }: TermKind, text: string): void => {
  db.run('INSERT OR IGNORE INTO word (site_id, day, kind, text) VALUES (?, ?, ?, ?)', siteId, day, kind, text);
};

export const removeWordsBefore = (db: Db, day: number): void => {
  db.run('DELETE FROM word WHERE day < ?', day);
};
