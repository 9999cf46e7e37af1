// Visitor codes: numbers that recognize a visitor of a site on one day. A code is an HMAC of IP address and user agent,
// keyed with the salt of the site's day.
//
// Invariant: a salt is overwritten within a minute after the site's midnight, so nobody can compute its codes again
// (test/collect/salt.test.ts). A restart keeps the salt of the day, and so does a clock that leaps and comes back
// (test/collect/clock.test.ts).
//
// Example: two pageviews of one browser on 26 November have the code 5,203,…; on 27 November it has another one. The
// chance that two of a million visitors of a day share a code is 1 in 18,000. collect/outcome.ts calls computeCode, and
// the server calls renew each minute.

import { makeAddressKey } from '../lib/http/address.ts';
import { computeKeyedNumber, makeNumberKey, type NumberKey, type Random } from '../lib/secrets.ts';
import { type Clock, DAY } from '../lib/time.ts';
import { findSiteDay } from '../lib/zone.ts';
import type { Db } from '../store/db.ts';
import { computeLeap, findTrustedDay } from '../store/server/clock-trust.ts';
import { addSalt, findSalt, listSalts, listSiteSalts, removeSalt, type Salt } from '../store/sites/salts.ts';
import { listSiteZones } from '../store/sites/zones.ts';

export type Visitors = ReturnType<typeof makeVisitors>;

/** Makes the visitor codes of all sites. */
export function makeVisitors(db: Db, random: Random, clock: Pick<Clock, 'tick'>, isShared: boolean) {
  /** The latest key of each site with its day. */
  const keys = new Map<number, { day: number; key: NumberKey }>();
  /** Whether the WAL still has a removed salt, and the last attempt to empty it. */
  let isWalDue = false;
  let walTriedAt = Number.NEGATIVE_INFINITY;

  function emptyWal(): void {
    walTriedAt = clock.tick();
    isWalDue = !db.emptyWal();
  }

  function makeKey(siteId: number, day: number): NumberKey {
    const known = keys.get(siteId);
    if (known?.day === day) return known.key;
    keys.delete(siteId);
    const { bytes, removed } = takeSalt(db, { siteId, day, isShared }, random);
    const key = makeNumberKey(bytes);
    keys.set(siteId, { day, key });
    isWalDue ||= removed;
    return key;
  }

  return {
    /** Computes the code of a visitor, 53 bits. */
    computeCode(day: number, siteId: number, address: string, agent: string): number {
      const key = makeKey(siteId, day);
      if (isWalDue && clock.tick() - walTriedAt >= WAL_RETRY_MS) emptyWal();
      return computeKeyedNumber(key, `${siteId}\n${makeAddressKey(address)}\n${agent}`);
    },
    /** Forgets all keys. Call it when salts were replaced. */
    forget(): void {
      keys.clear();
    },
    /** Removes salts of past days, and empties the WAL of them. This covers times without hits. */
    renew(now: number): void {
      const today = Math.floor(now / DAY);
      const { over = [], kept = [] } = Object.groupBy(listSalts(db), (salt) =>
        isKept(salt, findSiteDay(salt, now), isShared) || isTrusted(db, salt, today) ? 'kept' : 'over',
      );
      if (over.length > 0) {
        db.write(() => {
          for (const salt of over) removeSalt(db, salt);
        });
      }
      // Salts of deleted sites were deleted with them.
      const stays = new Set(kept.map(({ siteId, day }) => `${siteId} ${day}`));
      const gone = [...keys].filter(([siteId, { day }]) => !stays.has(`${siteId} ${day}`)).map(([siteId]) => siteId);
      for (const siteId of gone) keys.delete(siteId);
      isWalDue ||= over.length + gone.length > 0;
      if (isWalDue) emptyWal();
    },
  };
}

/** The pause between attempts to empty the WAL of an old salt. An open reader makes an attempt fail. */
const WAL_RETRY_MS = 1_000;

/**
 * Tells whether a salt is of the trusted day, or of a site's day that overlaps it. Such a salt survives a leap of the
 * clock.
 */
function isTrusted(db: Db, salt: Salt, today: number): boolean {
  const trusted = findTrustedDay(db);
  if (trusted === undefined || computeLeap(db, today) === 0) return false;
  const [first, last] = [trusted * DAY, (trusted + 1) * DAY - 1].map((instant) => findSiteDay(salt, instant));
  return first !== undefined && last !== undefined && salt.day >= first && salt.day <= last;
}

/**
 * Tells whether a salt stays. If several machines take hits, tomorrow's salt is made early, so that all know it when
 * the day begins.
 */
const isKept = (salt: Salt, day: number, isShared: boolean): boolean =>
  salt.day === day || (isShared && salt.day === day + 1);

/** Finds or makes the salt of a site's day, and removes salts of other days. `removed` tells whether there were any. */
const takeSalt = (
  db: Db,
  { siteId, day, isShared }: { siteId: number; day: number; isShared: boolean },
  random: Random,
): { bytes: Buffer; removed: boolean } =>
  db.write(() => {
    const others = listSiteSalts(db, siteId).filter(
      (salt) => !isKept(salt, day, isShared) && !isTrusted(db, salt, day),
    );
    for (const other of others) removeSalt(db, other);
    const known = findSalt(db, siteId, day);
    const bytes = known ?? random(32);
    if (!known) addSalt(db, { siteId, day }, bytes);
    return { bytes, removed: others.length > 0 };
  });

/** Makes missing salts of all sites for the running day and the next one. */
export function addSaltsAhead(db: Db, now: number, random: Random): void {
  const known = new Set(listSalts(db).map(({ siteId, day }) => `${siteId} ${day}`));
  const missing = listSiteZones(db).flatMap(({ siteId, ...zone }) => {
    const day = findSiteDay(zone, now);
    return [day, day + 1].filter((one) => !known.has(`${siteId} ${one}`)).map((one) => ({ siteId, day: one }));
  });
  if (missing.length === 0) return;
  db.write(() => {
    for (const one of missing) addSalt(db, one, random(32));
  });
}
