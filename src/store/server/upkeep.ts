import type { Random } from '../../lib/secrets.ts';
import type { Db } from '../db.ts';

/**
 * The names of notes that the server leaves in the database file. Commands do not know the options with which the
 * server was started, so three of them are stored as notes.
 */
export type UpkeepName =
  /** Whether all past days could be sealed. */
  | 'seal'
  /** `backup`: when the last backup was made. `drill`: when the last restore test of a backup ran. */
  | 'backup'
  | 'drill'
  /** `check`: when all sealed days were last recounted. `recount`: when the last nightly recount ran. */
  | 'check'
  | 'recount'
  | 'running'
  /** Whether the IP addresses of visitors reach the server. A proxy before the server must pass them on. */
  | 'visitors'
  /** Options of the server that commands need. */
  | 'base-url'
  | 'mail-host'
  | 'webhook-host'
  /** Whether the webhook accepted the last message. */
  | 'webhook'
  /**
   * `server`: a name by which a server recognizes its own backups. `copied`: when the server made this file as a
   * nightly backup.
   */
  | 'server'
  | 'copied'
  /** The engine to which the hits are being moved. */
  | 'moving';

export type Noted = { at: number; fine: boolean; words: string };

/** Writes a note, and replaces an earlier note with this name. */
export function noteUpkeep(db: Db, name: UpkeepName, { at, fine, words }: Noted): void {
  db.write(() =>
    db.run('REPLACE INTO upkeep (name, at, fine, words) VALUES (?, ?, ?, ?)', name, at, Number(fine), words),
  );
}

export function findUpkeep(db: Db, name: UpkeepName): Noted | undefined {
  const row = db.one<Omit<Noted, 'fine'> & { fine: number }>('SELECT at, fine, words FROM upkeep WHERE name = ?', name);
  return row && { ...row, fine: row.fine === 1 };
}

/**
 * Finds the name by which this server recognizes its own backups. The first call makes the name. The name is part of
 * each backup, so a restored server has the same name.
 */
export const nameServer = (db: Db, random: Random, now: number): string =>
  db.write(() => {
    const known = findUpkeep(db, 'server')?.words;
    const name = known ?? random(4).toString('hex');
    if (known === undefined) noteUpkeep(db, 'server', { at: now, fine: true, words: name });
    return name;
  });
