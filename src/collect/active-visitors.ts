// Remembers when each visitor was last active. So a heartbeat, a message that a page is still visible, counts only
// during a visit.
//
// Invariant: no visit depends on this memory, because visits are computed from stored hits. If the memory is lost, only
// visible seconds are lost.
//
// Example: a pageview comes at 10:00:00. A heartbeat at 10:00:40 says that the page was visible for 90 s. Only 41 s are
// possible: 40 s since the pageview, and 1 s for rounding. So 41 s count. A heartbeat at 10:31 belongs to no visit,
// because the visit ended after 30 minutes. collector.ts calls these functions for each message.

import type { Intake } from '../engine/engine.ts';
import { type Clock, seconds } from '../lib/time.ts';
import { VISIT_GAP } from '../stats/definitions.ts';

export function rememberVisitors(
  { listActive, isShared }: Pick<Intake, 'listActive' | 'isShared'>,
  clock: Clock,
): Active {
  if (isShared) return SHARED;
  let older = new Map<number, number>();
  // Reads the visitors when the server starts. Reading takes as long as hundreds of hits, so the first hit must not
  // wait for it.
  let newer = listActive(seconds(clock) - VISIT_GAP);
  let swappedAt = clock.tick() / 1000;

  /**
   * Visitors are stored in two maps, and this function gives the newer one. Every 30 minutes the older map is deleted
   * as a whole, so no entry needs a timer. The time is taken from a clock that never jumps. Otherwise a jump would end
   * visits.
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
 * Limits the memory. If there are more visitors, those that were inactive longest are forgotten. Only their visible
 * seconds are lost.
 */
const MOST_VISITORS = 500_000;

type Active = {
  /** Stores that a visitor was active. `at` may be in the past, because a server may send a hit later. */
  touch(visitor: number, at: number): void;
  /**
   * Computes how many of the `claimed` seconds a page can have been visible. The limit is the time since the visitor
   * was active, and 1 s for rounding. Undefined if the visit is over.
   */
  engaged(visitor: number, now: number, claimed: number): { engaged: number; isClaimed?: boolean } | undefined;
};

/**
 * Replaces the memory if several machines take hits. Each machine sees only some messages of a visit, so it cannot
 * limit the claimed seconds. The query that computes the visit limits them later.
 */
const SHARED: Active = {
  touch() {},
  engaged: (_visitor, _now, claimed) => ({ engaged: Math.min(claimed, VISIT_GAP), isClaimed: true }),
};
