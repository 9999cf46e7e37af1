import type { Db } from './statements.ts';

/**
 * What is noted: whether all past days could be sealed, that a copy was made, that the newest was tried, that all days were counted again, how visitors reach the
 * server; and, for commands, which do not see the server's flags, its base URL and its mail server.
 */
export type Upkeep = 'seal' | 'backup' | 'drill' | 'check' | 'visitors' | 'base-url' | 'mail-host';

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
