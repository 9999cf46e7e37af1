// Remembers when each visitor was last active, so that a heartbeat counts only during a visit.
//
// Invariant: no report depends on this memory. Visits are formed of stored hits; what is lost here loses visible
// seconds only.
//
// Example: a visitor's pageview comes at 10:00:00. A heartbeat at 10:00:40 claims 90 s; the page can have been visible
// for 41 s, so these count. A heartbeat at 10:31 belongs to no visit. collector.ts calls this for each message.

import type { Intake } from '../engine/engine.ts';
import { type Clock, seconds } from '../lib/time.ts';
import { VISIT_GAP } from '../stats/definitions.ts';

/** Remembers visitors for as long as a visit can last. */
export function rememberVisitors(
  { listActive, isShared }: Pick<Intake, 'listActive' | 'isShared'>,
  clock: Clock,
): Active {
  if (isShared) return SHARED;
  let older = new Map<number, number>();
  // Reads them at the start. This takes as long as hundreds of hits, and the first hit should not wait for it.
  let newer = listActive(seconds(clock) - VISIT_GAP);
  let swappedAt = clock.tick() / 1000;

  /**
   * Gives the newer of two maps. The older is dropped whole every half hour, so no entry needs a timer. Time is counted
   * in ticks, so a clock that leaps and comes back ends no visit.
   */
  function current(): Map<number, number> {
    const tick = clock.tick() / 1000;
    if (tick - swappedAt > VISIT_GAP || newer.size >= MOST_VISITORS / 2) {
      older = tick - swappedAt > 2 * VISIT_GAP ? new Map() : newer;
      newer = new Map();
      swappedAt = tick;
    }
    return newer;
  }

  return {
    touch(visitor, at) {
      const map = current();
      map.set(visitor, Math.max(at, map.get(visitor) ?? older.get(visitor) ?? 0));
    },
    engaged(visitor, now, claimed) {
      const last = current().get(visitor) ?? older.get(visitor);
      if (last === undefined || now - last > VISIT_GAP) return undefined;
      return { engaged: Math.min(claimed, Math.max(0, now - last) + 1) };
    },
  };
}

/**
 * Limits the memory. Beyond it, visitors that were inactive longest are forgotten, which loses only their visible
 * seconds.
 */
const MOST_VISITORS = 500_000;

type Active = {
  /** Notes that a visitor was active. `at` may be in the past, because a server may pass on a hit late. */
  touch(visitor: number, at: number): void;
  /**
   * Computes how many of the `claimed` seconds a page can have been visible: the time since the visitor was active, and
   * a second for rounding. Undefined after the end of the visit.
   */
  engaged(visitor: number, now: number, claimed: number): { engaged: number; isClaimed?: boolean } | undefined;
};

/**
 * Stands for the memory if several machines take hits, any of which may have seen the visit. The query that forms the
 * visit knows its length, and limits the claim.
 */
const SHARED: Active = {
  touch() {},
  engaged: (_visitor, _now, claimed) => ({ engaged: Math.min(claimed, VISIT_GAP), isClaimed: true }),
};
