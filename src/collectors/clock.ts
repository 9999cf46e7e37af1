// The clock of a collector shows the time of the primary, which each answer brings. Between two answers the ticks of this
// machine carry it on. So setting the clock of the machine moves no hit.
//
// Invariant: while `isKnown`, `now` is the primary's time, off by no more than the seconds that an answer takes. At other times
// no hit is taken.
//
// Example: the machine's clock is a day behind. The first answer brings the time, so the first hit is of the right day. Then the
// machine's clock leaps. The machine may have slept, so hits are refused until the next answer, a second later.
//
// A collector that starts while the primary is away uses the machine's clock and its last known error. The result must be at
// most twelve hours after the last known time. Called by compose-collector.ts. Tests: test/collectors/clock.test.ts.
import { type Clock, HOUR, MINUTE } from '../lib/time.ts';
import { MOST_SKEW } from '../store/cluster/collectors.ts';
import { findTime, setTime } from '../store/cluster/outbox.ts';
import type { Db } from '../store/db.ts';

/** NTP corrects the clock in small steps. A larger difference between clock and ticks is a leap. */
const MOST_PARTED_MS = MOST_SKEW * 1000;

/** An answer that took longer than 2 s is less exact than the ticks. */
const SLOW_MS = 2_000;

/** A time that would go back by up to 5 s stands still instead. */
const WAITS_MS = 5_000;

/** A machine that starts without its primary may have been off for 12 hours. */
const MOST_OFF_MS = 12 * HOUR * 1000;

/** The time is written to the outbox once a minute. */
const KEPT_MS = MINUTE * 1000;

export type PrimaryClock = ReturnType<typeof buildPrimaryClock>;

/** What the primary's clock said, and the ticks when the question was sent and when the answer came. */
export type HeardTime = { now: number; asked: number; came: number };

/** Builds the clock of a collector. */
export function buildPrimaryClock(own: Clock, db: Db) {
  const tick = () => own.tick();
  /** By how much the clock of the machine is ahead of the ticks. */
  const wallLead = () => own.now() - tick();
  let kept = findTime(db);
  /** By how much the primary's clock was ahead of the ticks at the last answer, and the machine's clock then. */
  let heardTime: { lead: number; wallLead: number } | undefined;
  let last = 0;

  const estimate = (): number => (heardTime ? tick() + heardTime.lead : own.now() + kept.skew);

  function isKnown(): boolean {
    if (heardTime) return Math.abs(wallLead() - heardTime.wallLead) <= MOST_PARTED_MS;
    const passed = estimate() - kept.knownAt;
    return kept.knownAt > 0 && passed >= -WAITS_MS && passed <= MOST_OFF_MS;
  }

  /** Writes the time to the outbox, for a start without the primary. */
  function keep(): void {
    if (!isKnown()) return;
    kept = { skew: Math.round(estimate() - own.now()), knownAt: Math.round(estimate()) };
    try {
      setTime(db, kept);
    } catch {
      // If the disk is full, the time is written a minute later.
    }
  }

  return {
    now(): number {
      const time = estimate();
      if (time >= last || last - time > WAITS_MS) last = time;
      return Math.floor(last);
    },
    tick,
    isKnown,
    heard({ now, asked, came }: HeardTime): void {
      if (heardTime && isKnown() && came - asked > SLOW_MS) return;
      heardTime = { lead: now + (came - asked) / 2 - came, wallLead: wallLead() };
      const isMoved = Math.abs(estimate() - own.now() - kept.skew) > 1_000;
      if (isMoved || Math.abs(estimate() - kept.knownAt) >= KEPT_MS) keep();
    },
    keep,
  };
}
