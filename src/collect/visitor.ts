// Visitor codes: numbers that recognize a visitor of one site on one day. A code is an HMAC of IP address and user
// agent. Its key is the salt of the site and day.
//
// Invariant: a salt is overwritten within a minute after midnight of the site. After that nobody can compute its codes
// again (test/collect/salt.test.ts). If the server restarts, the salt of the day stays. The salt also stays if the
// clock jumps and comes back (test/collect/clock.test.ts).
//
// Example: two pageviews of one browser on 26 November have the same code. On 27 November the browser has another code.
// With a million visitors in a day, the chance that two of them share a code is 1 in 18,000. collect/outcome.ts calls
// computeCode, and the server calls renew each minute.

import { makeAddressKey } from '../lib/http/address.ts';
import { computeKeyedNumber, makeNumberKey, type NumberKey, type Random } from '../lib/secrets.ts';
import { type Clock, DAY } from '../lib/time.ts';
import { findSiteDay } from '../lib/zone.ts';
import type { Db } from '../store/db.ts';
import { computeLeap, findTrustedDay } from '../store/server/clock-trust.ts';
import { addSalt, findSalt, listSalts, listSiteSalts, removeSalt, type Salt } from '../store/sites/salts.ts';
import { listSiteZones } from '../store/sites/zones.ts';

export type Visitors = ReturnType<typeof makeVisitors>;

export function makeVisitors(db: Db, random: Random, clock: Pick<Clock, 'tick'>, isShared: boolean) {
  /** The latest key for the visitor codes of each site, and the day of this key. */
  const keys = new Map<number, { day: number; key: NumberKey }>();
  /**
   * `isWalDue` is true while the write-ahead log of SQLite may still contain a removed salt. `walTriedAt` is the last
   * attempt to empty this log.
   */
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
    /** Computes the code of a visitor, a number of 53 bits. */
    computeCode(day: number, siteId: number, address: string, agent: string): number {
      const key = makeKey(siteId, day);
      if (isWalDue && clock.tick() - walTriedAt >= WAL_RETRY_MS) emptyWal();
      return computeKeyedNumber(key, `${siteId}\n${makeAddressKey(address)}\n${agent}`);
    },
    /** Deletes all keys from memory. Call this after salts were replaced. */
    forget(): void {
      keys.clear();
    },
    /** Removes the salts of past days from the database and from its write-ahead log, even if no hit comes. */
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
      // The salts of a deleted site were deleted with the site, but its key may still be in memory.
      const stays = new Set(kept.map(({ siteId, day }) => `${siteId} ${day}`));
      const gone = [...keys].filter(([siteId, { day }]) => !stays.has(`${siteId} ${day}`)).map(([siteId]) => siteId);
      for (const siteId of gone) keys.delete(siteId);
      isWalDue ||= over.length + gone.length > 0;
      if (isWalDue) emptyWal();
    },
  };
}

/** The pause between two attempts to empty the write-ahead log. An attempt fails while another connection reads. */
const WAL_RETRY_MS = 1_000;

/**
 * Whether a salt belongs to the day that the server trusts, although the clock shows another day. Such a salt stays,
 * because the clock may come back.
 */
function isTrusted(db: Db, salt: Salt, today: number): boolean {
  const trusted = findTrustedDay(db);
  if (trusted === undefined || computeLeap(db, today) === 0) return false;
  const [first, last] = [trusted * DAY, (trusted + 1) * DAY - 1].map((instant) => findSiteDay(salt, instant));
  return first !== undefined && last !== undefined && salt.day >= first && salt.day <= last;
}

/**
 * Whether a salt is still needed. If several machines take hits, the salt of the next day is made early. So all
 * machines have it when the day begins.
 */
const isKept = (salt: Salt, day: number, isShared: boolean): boolean =>
  salt.day === day || (isShared && salt.day === day + 1);

/**
 * Finds or makes the salt of a site for a day, and removes salts of other days. `removed` says whether a salt was
 * removed.
 */
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

/** Makes the missing salts of all sites for the present day and the next one. */
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
