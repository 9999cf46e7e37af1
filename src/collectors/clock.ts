// The clock of a collector. It shows the time of the primary, which is in each answer of the primary. Between two
// answers this machine's monotonic timer (its ticks) counts on. So if somebody changes the machine's clock, the times
// of hits stay right.
//
// Invariant: while `isKnown` is true, `now` is the time of the primary. The error is smaller than the time that an
// answer takes. While `isKnown` is false, hits are refused.
//
// Example: the machine's clock is a day behind. The first answer has the right time, so the first hit gets the right
// day. Later the machine's clock jumps by an hour against its ticks, as after a sleep. The ticks may have stood still,
// so hits are refused until the next answer. compose-collector.ts calls buildPrimaryClock. Tests:
// test/collectors/clock.test.ts.
import { type Clock, HOUR, MINUTE } from '../lib/time.ts';
import { MOST_SKEW } from '../store/cluster/collectors.ts';
import { findTime, setTime } from '../store/cluster/outbox-sender.ts';
import type { Db } from '../store/db.ts';

/**
 * The machine's clock and its monotonic timer may drift apart by up to this much. After a larger change, the clock has
 * jumped or the machine slept. Then the time is not known. Small differences are normal, because NTP corrects a clock
 * in small steps.
 */
const MOST_PARTED_MS = MOST_SKEW * 1000;

/** If an answer takes over 2 s, the time in it is too old. The machine's own timer is more exact. */
const SLOW_MS = 2_000;

/**
 * An answer may show that this clock is ahead of the primary. If it is ahead by up to 5 s, this clock stops until the
 * primary's time has caught up. So the times of hits do not go back. If it is ahead by more, this clock goes back.
 */
const WAITS_MS = 5_000;

/**
 * While the primary does not respond, a collector may start with the clock of its machine. A collector that was off for
 * more than 12 hours must wait, because the machine's clock may be wrong now.
 */
const MOST_OFF_MS = 12 * HOUR * 1000;

/** The time is written to the collector's file once a minute. A start without the primary needs it. */
const KEPT_MS = MINUTE * 1000;

export type PrimaryClock = ReturnType<typeof buildPrimaryClock>;

/**
 * The time `now` in an answer of the primary. `asked` and `came` are this machine's timer when the request was sent and
 * when the answer came. `now` belongs to the middle between them.
 */
export type HeardTime = { now: number; asked: number; came: number };

export function buildPrimaryClock(own: Clock, db: Db) {
  const tick = () => own.tick();
  /** How far the machine's clock is ahead of its monotonic timer. A larger change means that the clock jumped. */
  const wallLead = () => own.now() - tick();
  let kept = findTime(db);
  /**
   * Measured at the last answer of the primary, in milliseconds. `lead`: how far the primary's clock was ahead of this
   * machine's timer. `wallLead`: how far this machine's clock was ahead of the same timer. If `wallLead` changes by
   * more than `MOST_PARTED_MS`, this machine's clock has jumped.
   */
  let heardTime: { lead: number; wallLead: number } | undefined;
  let last = 0;

  const estimate = (): number => (heardTime ? tick() + heardTime.lead : own.now() + kept.skew);

  function isKnown(): boolean {
    if (heardTime) return Math.abs(wallLead() - heardTime.wallLead) <= MOST_PARTED_MS;
    const passed = estimate() - kept.knownAt;
    return kept.knownAt > 0 && passed >= -WAITS_MS && passed <= MOST_OFF_MS;
  }

  /** Writes the time to the collector's file, for a start while the primary does not respond. */
  function keep(): void {
    if (!isKnown()) return;
    kept = { skew: Math.round(estimate() - own.now()), knownAt: Math.round(estimate()) };
    try {
      setTime(db, kept);
    } catch {
      // On a full disk the time cannot be written. The collector goes on, and tries again a minute later.
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
