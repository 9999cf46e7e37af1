// The clock of a collector shows the time of the primary server, which is in each of its answers. Between two answers
// the monotonic timer of this machine (its ticks) counts on. So a change of the machine's clock does not change the
// time of any hit.
//
// Invariant: while `isKnown` is true, `now` is the time of the primary server. The error is smaller than the time that
// an answer takes. While `isKnown` is false, hits are refused.
//
// Example: the machine's clock is a day late. The first answer has the right time, so the first hit gets the right day.
// Later the machine's clock jumps, possibly because the machine slept. So hits are refused until the next answer, a
// second later.
//
// If the primary server does not answer at the start, the machine's clock is used, corrected by its last known error.
// The result must be at most twelve hours after the last known time. compose-collector.ts calls buildPrimaryClock.
// Tests: test/collectors/clock.test.ts.
import { type Clock, HOUR, MINUTE } from '../lib/time.ts';
import { MOST_SKEW } from '../store/cluster/collectors.ts';
import { findTime, setTime } from '../store/cluster/outbox.ts';
import type { Db } from '../store/db.ts';

/**
 * If the machine's clock and its monotonic timer differ by more than this, the clock has jumped. NTP corrects a clock
 * in small steps only.
 */
const MOST_PARTED_MS = MOST_SKEW * 1000;

/** If an answer takes longer than 2 s, its time is less exact than the machine's monotonic timer. */
const SLOW_MS = 2_000;

/**
 * If a new answer sets the collector's clock back by up to 5 s, the clock stands still for that time. So it never goes
 * back.
 */
const WAITS_MS = 5_000;

/** A collector may start without the primary server if it was off for at most 12 hours. */
const MOST_OFF_MS = 12 * HOUR * 1000;

/** The time is stored in the outbox once a minute. */
const KEPT_MS = MINUTE * 1000;

export type PrimaryClock = ReturnType<typeof buildPrimaryClock>;

/**
 * The time of the primary server from its answer is `now`. `asked` and `came` are read from the monotonic timer:
 * `asked` when the request was sent, and `came` when the answer came.
 */
export type HeardTime = { now: number; asked: number; came: number };

export function buildPrimaryClock(own: Clock, db: Db) {
  const tick = () => own.tick();
  /** By how many milliseconds the machine's clock is ahead of its ticks. */
  const wallLead = () => own.now() - tick();
  let kept = findTime(db);
  /**
   * What was measured at the last answer, in milliseconds. `lead` says how far the primary server's clock was ahead of
   * the ticks. `wallLead` says how far the machine's clock was ahead of the ticks.
   */
  let heardTime: { lead: number; wallLead: number } | undefined;
  let last = 0;

  const estimate = (): number => (heardTime ? tick() + heardTime.lead : own.now() + kept.skew);

  function isKnown(): boolean {
    if (heardTime) return Math.abs(wallLead() - heardTime.wallLead) <= MOST_PARTED_MS;
    const passed = estimate() - kept.knownAt;
    return kept.knownAt > 0 && passed >= -WAITS_MS && passed <= MOST_OFF_MS;
  }

  /** Stores the time in the outbox, so that the collector can start while the primary server does not answer. */
  function keep(): void {
    if (!isKnown()) return;
    kept = { skew: Math.round(estimate() - own.now()), knownAt: Math.round(estimate()) };
    try {
      setTime(db, kept);
    } catch {
      // If the disk is full, the time is not stored. The next try is a minute later.
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
