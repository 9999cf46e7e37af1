import type { Db } from './statements.ts';

/**
 * What is noted: a copy was made, the newest one was tried, all days were counted again, how visitors reach the server; and
 * for commands, which have flags of their own, its base URL and its mail server as the server was told them last.
 */
export type Upkeep = 'backup' | 'drill' | 'check' | 'visitors' | 'base-url' | 'mail-host';

export type Noted = { at: number; fine: boolean; words: string };

/** Takes the place of what was noted before. */
export function noteUpkeep(db: Db, name: Upkeep, { at, fine, words }: Noted): void {
  db.write(() =>
    db.run('REPLACE INTO upkeep (name, at, fine, words) VALUES (?, ?, ?, ?)', name, at, Number(fine), words),
  );
}

export function findUpkeep(db: Db, name: Upkeep): Noted | undefined {
  const row = db.one<Omit<Noted, 'fine'> & { fine: number }>('SELECT at, fine, words FROM upkeep WHERE name = ?', name);
  return row && { ...row, fine: row.fine === 1 };
}
