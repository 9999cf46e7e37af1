// Clock trust says whether the wall clock may be acted on where acting cannot be undone, as in sealing, deleting hits
// and sending mails. A machine without a battery may begin in 1970, and a wrong time server may jump years ahead.
//
// Invariant: a leap of more than two days is not acted on until the clock has stood for 6 hours, or the operator has
// accepted it. Within a process a leap is seen against the ticks, and between processes against the trusted day in the
// file.
//
// Example: the trusted day is 2026-11-26, and a restart finds 2026-12-24. look() says no for 6 hours, then yes, and the
// trusted day becomes 2026-12-24. The jobs of the server call look() each minute; `daybook seal --trust-clock` calls
// accept().

import { type Clock, DAY, DAY_MS, HOUR } from '../../lib/time.ts';
import type { Db } from '../db.ts';

export type Trust = ReturnType<typeof watchClock>;

/** Watches the wall clock of a process (test/store/server/clock-trust.test.ts). */
export function watchClock(db: Db, clock: Clock) {
  /** By how many milliseconds the wall clock was ahead of the ticks when it was last trusted. */
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
    // A clock that is a little late does not take the trusted day back.
    if (known === undefined || today > known || computeLeap(db, today) > 0) setTrustedDay(db, today);
  }

  const read = () => {
    const [now, tick] = [clock.now(), clock.tick()];
    return { lead: now - tick, tick, today: Math.floor(now / DAY_MS) };
  };

  return {
    /** Reads the clock and says whether it is trusted. The server calls this each minute. */
    look(): boolean {
      const { lead, tick, today } = read();
      const runsOn = trustedLead !== undefined && isNear(lead, trustedLead);
      const isPossible = today * DAY >= BIRTHDAY;
      const isTrusted = isPossible && (runsOn || computeLeap(db, today) === 0 || hasStood(lead, tick));
      if (isTrusted) accept(lead, today);
      return isTrusted;
    },
    /** Accepts the clock as the operator's word. A running server reads this from the file at its next look. */
    accept(): void {
      const { lead, today } = read();
      accept(lead, today);
    },
  };
}

/**
 * There was no daybook before this moment. A machine without a battery begins in 1970, until it has asked for the time.
 */
export const BIRTHDAY = Date.parse('2026-01-01T00:00:00Z') / 1000;

/** A longer way from the expected time is a leap. A server may be off for a weekend. */
const MOST_DAYS = 2;
/** After a leap the clock is trusted again when it has run for this long without another. */
const STANDS_MS = 6 * HOUR * 1000;

/** Finds the latest day that any process saw on a trusted clock. */
export const findTrustedDay = (db: Db): number | undefined =>
  db.one<{ day: number }>('SELECT day FROM trusted_day WHERE one = 1')?.day;

const setTrustedDay = (db: Db, day: number): void => {
  db.write(() => db.run('REPLACE INTO trusted_day (one, day) VALUES (1, ?)', day));
};

/** Computes by how many days a day leaps from the trusted day, before or after it; 0 if that is no leap. */
export function computeLeap(db: Db, day: number): number {
  const off = Math.abs(day - (findTrustedDay(db) ?? day));
  return off > MOST_DAYS ? off : 0;
}
