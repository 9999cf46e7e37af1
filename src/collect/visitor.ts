import { createSecretKey } from 'node:crypto';
import { addressKey } from '../lib/address.ts';
import { cached } from '../lib/cache.ts';
import { keyedNumber, type Random } from '../lib/secrets.ts';
import type { Clock } from '../lib/time.ts';
import type { Db } from '../store/statements.ts';
import { findTrustedDay, leapTo } from '../store/trust.ts';

export type Visitors = ReturnType<typeof visitors>;

/** Pause between two attempts to empty the WAL of an old salt; an open reader makes an attempt fail. */
const WAL_RETRY_MS = 1_000;

/** Most who send one message send another soon, and a code takes as long to compute as a hit takes to be stored. */
const RECENT = { size: 10_000, longest: 600 };

/** The salt of a day, made if there is none. It stays alone, except that a leap of the clock must not cost the trusted day its own. */
const saltOn = (db: Db, day: number, random: Random): { bytes: Buffer; isAlone: boolean } =>
  db.write(() => {
    const kept = leapTo(db, day) > 0 ? (findTrustedDay(db) ?? day) : day;
    db.run('DELETE FROM salt WHERE day NOT IN (?, ?)', day, kept);
    const stored = db.one<{ bytes: Buffer }>('SELECT bytes FROM salt WHERE day = ?', day);
    const bytes = stored?.bytes ?? random(32);
    if (!stored) db.run('INSERT INTO salt (day, bytes) VALUES (?, ?)', day, bytes);
    return { bytes, isAlone: kept === day };
  });

/** What computes the codes of a day, and forgets whom it has seen when the day is over. */
type Salt = { day: number; codeOf(text: string): number; isAlone: boolean };

/**
 * Codes that recognise a visitor for one day. They are keyed with a random salt, which goes when the next day begins, so that
 * nobody can compute them afterwards (test/collect/salt.test.ts). A restart on the same day keeps the salt, and so does a
 * clock that leaps and comes back (test/collect/clock.test.ts).
 */
export function visitors(db: Db, random: Random, clock: Clock) {
  let salt: Salt | undefined;
  /** The last attempt to empty the WAL, which still has the overwritten salt; undefined once it is empty. */
  let walTriedAt: number | undefined;

  function renew(day: number): Salt {
    if (salt?.day !== day || !salt.isAlone) {
      const { bytes, isAlone } = saltOn(db, day, random);
      if (salt?.day !== day || isAlone) walTriedAt = Number.NEGATIVE_INFINITY;
      const key = createSecretKey(bytes);
      salt = { day, codeOf: cached((text) => keyedNumber(key, text), RECENT), isAlone };
    }
    if (walTriedAt !== undefined) walTriedAt = db.emptyWal() ? undefined : clock.tick();
    return salt;
  }

  function saltOf(day: number): Salt {
    const isDue = walTriedAt !== undefined && clock.tick() - walTriedAt >= WAL_RETRY_MS;
    return salt?.day === day && !isDue ? salt : renew(day);
  }

  return {
    /** In a day with a million visitors, the chance that two share a code is 1 in 18,000. */
    codeOf: (day: number, siteId: number, address: string, agent: string): number =>
      saltOf(day).codeOf(`${siteId}\n${addressKey(address)}\n${agent}`),
    /** For times without hits: overwrites the salt of another day, and retries to empty the WAL. */
    renew(day: number): void {
      renew(day);
    },
  };
}
