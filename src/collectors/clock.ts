// Keeps the clock of a collector, which shows the time of the primary. Each response of the primary has this time.
// Between two responses, this machine's monotonic timer (its ticks) measures the time. If somebody changes the
// machine's clock, the times of hits therefore stay right.
//
// Invariant: while `isKnown` is true, `now` is about the time of the primary. After a response, the error is smaller
// than the time that the response took. Only while this clock stands still (`WAITS_MS`) is the error larger. While
// `isKnown` is false, hits are refused.
//
// Example: the machine's clock is a day behind. The first response has the right time, so the first hit gets the right
// day. Later, the difference between the machine's clock and its ticks changes by an hour. The machine may have slept,
// and its ticks may have stopped meanwhile. So hits are refused until the next response. compose-collector.ts calls
// `buildPrimaryClock`. Test: test/collectors/clock.test.ts.
import { type Clock, HOUR, MINUTE } from '../lib/time.ts';
import { findTime, setTime } from '../store/cluster/outbox-sender.ts';
import { MOST_SKEW } from '../store/cluster/sender-status.ts';
import type { Db } from '../store/db.ts';

/**
 * How far the machine's clock and its monotonic timer may drift apart. After a larger change, the clock has jumped or
 * the machine has slept, and the time is unknown. Small differences are normal, because NTP corrects a clock in small
 * steps.
 */
const MOST_PARTED_MS = MOST_SKEW * 1000;

/**
 * If a response takes over 2 s, the time in it is inexact. So it is used only while the collector does not know the
 * time.
 */
const SLOW_MS = 2_000;

/**
 * How long this clock may stand still. A response may show that this clock is ahead of the primary's clock. If it is at
 * most 5 s ahead, it stands still until the primary's time has caught up. In this way, the times of hits do not go
 * back. If it is further ahead, it is set back.
 */
const WAITS_MS = 5_000;

/**
 * If the primary does not respond, a collector may start with the clock of its machine. A collector that was off for
 * longer than this must wait, because the machine's clock may be wrong by now.
 */
const MOST_OFF_MS = 12 * HOUR * 1000;

/**
 * How often the collector writes the time to its file. The collector reads the file if it starts while the primary does
 * not respond.
 */
const KEPT_MS = MINUTE * 1000;

export type PrimaryClock = ReturnType<typeof buildPrimaryClock>;

/**
 * The time `now` in a response of the primary. `asked` and `came` are this machine's timer at the request and at the
 * response. The primary's clock is taken to have shown `now` in the middle between request and response.
 */
export type HeardTime = { now: number; asked: number; came: number };

export function buildPrimaryClock(own: Clock, db: Db) {
  const tick = () => own.tick();
  /**
   * Returns how far the machine's clock is ahead of its monotonic timer. If this changes by much, the clock has jumped.
   */
  const wallLead = () => own.now() - tick();
  let kept = findTime(db);
  /**
   * Values from the last response of the primary, in milliseconds. `lead` is how far the primary's clock was ahead of
   * this machine's timer. `wallLead` is how far this machine's clock was ahead of the same timer. If `wallLead` changes
   * by more than `MOST_PARTED_MS`, this machine's clock has jumped.
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
      // On a full disk, the time cannot be written. The collector continues, and tries again a minute later.
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
