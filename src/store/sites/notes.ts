import { coded } from '../../lang/coded.ts';
import { Problem } from '../../lib/errors.ts';
import type { Db } from '../db.ts';

/**
 * A note about a day. `url` is a page about the note, such as the page of a commit. With `effect`, a message two weeks
 * later says how the figures changed (mail/effects.ts).
 */
type OwnNote = { date: string; text: string; url: string | null; effect: boolean };
export type Note = OwnNote & { id: number; created_at: number };

type Row = Omit<Note, 'effect'> & { effect: 0 | 1 };

const NOTE = 'SELECT id, date, text, url, effect, created_at FROM note WHERE site_id = ?';
const readRow = (row: Row): Note => ({ ...row, effect: row.effect === 1 });

/**
 * Lists the notes from date `from` to date `to`, including these two dates. Dates are written as year, month and day.
 * Therefore dates can be compared and sorted as text. Without dates, all notes are listed.
 */
export const listNotes = (db: Db, siteId: number, from = '0000-01-01', to = '9999-12-31'): Note[] =>
  db.all<Row>(`${NOTE} AND date >= ? AND date <= ? ORDER BY date, id`, siteId, from, to).map(readRow);

export function findNote(db: Db, siteId: number, id: number): Note | undefined {
  const row = db.one<Row>(`${NOTE} AND id = ?`, siteId, id);
  return row && readRow(row);
}

/**
 * The most notes of a site. The dashboard requests all notes of a site in one request. While the server writes this
 * response, the server accepts no hits. A list of 100,000 notes would take more than a second.
 */
const NOTES_PER_SITE = 5_000;

export function assertRoomForNote(db: Db, siteId: number): void {
  const count = db.one<{ n: number }>('SELECT count(*) AS n FROM note WHERE site_id = ?', siteId)?.n ?? 0;
  if (count >= NOTES_PER_SITE)
    throw new Problem('limit_reached', { message: coded('most_notes', { most: NOTES_PER_SITE }) });
}

export function addNote(db: Db, siteId: number, note: OwnNote, now: number): Note {
  const { date, text, url, effect } = note;
  const sql = 'INSERT INTO note (site_id, date, text, url, effect, created_at) VALUES (?, ?, ?, ?, ?, ?)';
  return { id: db.run(sql, siteId, date, text, url, Number(effect), now).id, ...note, created_at: now };
}

export function changeNote(db: Db, siteId: number, note: Note): Note {
  const { id, date, text, url, effect } = note;
  const sql = 'UPDATE note SET date = ?, text = ?, url = ?, effect = ? WHERE site_id = ? AND id = ?';
  db.run(sql, date, text, url, Number(effect), siteId, id);
  return note;
}

export const removeNote = (db: Db, siteId: number, id: number): void => {
  db.run('DELETE FROM note WHERE site_id = ? AND id = ?', siteId, id);
};
