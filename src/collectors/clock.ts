/*
 * The time of a collector. Days, seconds and numbers of hits come from the clock of the primary, which each answer tells. Between two
 * answers the ticks of this machine go on with it, so that nobody who sets the clock on the wall moves a hit.
 *
 * Invariant: while `isKnown`, `now` is the primary's time within the seconds that an answer takes. Else no hit is taken.
 *
 * Example: the clock on the wall is a day behind. The first answer says what time it is, and the first hit is of the right day. Then
 * somebody sets the clock: the machine may have slept, so that hits are refused until the next answer, a second later.
 *
 * A start while the primary is away goes by the clock on the wall and by how far that was off before, if the result is from what was
 * known last to twelve hours later. Tests: test/collectors/clock.test.ts.
 */
import { type Clock, HOUR, MINUTE } from '../lib/time.ts';
import { MOST_SKEW } from '../store/cluster/collectors.ts';
import { findTime, setTime } from '../store/cluster/outbox.ts';
import type { Db } from '../store/db.ts';

/** The clock on the wall and the ticks may part by so much, which is what NTP corrects in small steps. */
const MOST_PARTED_MS = MOST_SKEW * 1000;

/** An answer that took longer says the time less exactly than the ticks do. */
const SLOW_MS = 2_000;

/** Time waits rather than go back by so much. */
const WAITS_MS = 5_000;

/** So long a machine may be off when it starts without its primary. */
const MOST_OFF_MS = 12 * HOUR * 1000;

/** How often the time is written down. */
const KEPT_MS = MINUTE * 1000;

export type PrimaryClock = ReturnType<typeof primaryClock>;

/** What an answer says of the time, and the ticks when it was asked for and when it came. */
export type Told = { now: number; asked: number; came: number };

export function primaryClock(own: Clock, db: Db) {
  const tick = () => own.tick();
  /** What the clock on the wall is ahead of the ticks. */
  const wallLead = () => own.now() - tick();
  let kept = findTime(db);
  /** The same of the primary's clock, and of the one on the wall when that was told. */
  let told: { lead: number; wallLead: number } | undefined;
  let last = 0;

  const estimate = (): number => (told ? tick() + told.lead : own.now() + kept.skew);

  function isKnown(): boolean {
    if (told) return Math.abs(wallLead() - told.wallLead) <= MOST_PARTED_MS;
    const passed = estimate() - kept.knownAt;
    return kept.knownAt > 0 && passed >= -WAITS_MS && passed <= MOST_OFF_MS;
  }

  /** Writes down what time it is, for a start without the primary. */
  function keep(): void {
    if (!isKnown()) return;
    kept = { skew: Math.round(estimate() - own.now()), knownAt: Math.round(estimate()) };
    try {
      setTime(db, kept);
    } catch {
      // The disk is full: it is written down a minute later.
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
    heard({ now, asked, came }: Told): void {
      if (told && isKnown() && came - asked > SLOW_MS) return;
      told = { lead: now + (came - asked) / 2 - came, wallLead: wallLead() };
      const isMoved = Math.abs(estimate() - own.now() - kept.skew) > 1_000;
      if (isMoved || Math.abs(estimate() - kept.knownAt) >= KEPT_MS) keep();
    },
    keep,
  };
}
