import { type Activity, isHit } from '../../engine/activity.ts';
import { makeDayKey } from '../../lib/day-key.ts';
import type { Clock } from '../../lib/time.ts';
import { type Nodes, sumRows } from '../servers/nodes.ts';

/** How often the servers are asked for the number of hits of each day. */
const EVERY_MS = 10_000;

/**
 * Tells which days have the maximum number of hits. The number of hits of a day is what the servers said last, plus
 * the hits that this process has received since then.
 */
export function watchFullDays(nodes: Nodes, clock: Pick<Clock, 'tick'>, capacity: number) {
  let known = new Map<number, number>();
  let since = new Map<number, number>();
  let askedAt = Number.NEGATIVE_INFINITY;

  async function look(): Promise<void> {
    const before = since;
    // Only days with many hits are read. A shard's share of the limit is the limit divided by the number of shards. A day with
    // less than half of its share on every shard is far below the limit.
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
        // If the query fails, the counts of the last query are used. The next try is 10 s later.
        look().catch(() => {});
      }
      const key = makeDayKey(siteId, day);
      return (known.get(key) ?? 0) + (since.get(key) ?? 0) >= capacity;
    },
  };
}
