// Computes visitor codes. A code is an HMAC of the user agent and the network: an IPv4 address, or the first 64 bits of
// an IPv6 address. The key is the salt of the site and day.
//
// Invariant: a salt is overwritten within a minute after midnight of the site. After that, nobody can compute its codes
// again (test/collect/salt.test.ts). If the server restarts, the salt of the day stays. The salt also stays if the
// clock jumps and comes back (test/collect/clock.test.ts).
//
// Example: two pageviews of one browser on 26 November have one code. On 27 November, the browser has another code.
// With a million visitors in a day, the chance that any two of them share a code is 1 in 18,000. collect/outcome.ts
// calls `computeCode`, and the server calls `renew` each minute.

import { makeAddressKey } from '../lib/http/address.ts';
import { computeKeyedNumber, makeNumberKey, type NumberKey, type Random } from '../lib/secrets.ts';
import { type Clock, DAY } from '../lib/time.ts';
import { findSiteDay } from '../lib/zone.ts';
import type { Db } from '../store/db.ts';
import { computeLeap, findTrustedDay } from '../store/server/clock-trust.ts';
import { addSalt, findSalt, listSalts, listSiteSalts, removeSalt, type Salt } from '../store/sites/salts.ts';
import { listSiteZones } from '../store/sites/zones.ts';
import { type RemovedSalt, rememberRemoved } from './removed-salts.ts';

export type Visitors = ReturnType<typeof makeVisitors>;

export function makeVisitors(db: Db, random: Random, clock: Pick<Clock, 'tick'>, isShared: boolean) {
  /** For each site, the key for computing visitor codes, and its day. The key is made from the salt of that day. */
  const keys = new Map<number, { day: number; key: NumberKey }>();
  /** The salts that the last `renew` kept. If one is gone now, SQLite's write-ahead log may still contain it. */
  let seen = new Set<string>();
  const removedSalts = rememberRemoved(random);
  /**
   * True while the write-ahead log of SQLite may still contain a removed salt. With that salt, somebody could match an
   * old visitor code to an IP address. For this reason, the log must be emptied.
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
    for (const one of removed) removedSalts.add(one);
    const key = makeNumberKey(bytes);
    keys.set(siteId, { day, key });
    isWalDue ||= removed.length > 0;
    return key;
  }

  return {
    /** The fingerprints of removed salts. jobs/forgetting.ts checks daily that no file still contains these salts. */
    removedSalts,
    /** Computes the code of a visitor. The code is equal for all hits of one browser on one day. */
    computeCode(day: number, siteId: number, address: string, agent: string): number {
      const key = makeKey(siteId, day);
      if (isWalDue && clock.tick() - walTriedAt >= WAL_RETRY_MS) emptyWal();
      return computeKeyedNumber(key, writeVisitor({ siteId, address, agent }));
    },
    /** Deletes all keys, because salts were replaced or removed. Remembers the fingerprints of the `removed` salts. */
    forget(removed: readonly RemovedSalt[]): void {
      keys.clear();
      for (const one of removed) removedSalts.add(one);
    },
    /**
     * Removes the salts of past days from the database and its write-ahead log. The server calls this each minute, so
     * that salts are removed even if no hit arrives.
     */
    renew(now: number): void {
      const today = Math.floor(now / DAY);
      const { over = [], kept = [] } = Object.groupBy(listSalts(db), (salt) =>
        isKept(salt, findSiteDay(salt, now), isShared) || isTrusted(db, salt, today) ? 'kept' : 'over',
      );
      if (over.length > 0) {
        const removed = db.write(() => removeSalts(db, over));
        for (const one of removed) removedSalts.add(one);
      }
      // If a site was deleted, its salt was deleted too. But the key that was made from this salt may still be in
      // memory.
      const stays = new Set(kept.map(nameSalt));
      const held = [...keys].map(([siteId, { day }]) => ({ siteId, day }));
      const gone = held.filter((one) => !stays.has(nameSalt(one)));
      for (const { siteId } of gone) keys.delete(siteId);
      isWalDue ||= over.length + gone.length > 0 || [...seen].some((name) => !stays.has(name));
      seen = stays;
      if (isWalDue) emptyWal();
    },
  };
}

const nameSalt = ({ siteId, day }: Pick<Salt, 'siteId' | 'day'>): string => `${siteId} ${day}`;

type Sender = { siteId: number; address: string; agent: string };

const writeVisitor = ({ siteId, address, agent }: Sender): string => `${siteId}\n${makeAddressKey(address)}\n${agent}`;

/**
 * Computes a visitor code with the salt that the caller gives. Only `daybook prove-forgetting` needs this, because it
 * searches for the code of its made-up visitor (forgetting/prove.ts).
 */
export const computeVisitorCode = (salt: Uint8Array, sender: Sender): number =>
  computeKeyedNumber(makeNumberKey(salt), writeVisitor(sender));

/**
 * Emptying the write-ahead log fails while another connection reads. After a failure, the log is emptied at the
 * earliest after this time.
 */
const WAL_RETRY_MS = 1_000;

/**
 * True if the clock has jumped to another day, and this salt belongs to the last day before the jump. Such a salt
 * stays. If the clock comes back, the visitors of that day must get the same codes again.
 */
function isTrusted(db: Db, salt: Salt, today: number): boolean {
  const trusted = findTrustedDay(db);
  if (trusted === undefined || computeLeap(db, today) === 0) return false;
  const [first, last] = [trusted * DAY, (trusted + 1) * DAY - 1].map((instant) => findSiteDay(salt, instant));
  return first !== undefined && last !== undefined && salt.day >= first && salt.day <= last;
}

/**
 * True if a salt must be kept while `day` is the current day. If several machines receive hits, tomorrow's salt is kept
 * too, because each machine must have it before midnight.
 */
const isKept = (salt: Salt, day: number, isShared: boolean): boolean =>
  salt.day === day || (isShared && salt.day === day + 1);

/**
 * Finds or makes the salt of a site and day. Removes the site's other salts, except the salts that must stay (`isKept`,
 * `isTrusted`). `removed` lists the removed salts. If there are any, the write-ahead log of SQLite must be emptied,
 * because it may still contain them.
 */
const takeSalt = (
  db: Db,
  { siteId, day, isShared }: { siteId: number; day: number; isShared: boolean },
  random: Random,
): { bytes: Buffer; removed: RemovedSalt[] } =>
  db.write(() => {
    const others = listSiteSalts(db, siteId).filter(
      (salt) => !isKept(salt, day, isShared) && !isTrusted(db, salt, day),
    );
    const removed = removeSalts(db, others);
    const known = findSalt(db, siteId, day);
    const bytes = known ?? random(32);
    if (!known) addSalt(db, { siteId, day }, bytes);
    return { bytes, removed };
  });

const removeSalts = (db: Db, salts: readonly Salt[]): RemovedSalt[] =>
  salts.flatMap((salt) => {
    const bytes = removeSalt(db, salt);
    return bytes ? [{ bytes, day: salt.day }] : [];
  });

/**
 * Makes missing salts for today and tomorrow. All machines of a cluster then have the salts before midnight, and
 * compute equal visitor codes.
 */
export function addSaltsAhead(db: Db, now: number, random: Random): void {
  const known = new Set(listSalts(db).map(nameSalt));
  const missing = listSiteZones(db).flatMap(({ siteId, ...zone }) => {
    const day = findSiteDay(zone, now);
    return [day, day + 1]
      .filter((one) => !known.has(nameSalt({ siteId, day: one })))
      .map((one) => ({ siteId, day: one }));
  });
  if (missing.length === 0) return;
  db.write(() => {
    for (const one of missing) addSalt(db, one, random(32));
  });
}
