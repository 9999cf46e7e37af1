import { type Activity, isHit } from '../engine/activity.ts';
import { cached } from '../lib/cache.ts';
import { makeDayKey, readKeyDay, readKeyId } from '../lib/day-key.ts';
import { DAY, formatMonth } from '../lib/time.ts';
import type { Db } from '../store/db.ts';
import { addUsage } from '../store/people/accounts.ts';

/** Returns the month of a day in UTC, such as '2026-11'. */
export const formatUsageMonth = cached((day: number) => formatMonth(day * DAY), { size: 100 });

/**
 * Counts hits toward the monthly limit of each account. Hits are first added up by account and day, because a write for
 * each hit would be slow.
 */
export function countUsage(
  db: Db,
  activities: readonly Activity[],
  findAccount: (siteId: number) => number | undefined,
): void {
  const used = new Map<number, number>();
  for (const activity of activities) {
    const key = makeDayKey(findAccount(activity.siteId) ?? 0, activity.day + Math.floor(activity.second / DAY));
    if (isHit(activity)) used.set(key, (used.get(key) ?? 0) + 1);
  }
  for (const [key, events] of used) addUsage(db, readKeyId(key), formatUsageMonth(readKeyDay(key)), events);
}
