import type { Random } from '../../lib/secrets.ts';
import type { Db } from '../db.ts';

/** What is noted. Commands do not see the server's flags, so three of its settings are noted for them. */
export type UpkeepName =
  /** Whether all past days could be sealed. */
  | 'seal'
  /** When a backup was made, and when one was test-restored. */
  | 'backup'
  | 'drill'
  /** When all sealed days were recounted, and when the nightly recount was. */
  | 'check'
  | 'recount'
  | 'running'
  /** How visitors reach the server: whether the proxy passes their IP addresses on. */
  | 'visitors'
  /** Settings of the server that commands need. */
  | 'base-url'
  | 'mail-host'
  | 'webhook-host'
  /** Whether the webhook took the last message. */
  | 'webhook'
  /** The name by which a server knows its backups, and in a nightly backup when the server made it. */
  | 'server'
  | 'copied'
  /** The engine to which hits are being moved. */
  | 'moving';

export type Noted = { at: number; fine: boolean; words: string };

/** Writes a note in place of the earlier one of this name. */
export function noteUpkeep(db: Db, name: UpkeepName, { at, fine, words }: Noted): void {
  db.write(() =>
    db.run('REPLACE INTO upkeep (name, at, fine, words) VALUES (?, ?, ?, ?)', name, at, Number(fine), words),
  );
}

export function findUpkeep(db: Db, name: UpkeepName): Noted | undefined {
  const row = db.one<Omit<Noted, 'fine'> & { fine: number }>('SELECT at, fine, words FROM upkeep WHERE name = ?', name);
  return row && { ...row, fine: row.fine === 1 };
}

/** Finds or makes the name of this file's server, by which it knows its backups. A restored backup keeps the name. */
export const nameServer = (db: Db, random: Random, now: number): string =>
  db.write(() => {
    const known = findUpkeep(db, 'server')?.words;
    const name = known ?? random(4).toString('hex');
    if (known === undefined) noteUpkeep(db, 'server', { at: now, fine: true, words: name });
    return name;
  });
