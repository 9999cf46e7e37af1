import { countSealedHits } from '../../catalog/day-states.ts';
import type { Activity } from '../../engine/activity.ts';
import { makeDayKey, readKeyDay } from '../../lib/day-key.ts';
import type { Db } from '../../store/db.ts';
import { countHits } from '../rows/hits.ts';
import { findCompacted } from './shard-table.ts';

/**
 * Counts the hits and heartbeats of each day of a site, because a setting may limit their number. The first call for a
 * day counts what the file has. Sealing leaves out heartbeats, so they do not count on a sealed day. After the first
 * call, `add` counts each new hit or heartbeat in memory.
 */
export function makeDayCounts(db: Db) {
  const counts = new Map<number, number>();

  function count(siteId: number, day: number): number {
    const key = makeDayKey(siteId, day);
    let hits = counts.get(key);
    if (hits === undefined) {
      const { until, count: inShards } = findCompacted(db, { siteId, day });
      const sealed = countSealedHits(db, siteId, day);
      hits = sealed.hits + inShards + countHits(db, { siteId, importId: null, day }, Math.max(until, sealed.after));
      counts.set(key, hits);
    }
    return hits;
  }

  return {
    of: count,
    add(activities: readonly Activity[]): void {
      for (const { siteId, day } of activities) {
        const known = counts.get(makeDayKey(siteId, day));
        if (known !== undefined) counts.set(makeDayKey(siteId, day), known + 1);
      }
    },
    /** Deletes the counts of past days. Otherwise, the map would grow forever. */
    forgetBefore(day: number): void {
      for (const key of counts.keys()) if (readKeyDay(key) < day) counts.delete(key);
    },
  };
}
