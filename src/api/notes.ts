// Notes of a site: what happened on a day, such as a release. The chart shows the notes.
//
// Invariant: the day of a note is today or a past day, in the time zone of the site. A program such as a deploy script
// need not know this zone. Instead of the day `date`, it sends the moment `at`. Share links show notes without their
// URL, because the URL of a commit may be private.
//
// Example: `{ "at": "2026-03-10T23:30:00Z", "text": "Deploy 1f2e3d4" }` is a note of 11 March for a site in Berlin. The
// table in `routes.ts` and the command `daybook note` call these functions.

import * as v from 'valibot';
import { coded } from '../lang/coded.ts';
import { invalid, Problem } from '../lib/errors.ts';
import { fault } from '../lib/http/fault.ts';
import { Day, Id, Instant, Switch, Time, text } from '../lib/http/fields.ts';
import { DAY, formatDay, iso } from '../lib/time.ts';
import { parseUrl } from '../lib/url.ts';
import { findSiteDay, findZone, type SiteZone } from '../lib/zone.ts';
import * as notes from '../store/sites/notes.ts';
import type { SiteCall } from './route.ts';

export const Note = v.strictObject({
  id: Id,
  date: Day,
  text: v.string(),
  url: v.nullable(v.string()),
  effect: v.boolean(),
  created_at: Time,
});
export type Note = v.InferOutput<typeof Note>;

const LONGEST_URL = 500;
const URL_HELP = fault('no_url');

/** The dashboard shows a link to this URL, so only web pages are allowed. */
const WebUrl = v.pipe(
  v.string(URL_HELP),
  v.check((typed) => typed.length <= LONGEST_URL, fault('too_long', { most: LONGEST_URL })),
  v.check((typed) => /^https?:$/.test(parseUrl(typed)?.protocol ?? ''), URL_HELP),
  v.metadata({ format: 'uri', maxLength: LONGEST_URL }),
  v.transform((typed) => parseUrl(typed)?.href ?? ''),
);

export const NewNote = v.strictObject({
  date: v.optional(v.pipe(Day, v.description('The day, in the time zone of the site. Required without at'))),
  at: v.optional(v.pipe(Instant, v.description('A moment of this day, in place of date'))),
  text: text(200),
  url: v.optional(v.nullable(WebUrl)),
  effect: v.optional(v.pipe(Switch, v.description('Whether a message says two weeks later how the figures changed'))),
});
type NewNote = v.InferOutput<typeof NewNote>;

export const NoteChange = v.partial(NewNote);

export const NoteRange = v.strictObject({ from: v.optional(Day), to: v.optional(Day) });

export function list({ db, site, query, caller }: SiteCall<undefined, v.InferOutput<typeof NoteRange>>): Note[] {
  const { from, to } = query;
  if (from !== undefined && to !== undefined && from > to) throw invalid({ from: coded('after_to') });
  const found = notes.listNotes(db, site.id, from, to).map(answer);
  return caller.by === 'share' ? found.map((note) => ({ ...note, url: null })) : found;
}

export const assertRoom = ({ db, site }: SiteCall): void => notes.assertRoomForNote(db, site.id);

/**
 * What adding a note needs from a request. The command `daybook note` has no request, and makes these fields itself
 * (cli/note.ts).
 */
type AddCall = Pick<SiteCall<NewNote>, 'db' | 'body' | 'now'> & { site: { id: number } & SiteZone };

export function add({ db, site, body, now }: AddCall): Note {
  const date = readDate(site, body, now);
  if (date === undefined) throw invalid({ date: coded('required') });
  const { text, url = null, effect = false } = body;
  return answer(notes.addNote(db, site.id, { date, text, url, effect }, now));
}

export function change({ db, site, id, body, now }: SiteCall<v.InferOutput<typeof NoteChange>>): Note {
  const note = notes.findNote(db, site.id, id);
  if (!note) throw new Problem('not_found');
  const date = readDate(site, body, now) ?? note.date;
  const { text = note.text, url = note.url, effect = note.effect } = body;
  return answer(notes.changeNote(db, site.id, { ...note, date, text, url, effect }));
}

export const remove = ({ db, site, id }: SiteCall): void => notes.removeNote(db, site.id, id);

/** Finds the day of a note. Returns undefined if the request has neither `date` nor `at`. */
function readDate(site: SiteZone, { date, at }: Pick<NewNote, 'date' | 'at'>, now: number): string | undefined {
  if (at === undefined) return date && assertPast(site, 'date', date, now);
  if (date !== undefined) throw invalid({ at: coded('cannot_stand_beside', { name: 'date', instead: 'date' }) });
  return assertPast(site, 'at', formatDay(findZone(site.timeZone).dateAt(at) * DAY), now);
}

function assertPast(site: SiteZone, field: 'date' | 'at', date: string, now: number): string {
  if (date > formatDay(findSiteDay(site, now) * DAY)) {
    throw invalid({ [field]: coded('day_to_come', { zone: site.timeZone }) });
  }
  return date;
}

const answer = (note: notes.Note): Note => ({ ...note, created_at: iso(note.created_at) });
