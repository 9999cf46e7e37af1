import type { Intake } from '../engine/engine.ts';
import { type Clock, seconds } from '../lib/time.ts';
import { VISIT_GAP } from '../stats/definitions.ts';

/** Limits the memory. Beyond it the visitors that were inactive longest are dropped, which loses only their engagement. */
const MOST_VISITORS = 500_000;

type Active = {
  /** `at` may be earlier than now: a server may pass on a hit late. */
  touch(visitor: number, at: number): void;
  /**
   * For how many of `claimed` seconds a page can have been visible: since the visitor was active, and a second for rounding.
   * Undefined when the visit is over.
   */
  engaged(visitor: number, now: number, claimed: number): { engaged: number; isClaimed?: boolean } | undefined;
};

/**
 * Where several machines take hits, a visit goes on with any of them. Nobody is remembered: the query that joins the hits of a visit
 * knows how long it was.
 */
const SHARED: Active = {
  touch() {},
  engaged: (_visitor, _now, claimed) => ({ engaged: Math.min(claimed, VISIT_GAP), isClaimed: true }),
};

/**
 * When each visitor was last active, kept for as long as a visit can last, because engagement counts only during a visit. No
 * report depends on this map: visits are computed from the stored hits.
 */
export function activeVisitors(
  { listActive, isShared }: Pick<Intake, 'listActive' | 'isShared'>,
  clock: Clock,
): Active {
  if (isShared) return SHARED;
  let older = new Map<number, number>();
  // At the start, because it takes as long as hundreds of hits, and the first one is not to wait for it.
  let newer = listActive(seconds(clock) - VISIT_GAP);
  let swappedAt = clock.tick() / 1000;

  /**
   * Two maps, of which the older is dropped whole every half hour, so that no entry needs a timer of its own. By the ticks, so that
   * a clock that leaps and comes back ends no visit.
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
