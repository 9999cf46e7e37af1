// Remembers when each visitor was last active, so that a heartbeat counts only during a visit.
//
// Invariant: visits do not depend on this memory, because they are computed from stored hits. If the memory is lost,
// only visible seconds are lost. A visitor code is kept for 30 minutes after the visitor's last message, and for at
// most one more minute (test/forgetting/prove.program.test.ts).
//
// Example: a pageview arrives at 10:00:00. A heartbeat at 10:00:40 says that the page was visible for 90 s. Only 41 s
// count: 40 s since the pageview, and 1 s for rounding. A heartbeat at 10:31 belongs to no visit, because the visit
// ended after 30 minutes. browser-messages.ts and server-messages.ts call these functions for each message, and
// collector.ts calls `forget` each minute.

import type { Intake } from '../engine/engine.ts';
import { type Clock, seconds } from '../lib/time.ts';
import { VISIT_GAP } from '../stats/definitions.ts';

export function rememberVisitors(
  { listActive, isShared }: Pick<Intake, 'listActive' | 'isShared'>,
  clock: Clock,
): Active {
  if (isShared) return SHARED;
  // The visitors of the last 30 minutes are read when the server starts. At the first hit, reading them would take as
  // long as storing hundreds of hits. The Map has the visitors in the order of their last message.
  const active = listActive(seconds(clock) - VISIT_GAP);

  return {
    touch(visitor, at) {
      const last = active.get(visitor) ?? 0;
      active.delete(visitor);
      active.set(visitor, Math.max(at, last));
      if (active.size > MOST_VISITORS) active.delete(active.keys().next().value as number);
    },
    engaged(visitor, now, claimed) {
      const last = active.get(visitor);
      if (last === undefined || now - last > VISIT_GAP) return undefined;
      return { engaged: Math.min(claimed, Math.max(0, now - last) + 1) };
    },
    forget(now) {
      for (const [visitor, at] of active) {
        if (now - at <= VISIT_GAP) return;
        active.delete(visitor);
      }
    },
  };
}

/**
 * Limits the memory to 500,000 visitors. Above this number, the visitor that was inactive for the longest time is
 * forgotten. The heartbeats of a forgotten visitor no longer count, but the hits do.
 */
const MOST_VISITORS = 500_000;

type Active = {
  /** Records that a visitor was active at the time `at`. Web servers may send hits late, so `at` may be in the past. */
  touch(visitor: number, at: number): void;
  /**
   * Limits the visible seconds that a browser claims. The limit is the time since the visitor's last message, plus 1 s
   * for rounding. Returns undefined if the visit is over.
   */
  engaged(visitor: number, now: number, claimed: number): { engaged: number; isClaimed?: boolean } | undefined;
  /** Deletes the codes of visitors whose visits are over. The server calls this each minute. */
  forget(now: number): void;
};

/**
 * Used if several machines receive hits. Each machine sees only some messages of a visit, so it cannot check the
 * visible seconds that a browser claims. `isClaimed` marks them as unchecked. The engine limits them later, when it has
 * the hits from all machines.
 */
const SHARED: Active = {
  touch() {},
  forget() {},
  engaged: (_visitor, _now, claimed) => ({ engaged: Math.min(claimed, VISIT_GAP), isClaimed: true }),
};
