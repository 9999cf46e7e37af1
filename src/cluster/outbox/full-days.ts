import { type Activity, isHit } from '../../engine/activity.ts';
import { makeDayKey } from '../../lib/day-key.ts';
import type { Clock } from '../../lib/time.ts';
import { type Nodes, sumRows } from '../servers/nodes.ts';

/** This process asks the servers at most every 10 s how many hits each day has. */
const EVERY_MS = 10_000;

/**
 * Builds functions that tell if a day of a site is full: it has the maximum number of hits (`capacity`). Further hits
 * of this day are dropped. The hits of a day are the last count of the servers, plus the hits that this process has
 * received since then. The servers may still lack some earlier hits, so a day may get some more hits than `capacity`.
 */
export function watchFullDays(nodes: Nodes, clock: Pick<Clock, 'tick'>, capacity: number) {
  let known = new Map<number, number>();
  let since = new Map<number, number>();
  let askedAt = Number.NEGATIVE_INFINITY;

  async function look(): Promise<void> {
    const before = since;
    // A site may have very many days, so the servers return only days with more than half of the limit. Visitors are
    // spread evenly over the shards. With 2 shards and a limit of 20,000,000 hits, each shard returns days with more
    // than 5,000,000 hits.
    const own = `SELECT site, day, countIf(engaged = 0) AS hits FROM activity
      GROUP BY site, day HAVING hits * ${2 * nodes.shards} > ${capacity}`;
    const rows = await nodes.ask<{ site: number; day: number; hits: number }>(own);
    known = new Map(sumRows(rows, ['site', 'day']).map(({ site, day, hits }) => [makeDayKey(site, day), hits]));
    if (since === before) since = new Map();
  }

  return {
    note(activities: readonly Activity[]): void {
      if (capacity === 0) return;
      for (const activity of activities) {
        const key = makeDayKey(activity.siteId, activity.day);
        if (isHit(activity)) since.set(key, (since.get(key) ?? 0) + 1);
      }
    },
    has(siteId: number, day: number): boolean {
      if (capacity === 0) return false;
      if (clock.tick() - askedAt >= EVERY_MS) {
        askedAt = clock.tick();
        // If the query fails, the last counts are used for 10 s more. An error must not stop the intake of hits.
        look().catch(() => {});
      }
      const key = makeDayKey(siteId, day);
      return (known.get(key) ?? 0) + (since.get(key) ?? 0) >= capacity;
    },
  };
}
