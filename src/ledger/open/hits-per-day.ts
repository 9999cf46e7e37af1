import { countSealedHits } from '../../catalog/day-states.ts';
import type { Activity } from '../../engine/activity.ts';
import { dayIn, dayKey } from '../../lib/day-key.ts';
import type { Db } from '../../store/db.ts';
import { countHits } from '../rows/hits.ts';
import { findCompacted } from './shard-table.ts';

/** How many rows each open day has, or hits where it was sealed before. They are counted once, and then as they come. */
export function dayCounts(db: Db) {
  const counts = new Map<number, number>();

  function countOf(siteId: number, day: number): number {
    const key = dayKey(siteId, day);
    let count = counts.get(key);
    if (count === undefined) {
      const { until, count: inParts } = findCompacted(db, { siteId, day });
      const sealed = countSealedHits(db, siteId, day);
      count = sealed.hits + inParts + countHits(db, { siteId, importId: null, day }, Math.max(until, sealed.after));
      counts.set(key, count);
    }
    return count;
  }

  return {
    of: countOf,
    add(activities: readonly Activity[]): void {
      for (const { siteId, day } of activities) {
        const known = counts.get(dayKey(siteId, day));
        if (known !== undefined) counts.set(dayKey(siteId, day), known + 1);
      }
    },
    /** Days before are over; without this the map would grow with each day and site. */
    forgetBefore(day: number): void {
      for (const key of counts.keys()) if (dayIn(key) < day) counts.delete(key);
    },
  };
}
