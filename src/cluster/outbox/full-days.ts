import { type Activity, isHit } from '../../engine/activity.ts';
import { makeDayKey } from '../../lib/day-key.ts';
import type { Clock } from '../../lib/time.ts';
import { type Nodes, sumRows } from '../servers/nodes.ts';

/** The servers are asked every 10 s how many hits days have. */
const EVERY_MS = 10_000;

/**
 * Tells which days have as many hits as a day may have. The number is what the servers had at the last look plus what came here
 * since.
 */
export function watchFullDays(nodes: Nodes, clock: Pick<Clock, 'tick'>, capacity: number) {
  let known = new Map<number, number>();
  let since = new Map<number, number>();
  let askedAt = Number.NEGATIVE_INFINITY;

  async function look(): Promise<void> {
    const before = since;
    // A day that is below half of its share on each shard is below the limit on all shards together.
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
        // A failed look changes nothing. The next one is 10 s later.
        look().catch(() => {});
      }
      const key = makeDayKey(siteId, day);
      return (known.get(key) ?? 0) + (since.get(key) ?? 0) >= capacity;
    },
  };
}
