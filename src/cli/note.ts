// Commands for the notes of a site: add, list and remove notes. For example, a script can add a note about each deploy.
//
// The schema of the API checks the flags, so a command and a request accept equal values.
//
// Example: `daybook note example.com "Deploy 1f2e3d4" --url https://git.example.com/c/1f2e3d4` adds a note to today. A
// running server may have the database file open meanwhile. commands.ts lists these commands.

import { add, NewNote } from '../api/notes.ts';
import { Refusal } from '../lib/errors.ts';
import { Domain } from '../lib/http/fields.ts';
import { checked } from '../lib/http/input.ts';
import { iso } from '../lib/time.ts';
import type { Db } from '../store/db.ts';
import { assertRoomForNote, findNote, listNotes, removeNote } from '../store/sites/notes.ts';
import { type Command, now, validated, withStore } from './command.ts';
import { explainFaults } from './reports.ts';
import { existingSite } from './site.ts';
import { LIST_FLAGS, printTable } from './table.ts';

const findSite = (db: Db, typed: string | undefined) => existingSite(db, validated(Domain, 'DOMAIN', typed));

const addOne: Command = {
  name: 'note',
  args: ['DOMAIN', 'TEXT'],
  summary: 'Add a note to a day of a site, such as a deploy. The chart shows it',
  settings: ['db'],
  flags: {
    day: { value: 'DAY', help: 'the day, such as 2026-01-31 (default today, in the time zone of the site)' },
    at: { value: 'TIME', help: 'a moment of the day, in place of --day, such as 2026-01-31T23:30:00Z' },
    url: { value: 'URL', help: 'a page about it, such as that of the commit' },
    effect: { help: 'send a message two weeks later: how the figures changed' },
  },
  async run({ args: [domain, text], flags, config, io }) {
    const { day: date, at = date === undefined ? iso(now()) : undefined, url } = flags;
    await withStore(config, async (db) => {
      const site = findSite(db, domain);
      const note = await explainFaults({}, () => {
        const body = checked(NewNote, { date, at, text, url, effect: flags.effect !== undefined });
        return db.write(() => {
          assertRoomForNote(db, site.id);
          return add({ db, site, body, now: now() });
        });
      });
      io.print(`note ${note.id}: ${note.date}, ${note.text}`);
    });
  },
};

const list: Command = {
  name: 'notes',
  args: ['DOMAIN'],
  summary: 'List the notes of a site, with the ids for note remove',
  settings: ['db'],
  flags: LIST_FLAGS,
  async run(invocation) {
    await withStore(invocation.config, (db) => {
      const site = findSite(db, invocation.args[0]);
      const rows = listNotes(db, site.id).map((note) => [...[note.id, note.date, note.url ?? '-', note.text]]);
      printTable(invocation, ['ID', 'DATE', 'URL', 'TEXT'], rows, { none: `${site.domain} has no notes` });
    });
  },
};

const remove: Command = {
  name: 'note remove',
  args: ['DOMAIN', 'ID'],
  summary: 'Remove a note',
  settings: ['db'],
  async run({ args: [domain, typed], config, io }) {
    await withStore(config, (db) => {
      const site = findSite(db, domain);
      const note = findNote(db, site.id, Number(typed));
      if (!note) throw new Refusal(`${site.domain} has no note ${typed}. To list all, run daybook notes`);
      db.write(() => removeNote(db, site.id, note.id));
      io.print(`note ${note.id} removed: ${note.date}, ${note.text}`);
    });
  },
};

// The longer name "note remove" comes first. Otherwise, its command line would be read as "note" with arguments.
export const noteCommands = [remove, addOne, list];
