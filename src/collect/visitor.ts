import { addressKey } from '../lib/http/address.ts';
import { keyedNumber, type NumberKey, numberKey, type Random } from '../lib/secrets.ts';
import { type Clock, DAY } from '../lib/time.ts';
import { dayOfSite } from '../lib/zone.ts';
import type { Db } from '../store/db.ts';
import { findTrustedDay, leapTo } from '../store/server/clock-trust.ts';
import { addSalt, findSalt, listSalts, listSaltsOf, removeSalt, type Salt } from '../store/sites/salts.ts';
import { listSiteZones } from '../store/sites/zones.ts';

export type Visitors = ReturnType<typeof visitors>;

/** Pause between two attempts to empty the WAL of an old salt; an open reader makes an attempt fail. */
const WAL_RETRY_MS = 1_000;

/** A leap of the clock must not cost the trusted day its salts: of those days of sites that ran on it. */
function isTrusted(db: Db, salt: Salt, today: number): boolean {
  const trusted = findTrustedDay(db);
  if (trusted === undefined || leapTo(db, today) === 0) return false;
  const [first, last] = [trusted * DAY, (trusted + 1) * DAY - 1].map((instant) => dayOfSite(salt, instant));
  return first !== undefined && last !== undefined && salt.day >= first && salt.day <= last;
}

/** Salts of tomorrow are made early where several machines take hits, so that these know them when the day begins. */
const isKept = (salt: Salt, day: number, isShared: boolean): boolean =>
  salt.day === day || (isShared && salt.day === day + 1);

/** The salt of a site's day, made if there is none. Those of other days go; `removed` tells whether there were any. */
const saltOn = (
  db: Db,
  { siteId, day, isShared }: { siteId: number; day: number; isShared: boolean },
  random: Random,
): { bytes: Buffer; removed: boolean } =>
  db.write(() => {
    const others = listSaltsOf(db, siteId).filter((salt) => !isKept(salt, day, isShared) && !isTrusted(db, salt, day));
    for (const other of others) removeSalt(db, other);
    const known = findSalt(db, siteId, day);
    const bytes = known ?? random(32);
    if (!known) addSalt(db, { siteId, day }, bytes);
    return { bytes, removed: others.length > 0 };
  });

/** Makes the salts of all sites for the running day and the next one, where there are none. */
export function addSaltsAhead(db: Db, now: number, random: Random): void {
  const known = new Set(listSalts(db).map(({ siteId, day }) => `${siteId} ${day}`));
  const missing = listSiteZones(db).flatMap(({ siteId, ...zone }) => {
    const day = dayOfSite(zone, now);
    return [day, day + 1].filter((one) => !known.has(`${siteId} ${one}`)).map((one) => ({ siteId, day: one }));
  });
  if (missing.length === 0) return;
  db.write(() => {
    for (const one of missing) addSalt(db, one, random(32));
  });
}

/**
 * Codes that recognise a visitor of a site for one day. They are keyed with a random salt of that site, which goes when the day is
 * over, so that nobody can compute them afterwards (test/collect/salt.test.ts). A restart on the same day keeps the salt, and so
 * does a clock that leaps and comes back (test/collect/clock.test.ts).
 */
export function visitors(db: Db, random: Random, clock: Pick<Clock, 'tick'>, isShared: boolean) {
  /** The key of each site, of the day for which it was asked last. */
  const keys = new Map<number, { day: number; key: NumberKey }>();
  /** Whether the WAL still has a salt that was overwritten, and the last attempt to empty it. */
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
    const { bytes, removed } = saltOn(db, { siteId, day, isShared }, random);
    const key = numberKey(bytes);
    keys.set(siteId, { day, key });
    isWalDue ||= removed;
    return key;
  }

  return {
    /** In a day with a million visitors, the chance that two share a code is 1 in 18,000. */
    computeCode(day: number, siteId: number, address: string, agent: string): number {
      const key = makeKey(siteId, day);
      if (isWalDue && clock.tick() - walTriedAt >= WAL_RETRY_MS) emptyWal();
      return keyedNumber(key, `${siteId}\n${addressKey(address)}\n${agent}`);
    },
    /** Call it when salts were replaced. */
    forget(): void {
      keys.clear();
    },
    /** For times without hits: overwrites the salts of days that are over, and retries to empty the WAL. */
    renew(now: number): void {
      const today = Math.floor(now / DAY);
      const { over = [], kept = [] } = Object.groupBy(listSalts(db), (salt) =>
        isKept(salt, dayOfSite(salt, now), isShared) || isTrusted(db, salt, today) ? 'kept' : 'over',
      );
      if (over.length > 0) {
        db.write(() => {
          for (const salt of over) removeSalt(db, salt);
        });
      }
      // The salts of deleted sites went with them.
      const stays = new Set(kept.map(({ siteId, day }) => `${siteId} ${day}`));
      const gone = [...keys].filter(([siteId, { day }]) => !stays.has(`${siteId} ${day}`)).map(([siteId]) => siteId);
      for (const siteId of gone) keys.delete(siteId);
      isWalDue ||= over.length + gone.length > 0;
      if (isWalDue) emptyWal();
    },
  };
}
