import type { Random } from '../../lib/secrets.ts';
import type { Db } from '../db.ts';

/** What is noted. The three of commands are settings of the server, whose flags they do not see. */
export type UpkeepName =
  /** Whether all past days could be sealed. */
  | 'seal'
  /** That a copy was made, and that it was tried. */
  | 'backup'
  | 'drill'
  /** That all days were counted again, and that some were in the night. */
  | 'check'
  | 'recount'
  | 'running'
  /** How visitors reach the server. */
  | 'visitors'
  /** For commands. */
  | 'base-url'
  | 'mail-host'
  | 'webhook-host'
  /** What became of the last message to the webhook. */
  | 'webhook'
  /** The name by which a server knows its copies; and in a nightly copy, when which server made it. */
  | 'server'
  | 'copied'
  /** Where hits are being moved to. */
  | 'moving';

export type Noted = { at: number; fine: boolean; words: string };

/** Replaces what was noted before under this name. */
export function noteUpkeep(db: Db, name: UpkeepName, { at, fine, words }: Noted): void {
  db.write(() =>
    db.run('REPLACE INTO upkeep (name, at, fine, words) VALUES (?, ?, ?, ?)', name, at, Number(fine), words),
  );
}

export function findUpkeep(db: Db, name: UpkeepName): Noted | undefined {
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
