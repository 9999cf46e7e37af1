import { createSecretKey, type KeyObject } from 'node:crypto';
import { addressKey } from '../lib/address.ts';
import { keyedNumber, type Random } from '../lib/secrets.ts';
import type { Clock } from '../lib/time.ts';
import type { Db } from '../store/statements.ts';

export type Visitors = ReturnType<typeof visitors>;

/** Pause between two attempts to empty the WAL of an old salt; an open reader makes an attempt fail. */
const WAL_RETRY_MS = 1_000;

/**
 * Codes that recognise a visitor for one day. They are keyed with a random salt, which the next day's salt overwrites, so that
 * nobody can compute them afterwards (test/collect/collector.test.ts). A restart on the same day keeps the salt.
 */
export function visitors(db: Db, random: Random, clock: Clock) {
  let salt: { day: number; key: KeyObject } | undefined;
  /** The last attempt to empty the WAL, which still has the overwritten salt; undefined once it is empty. */
  let walTriedAt: number | undefined;

  function renew(day: number): KeyObject {
    if (salt?.day !== day) {
      const bytes = db.write(() => {
        const stored = db.one<{ day: number; bytes: Buffer }>('SELECT day, bytes FROM salt WHERE one = 1');
        if (stored?.day === day) return stored.bytes;
        const fresh = random(32);
        db.run('REPLACE INTO salt (one, day, bytes) VALUES (1, ?, ?)', day, fresh);
        return fresh;
      });
      salt = { day, key: createSecretKey(bytes) };
      walTriedAt = Number.NEGATIVE_INFINITY;
    }
    if (walTriedAt !== undefined) walTriedAt = db.emptyWal() ? undefined : clock.tick();
    return salt.key;
  }

  function saltOf(day: number): KeyObject {
    const isDue = walTriedAt !== undefined && clock.tick() - walTriedAt >= WAL_RETRY_MS;
    return salt?.day === day && !isDue ? salt.key : renew(day);
  }

  return {
    /** In a day with a million visitors, the chance that two share a code is 1 in 18,000. */
    codeOf: (day: number, siteId: number, address: string, agent: string): number =>
      keyedNumber(saltOf(day), `${siteId}\n${addressKey(address)}\n${agent}`),
    /** For times without hits: overwrites the salt of another day, and retries to empty the WAL. */
    renew(day: number): void {
      renew(day);
    },
  };
}
