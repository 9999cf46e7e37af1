// Clock trust says whether the system clock is probably right. Sealing past days, deleting hits and sending mails
// cannot be undone, therefore they wait for a trusted clock. A machine without a battery may start in 1970, and a wrong
// time server may set the clock years ahead.
//
// Invariant: a jump of more than two days ends the trust. After 6 hours without another jump, the server trusts the
// clock again. The operator can also accept the clock earlier. A clock before 2026 is never trusted. A process finds
// jumps by comparing the clock with its monotonic timer (ticks). At a start, the clock is compared with the trusted day
// in the database file.
//
// Example: the trusted day is 2026-11-26, and after a restart the clock says 2026-12-24. look() returns false for 6
// hours. Then it returns true, and the trusted day becomes 2026-12-24. The jobs of the server call look() each minute.
// `daybook seal --trust-clock` calls accept().

import { type Clock, DAY, DAY_MS, HOUR } from '../../lib/time.ts';
import type { Db } from '../db.ts';

export type Trust = ReturnType<typeof watchClock>;

/** Watches the system clock of a process for jumps of more than two days (test/store/server/clock-trust.test.ts). */
export function watchClock(db: Db, clock: Clock) {
  /**
   * The difference between the system clock and the monotonic timer when the clock was last trusted, in milliseconds.
   * Setting the clock does not change the timer. Therefore a change of this difference shows that the clock was set.
   */
  let trustedLead: number | undefined;
  let leap: { lead: number; tick: number } | undefined;

  const isNear = (lead: number, other: number): boolean => Math.abs(lead - other) <= MOST_DAYS * DAY_MS;

  function hasStood(lead: number, tick: number): boolean {
    if (!leap || !isNear(lead, leap.lead)) leap = { lead, tick };
    return tick - leap.tick >= STANDS_MS;
  }

  function accept(lead: number, today: number): void {
    trustedLead = lead;
    leap = undefined;
    const known = findTrustedDay(db);
    // The clock may be up to two days behind the trusted day. Then the trusted day does not go back.
    if (known === undefined || today > known || computeLeap(db, today) > 0) setTrustedDay(db, today);
  }

  const read = () => {
    const [now, tick] = [clock.now(), clock.tick()];
    return { lead: now - tick, tick, today: Math.floor(now / DAY_MS) };
  };

  return {
    /** Returns true if the clock is trusted. The server calls `look` each minute. */
    look(): boolean {
      const { lead, tick, today } = read();
      const runsOn = trustedLead !== undefined && isNear(lead, trustedLead);
      const isPossible = today * DAY >= BIRTHDAY;
      const isTrusted = isPossible && (runsOn || computeLeap(db, today) === 0 || hasStood(lead, tick));
      if (isTrusted) accept(lead, today);
      return isTrusted;
    },
    /**
     * Trusts the clock immediately, because the operator says that it is right. A running server finds the new trusted
     * day in the database file within a minute.
     */
    accept(): void {
      const { lead, today } = read();
      accept(lead, today);
    },
  };
}

/**
 * The start of 2026. daybook did not exist before, therefore a clock with an earlier time is wrong. A machine without a
 * battery starts in 1970, and its clock shows that year until a time server has answered.
 */
export const BIRTHDAY = Date.parse('2026-01-01T00:00:00Z') / 1000;

/**
 * If the clock is more days than this away from the expected day, it has jumped. If the clock is fewer days ahead, the
 * server may only have been switched off for a weekend.
 */
const MOST_DAYS = 2;
/** After a jump, the clock must run this long without another jump. Then the server trusts it again. */
const STANDS_MS = 6 * HOUR * 1000;

/** Finds the latest day that any process saw on a trusted clock, counted in days since 1970. */
export const findTrustedDay = (db: Db): number | undefined =>
  db.one<{ day: number }>('SELECT day FROM trusted_day WHERE one = 1')?.day;

const setTrustedDay = (db: Db, day: number): void => {
  db.write(() => db.run('REPLACE INTO trusted_day (one, day) VALUES (1, ?)', day));
};

/**
 * Returns by how many days `day` is before or after the trusted day. Returns 0 for up to two days, because such a
 * difference is no jump.
 */
export function computeLeap(db: Db, day: number): number {
  const off = Math.abs(day - (findTrustedDay(db) ?? day));
  return off > MOST_DAYS ? off : 0;
}
