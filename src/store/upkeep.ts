import type { Random } from '../lib/secrets.ts';
import type { Db } from './statements.ts';

/**
 * What is noted: whether all past days could be sealed, that a copy was made, that it was tried, that all days were counted again,
 * that days were counted again in the night, that the server runs, how visitors reach the server; for commands, which do not see the server's flags, its base URL, its mail server and its webhook; what became of the last message to that; the name by
 * which a server knows its copies; in a nightly copy, when which server made it; and
 * where hits are being moved to.
 */
export type Upkeep =
  | 'seal'
  | 'backup'
  | 'drill'
  | 'check'
  | 'recount'
  | 'running'
  | 'visitors'
  | 'base-url'
  | 'mail-host'
  | 'webhook-host'
  | 'webhook'
  | 'server'
  | 'copied'
  | 'moving';

export type Noted = { at: number; fine: boolean; words: string };

/** Replaces what was noted before under this name. */
export function noteUpkeep(db: Db, name: Upkeep, { at, fine, words }: Noted): void {
  db.write(() =>
    db.run('REPLACE INTO upkeep (name, at, fine, words) VALUES (?, ?, ?, ?)', name, at, Number(fine), words),
  );
}

export function findUpkeep(db: Db, name: Upkeep): Noted | undefined {
  const row = db.one<Omit<Noted, 'fine'> & { fine: number }>('SELECT at, fine, words FROM upkeep WHERE name = ?', name);
  return row && { ...row, fine: row.fine === 1 };
}

/** The name of the server of this file, by which it knows its copies. A restored copy goes on under the same name. */
export const serverName = (db: Db, random: Random, now: number): string =>
  db.write(() => {
    const known = findUpkeep(db, 'server')?.words;
    const name = known ?? random(4).toString('hex');
    if (known === undefined) noteUpkeep(db, 'server', { at: now, fine: true, words: name });
    return name;
  });
