import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { addressKey } from '../lib/address.ts';
import type { Random } from '../lib/secrets.ts';
import type { Db } from '../store/statements.ts';

export type Visitors = ReturnType<typeof visitors>;

/**
 * The codes by which a visitor is known again for one day. They are made with a random salt that is overwritten by that of
 * the next day, so that afterwards nobody can make them again, whatever they know. A restart on the same day keeps it.
 */
export function visitors(db: Db, random: Random) {
  // As a key object: node would make one of the bytes for every code, which takes four times as long as the code.
  let salt: { day: number; key: KeyObject } | undefined;

  function saltOf(day: number): KeyObject {
    if (salt?.day === day) return salt.key;
    const bytes = db.write(() => {
      const kept = db.one<{ day: number; bytes: Buffer }>('SELECT day, bytes FROM salt WHERE one = 1');
      if (kept?.day === day) return kept.bytes;
      const made = random(32);
      db.run('REPLACE INTO salt (one, day, bytes) VALUES (1, ?, ?)', day, made);
      return made;
    });
    // What was overwritten is still in the WAL until that is emptied.
    db.emptyWal();
    salt = { day, key: createSecretKey(bytes) };
    return salt.key;
  }

  return {
    /** 53 bits, what a number holds exactly: in a million visitors of a day two meet with a chance of 1 in 18,000. */
    codeOf(day: number, siteId: number, address: string, agent: string): number {
      const parts = `${siteId}\n${addressKey(address)}\n${agent}`;
      const digest = createHmac('sha256', saltOf(day)).update(parts).digest();
      return digest.readUIntBE(0, 6) * 32 + ((digest[6] ?? 0) >> 3);
    },
  };
}
