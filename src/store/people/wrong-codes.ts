import type { Db } from '../db.ts';

/**
 * The number of wrong two-factor codes since the user's last right code (`tries`). After several wrong codes, the user
 * must wait.
 */
export type WrongCodes = { tries: number; lastAt: number };

export const findWrongCodes = (db: Db, userId: number): WrongCodes | undefined =>
  db.one('SELECT tries, last_at AS lastAt FROM wrong_code WHERE user_id = ?', userId);

/** Counts a wrong code. Returns how many wrong codes were entered since the last right code. */
export function addWrongCode(db: Db, userId: number, now: number): number {
  db.run(
    `INSERT INTO wrong_code (user_id, tries, last_at) VALUES (?, 1, ?)
     ON CONFLICT (user_id) DO UPDATE SET tries = tries + 1, last_at = excluded.last_at`,
    userId,
    now,
  );
  return findWrongCodes(db, userId)?.tries ?? 1;
}

export const removeWrongCodes = (db: Db, userId: number): void => {
  db.run('DELETE FROM wrong_code WHERE user_id = ?', userId);
};
