import * as v from 'valibot';
import { coded } from '../lang/coded.ts';
import { invalid, Problem } from '../lib/errors.ts';
import { Day, Id, Time, text } from '../lib/http/fields.ts';
import { DAY, formatDay, iso } from '../lib/time.ts';
import { findSiteDay } from '../lib/zone.ts';
import * as notes from '../store/sites/notes.ts';
import type { Site } from '../store/sites/sites.ts';
import type { SiteCall } from './route.ts';

export const Note = v.strictObject({ id: Id, date: Day, text: v.string(), created_at: Time });
export type Note = v.InferOutput<typeof Note>;

export const NewNote = v.strictObject({ date: Day, text: text(200) });

export const NoteChange = v.partial(NewNote);

export const NoteRange = v.strictObject({ from: v.optional(Day), to: v.optional(Day) });

export function list({ db, site, query }: SiteCall<undefined, v.InferOutput<typeof NoteRange>>): Note[] {
  const { from = '0000-01-01', to = '9999-12-31' } = query;
  if (from > to) throw invalid({ from: coded('after_to') });
  return notes.listNotes(db, site.id, from, to).map(answer);
}

export const assertRoom = ({ db, site }: SiteCall): void => notes.assertRoomForNote(db, site.id);

export function add({ db, site, body, now }: SiteCall<v.InferOutput<typeof NewNote>>): Note {
  assertPast(site, body.date, now);
  return answer(notes.addNote(db, site.id, body, now));
}

export function change({ db, site, id, body, now }: SiteCall<v.InferOutput<typeof NoteChange>>): Note {
  const note = notes.findNote(db, site.id, id);
  if (!note) throw new Problem('not_found');
  const { date = note.date, text = note.text } = body;
  assertPast(site, date, now);
  return answer(notes.changeNote(db, site.id, note, { date, text }));
}

export const remove = ({ db, site, id }: SiteCall): void => notes.removeNote(db, site.id, id);

function assertPast(site: Site, date: string, now: number): void {
  if (date > formatDay(findSiteDay(site, now) * DAY)) {
    throw invalid({ date: coded('day_to_come', { zone: site.timeZone }) });
  }
}

const answer = (note: notes.Note): Note => ({ ...note, created_at: iso(note.created_at) });
