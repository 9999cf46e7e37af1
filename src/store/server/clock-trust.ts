import { type Clock, DAY, DAY_MS, HOUR } from '../../lib/time.ts';
import type { Db } from '../db.ts';

/** Before that there was no daybook. A machine without a battery begins in 1970, until it has asked for the time. */
export const BIRTHDAY = Date.parse('2026-01-01T00:00:00Z') / 1000;

/** A clock may be so far from where it was expected: a server may be off for a weekend, and not for a year. */
const MOST_DAYS = 2;
/** After a leap the clock is trusted again when it has run for so long without another. */
const STANDS_MS = 6 * HOUR * 1000;

/** The latest day that was seen on a trusted clock, of any process. */
export const findTrustedDay = (db: Db): number | undefined =>
  db.one<{ day: number }>('SELECT day FROM trusted_day WHERE one = 1')?.day;

const setTrustedDay = (db: Db, day: number): void => {
  db.write(() => db.run('REPLACE INTO trusted_day (one, day) VALUES (1, ?)', day));
};

/** How many days a day is off the trusted one, before or after it; 0 while that is no leap. */
export function leapTo(db: Db, day: number): number {
  const off = Math.abs(day - (findTrustedDay(db) ?? day));
  return off > MOST_DAYS ? off : 0;
}

export type Trust = ReturnType<typeof clockTrust>;

/**
 * Whether the wall clock may be acted on, where acting cannot be undone. Inside a process it must run as the ticks do; from one
 * process to the next it must not leave the trusted day by more than `MOST_DAYS`. A clock that has leapt is trusted again once it
 * has stood, or by the operator's word. Tests: test/store/server/clock-trust.test.ts.
 */
export function clockTrust(db: Db, clock: Clock) {
  /** What the wall clock was ahead of the ticks when it was trusted last, in milliseconds. */
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
    // A clock that is a little late does not take back a day that was seen.
    if (known === undefined || today > known || leapTo(db, today) > 0) setTrustedDay(db, today);
  }

  const read = () => {
    const [now, tick] = [clock.now(), clock.tick()];
    return { lead: now - tick, tick, today: Math.floor(now / DAY_MS) };
  };

  return {
    /** Looks at the clock, and says whether it is trusted. The server does so each minute. */
    look(): boolean {
      const { lead, tick, today } = read();
      const runsOn = trustedLead !== undefined && isNear(lead, trustedLead);
      const isPossible = today * DAY >= BIRTHDAY;
      const isTrusted = isPossible && (runsOn || leapTo(db, today) === 0 || hasStood(lead, tick));
      if (isTrusted) accept(lead, today);
      return isTrusted;
    },
    /** The operator says that the clock is right; a running server reads that from the file at its next look. */
    accept(): void {
      const { lead, today } = read();
      accept(lead, today);
    },
  };
}
