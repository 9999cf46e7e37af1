import { coded } from '../../lang/coded.ts';
import { Problem } from '../../lib/errors.ts';
import type { Db } from '../db.ts';

/** `url` is a page about the note, such as that of a commit. */
type OwnNote = { date: string; text: string; url: string | null };
export type Note = OwnNote & { id: number; created_at: number };

const NOTE = 'SELECT id, date, text, url, created_at FROM note WHERE site_id = ?';

/**
 * Lists the notes from date `from` to date `to`, including both. Dates are written as year, month and day, so sorting
 * them as text sorts them by time.
 */
export const listNotes = (db: Db, siteId: number, from: string, to: string): Note[] =>
  db.all(`${NOTE} AND date >= ? AND date <= ? ORDER BY date, id`, siteId, from, to);

export const findNote = (db: Db, siteId: number, id: number): Note | undefined =>
  db.one(`${NOTE} AND id = ?`, siteId, id);

/**
 * The dashboard asks for all notes of a site in one request. While the server writes the answer, it takes no hits. A
 * list of 100,000 notes would take more than a second.
 */
const NOTES_PER_SITE = 5_000;

export function assertRoomForNote(db: Db, siteId: number): void {
  const count = db.one<{ n: number }>('SELECT count(*) AS n FROM note WHERE site_id = ?', siteId)?.n ?? 0;
  if (count >= NOTES_PER_SITE)
    throw new Problem('limit_reached', { message: coded('most_notes', { most: NOTES_PER_SITE }) });
}

export function addNote(db: Db, siteId: number, note: OwnNote, now: number): Note {
  const sql = 'INSERT INTO note (site_id, date, text, url, created_at) VALUES (?, ?, ?, ?, ?)';
  return { id: db.run(sql, siteId, note.date, note.text, note.url, now).id, ...note, created_at: now };
}

export function changeNote(db: Db, siteId: number, note: Note): Note {
  const { id, date, text, url } = note;
  db.run('UPDATE note SET date = ?, text = ?, url = ? WHERE site_id = ? AND id = ?', date, text, url, siteId, id);
  return note;
}

export const removeNote = (db: Db, siteId: number, id: number): void => {
  db.run('DELETE FROM note WHERE site_id = ? AND id = ?', siteId, id);
};
