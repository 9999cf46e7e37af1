import { createSecretKey, type KeyObject } from 'node:crypto';
import { addressKey } from '../lib/address.ts';
import { keyedNumber, type Random } from '../lib/secrets.ts';
import type { Clock } from '../lib/time.ts';
import type { Db } from '../store/statements.ts';

export type Visitors = ReturnType<typeof visitors>;

/** How long a salt that is over may lie in the WAL before the next code tries to get it out of there again. */
const PATIENCE_MS = 1_000;

/**
 * The codes by which a visitor is known again for one day. They are made with a random salt that is overwritten by that of
 * the next day, so that afterwards nobody can make them again, whatever they know. A restart on the same day keeps it.
 */
export function visitors(db: Db, random: Random, clock: Clock) {
  let salt: { day: number; key: KeyObject } | undefined;
  /** When it was last tried to empty the WAL, in which an overwritten salt still lies; undefined once that is done. */
  let tried: number | undefined;

  function renew(day: number): KeyObject {
    if (salt?.day !== day) {
      const bytes = db.write(() => {
        const kept = db.one<{ day: number; bytes: Buffer }>('SELECT day, bytes FROM salt WHERE one = 1');
        if (kept?.day === day) return kept.bytes;
        const made = random(32);
        db.run('REPLACE INTO salt (one, day, bytes) VALUES (1, ?, ?)', day, made);
        return made;
      });
      salt = { day, key: createSecretKey(bytes) };
      tried = Number.NEGATIVE_INFINITY;
    }
    if (tried !== undefined) tried = db.emptyWal() ? undefined : clock.tick();
    return salt.key;
  }

  function saltOf(day: number): KeyObject {
    const isDue = tried !== undefined && clock.tick() - tried >= PATIENCE_MS;
    return salt?.day === day && !isDue ? salt.key : renew(day);
  }

  return {
    /** Among a million visitors of a day, two have the same code with a chance of 1 in 18,000. */
    codeOf: (day: number, siteId: number, address: string, agent: string): number =>
      keyedNumber(saltOf(day), `${siteId}\n${addressKey(address)}\n${agent}`),
    /** Overwrites the salt of another day, for when nobody comes, and tries again to empty the WAL if that is still due. */
    renew(day: number): void {
      renew(day);
    },
  };
}
