import { createSecretKey, type KeyObject } from 'node:crypto';
import { addressKey } from '../lib/address.ts';
import { cached } from '../lib/cache.ts';
import { keyedNumber, type Random } from '../lib/secrets.ts';
import { type Clock, DAY } from '../lib/time.ts';
import { dayOfSite } from '../lib/zone.ts';
import { addSalt, findSalt, listSalts, listSaltsOf, removeSalt, type Salt } from '../store/salts.ts';
import type { Db } from '../store/statements.ts';
import { findTrustedDay, leapTo } from '../store/trust.ts';

export type Visitors = ReturnType<typeof visitors>;

/** Pause between two attempts to empty the WAL of an old salt; an open reader makes an attempt fail. */
const WAL_RETRY_MS = 1_000;

/** Most who send one message send another soon, and a code takes as long to compute as a hit takes to be stored. */
const RECENT = { size: 10_000, longest: 600 };

/** A leap of the clock must not cost the trusted day its salts: of those days of sites that ran on it. */
function isTrusted(db: Db, salt: Salt, today: number): boolean {
  const trusted = findTrustedDay(db);
  if (trusted === undefined || leapTo(db, today) === 0) return false;
  const [first, last] = [trusted * DAY, (trusted + 1) * DAY - 1].map((instant) => dayOfSite(salt, instant));
  return first !== undefined && last !== undefined && salt.day >= first && salt.day <= last;
}

/** The salt of a site's day, made if there is none. Those of other days go; `removed` tells whether there were any. */
const saltOn = (db: Db, siteId: number, day: number, random: Random): { bytes: Buffer; removed: boolean } =>
  db.write(() => {
    const others = listSaltsOf(db, siteId).filter((salt) => salt.day !== day && !isTrusted(db, salt, day));
    for (const other of others) removeSalt(db, other);
    const known = findSalt(db, siteId, day);
    const bytes = known ?? random(32);
    if (!known) addSalt(db, { siteId, day }, bytes);
    return { bytes, removed: others.length > 0 };
  });

/** Removes the salts of days that are over; gives whether there were any, and the sites that still have one. */
function removeOver(db: Db, now: number): { removed: boolean; sites: Set<number> } {
  const today = Math.floor(now / DAY);
  const isKept = (salt: Salt): boolean => salt.day === dayOfSite(salt, now) || isTrusted(db, salt, today);
  const { over = [], kept = [] } = Object.groupBy(listSalts(db), (salt) => (isKept(salt) ? 'kept' : 'over'));
  if (over.length > 0) {
    db.write(() => {
      for (const salt of over) removeSalt(db, salt);
    });
  }
  return { removed: over.length > 0, sites: new Set(kept.map(({ siteId }) => siteId)) };
}

/** The keys of sites, each of the day for which it was asked last, and the codes that were made with them lately. */
function keyRing() {
  const keys = new Map<number, { day: number; key: KeyObject }>();
  let key: KeyObject;
  const recentCodes = () => cached((text: string) => keyedNumber(key, text), RECENT);
  let codeOf = recentCodes();

  return {
    has: (siteId: number, day: number): boolean => keys.get(siteId)?.day === day,
    put(siteId: number, day: number, bytes: Buffer): void {
      // No code is remembered for longer than its salt.
      if (keys.has(siteId)) codeOf = recentCodes();
      keys.set(siteId, { day, key: createSecretKey(bytes) });
    },
    /** Forgets all sites but these; gives whether there were others. */
    keepOnly(sites: ReadonlySet<number>): boolean {
      const gone = [...keys.keys()].filter((siteId) => !sites.has(siteId));
      for (const siteId of gone) keys.delete(siteId);
      if (gone.length > 0) codeOf = recentCodes();
      return gone.length > 0;
    },
    codeOf(siteId: number, address: string, agent: string): number {
      key = keys.get(siteId)?.key as KeyObject;
      return codeOf(`${siteId}\n${addressKey(address)}\n${agent}`);
    },
  };
}

/**
 * Codes that recognise a visitor of a site for one day. They are keyed with a random salt of that site, which goes when the day is
 * over, so that nobody can compute them afterwards (test/collect/salt.test.ts). A restart on the same day keeps the salt, and so
 * does a clock that leaps and comes back (test/collect/clock.test.ts).
 */
export function visitors(db: Db, random: Random, clock: Pick<Clock, 'tick'>) {
  const ring = keyRing();
  /** Whether the WAL still has a salt that was overwritten, and the last attempt to empty it. */
  let isWalDue = false;
  let walTriedAt = Number.NEGATIVE_INFINITY;

  function emptyWal(): void {
    walTriedAt = clock.tick();
    isWalDue = !db.emptyWal();
  }

  return {
    /** In a day with a million visitors, the chance that two share a code is 1 in 18,000. */
    codeOf(day: number, siteId: number, address: string, agent: string): number {
      if (!ring.has(siteId, day)) {
        const { bytes, removed } = saltOn(db, siteId, day, random);
        ring.put(siteId, day, bytes);
        isWalDue ||= removed;
      }
      if (isWalDue && clock.tick() - walTriedAt >= WAL_RETRY_MS) emptyWal();
      return ring.codeOf(siteId, address, agent);
    },
    /** For times without hits: overwrites the salts of days that are over, and retries to empty the WAL. */
    renew(now: number): void {
      const { removed, sites } = removeOver(db, now);
      // The salts of sites that were deleted went with them.
      const isForgotten = ring.keepOnly(sites);
      isWalDue ||= removed || isForgotten;
      if (isWalDue) emptyWal();
    },
  };
}
