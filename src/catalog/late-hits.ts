// Hits that come after the end of their day. An answer as of an earlier moment must not count them.
//
// Invariant: hits that arrive within a minute after the end of their day are not late. They may have waited in a queue.
// Later hits count only from the time when they came. For hits that are sealed together, it is not known which of them
// came late. So if they came on different days, their day is lost for some answers (lost-days.ts).
//
// Example: sealing failed for two days, so 3 May is still open on 5 May. Then a hit of 3 May arrives. As of 3 and 4
// May, 3 May is lost. As of 5 May it counts.
//
// The ledger notes late hits when they come (ledger/open/reopen.ts), and the cluster when they are sealed.

import { MINUTE } from '../lib/time.ts';
import type { Db } from '../store/db.ts';
import { addChange, addLostDay, findDueLate } from '../store/sites/changes.ts';
import { makeDayFinder } from '../store/sites/zones.ts';
import type { SiteDay } from './sealed-days.ts';

/** A hit may wait in a queue for this long. */
const LATE_AFTER = MINUTE;

/** Finds the first day of a site whose `as_of` counts a hit that comes at this time. */
export const findDayOfArrival = (db: Db, siteId: number, at: number): number =>
  makeDayFinder(db, at - LATE_AFTER)(siteId) ?? 0;

/** Notes a hit of a day that is not sealed, if it is late. Call it inside the transaction that stores the hit. */
export function noteLate(db: Db, { siteId, day }: SiteDay, now: number, hasHits: () => boolean): void {
  const arrival = findDayOfArrival(db, siteId, now);
  if (day >= arrival) return;
  const due = findDueLate(db, siteId, day);
  if (!due) addLate(db, { siteId, day, ...(hasHits() && { lostSince: 0 }) }, now);
  else if (findDayOfArrival(db, siteId, due.at) < arrival) addLate(db, { siteId, day, lostSince: due.id }, now);
}

/**
 * Adds the change of late hits, and returns its number. With `lostSince`, they are sealed together with hits that came
 * before. Then the day cannot be counted as it was between that change and this one.
 */
export function addLate(db: Db, { siteId, day, lostSince }: SiteDay & { lostSince?: number }, at: number): number {
  const change = addChange(db, { siteId, reason: 'late_hits', from: day, to: day + 1, now: at });
  if (lostSince !== undefined) addLostDay(db, { siteId, day, since: lostSince, hasSums: false, figures: null }, change);
  return change;
}
