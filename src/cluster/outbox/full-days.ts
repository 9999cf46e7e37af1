import { type Activity, isHit } from '../../engine/activity.ts';
import { dayKey } from '../../lib/day-key.ts';
import type { Clock } from '../../lib/time.ts';
import { type Nodes, sumRows } from '../servers/nodes.ts';

/** How often the cluster is asked how many hits days have. */
const EVERY_MS = 10_000;

/** Which days of sites have as many hits as one may have: what the cluster had a moment ago, and what came here since. */
export function fullDays(nodes: Nodes, clock: Pick<Clock, 'tick'>, capacity: number) {
  let known = new Map<number, number>();
  let since = new Map<number, number>();
  let askedAt = Number.NEGATIVE_INFINITY;

  async function look(): Promise<void> {
    const before = since;
    // What is far from full on each shard is far from it on all.
    const own = `SELECT site, day, countIf(engaged = 0) AS hits FROM activity
      GROUP BY site, day HAVING hits * ${2 * nodes.shards} > ${capacity}`;
    const rows = await nodes.ask<{ site: number; day: number; hits: number }>(own);
    known = new Map(sumRows(rows, ['site', 'day']).map(({ site, day, hits }) => [dayKey(site, day), hits]));
    if (since === before) since = new Map();
  }

  return {
    note(activities: readonly Activity[]): void {
      if (capacity === 0) return;
      for (const activity of activities) {
        const key = dayKey(activity.siteId, activity.day);
        if (isHit(activity)) since.set(key, (since.get(key) ?? 0) + 1);
      }
    },
    has(siteId: number, day: number): boolean {
      if (capacity === 0) return false;
      if (clock.tick() - askedAt >= EVERY_MS) {
        askedAt = clock.tick();
        // Who is away says nothing, and the next look is soon.
        look().catch(() => {});
      }
      const key = dayKey(siteId, day);
      return (known.get(key) ?? 0) + (since.get(key) ?? 0) >= capacity;
    },
  };
}
