// Late hits arrive after the end of their day. An answer "as of" a past day shows the figures that the site had at the
// end of that day. Such an answer must not count hits that arrived later.
//
// Invariant: a hit may wait in a queue. So a hit that arrives within a minute after the end of its day is not late. A
// late hit counts only in answers as of the day when it arrived, or later. If a day is sealed together with its late
// hits, nothing says which hits came late. So the day is lost for answers as of the days before the late hits arrived
// (lost-days.ts).
//
// Example: sealing failed for two days, so 3 May is still open on 5 May. Then a hit of 3 May arrives. For answers as of
// 3 and 4 May, the day 3 May is lost. For answers as of 5 May, the day 3 May counts.
//
// The ledger notes late hits when they arrive (ledger/open/reopen.ts). The cluster notes late hits when it seals their
// day.

import { MINUTE } from '../lib/time.ts';
import type { Db } from '../store/db.ts';
import { addChange, addLostDay, findDueLate } from '../store/sites/changes.ts';
import { makeDayFinder } from '../store/sites/zones.ts';
import type { SiteDay } from './sealed-days.ts';

/** How long a hit may wait in a queue. A hit that arrives more than this time after the end of its day is late. */
const LATE_AFTER = MINUTE;

/**
 * Finds the day of the site on which a hit arrives. Answers as of this day, and as of later days, count the hit. A hit
 * that arrives within a minute after midnight still belongs to the day before.
 */
export const findDayOfArrival = (db: Db, siteId: number, at: number): number =>
  makeDayFinder(db, at - LATE_AFTER)(siteId) ?? 0;

/**
 * Notes that an unsealed day has late hits, if a hit that arrives now is late. If the day already has hits (`hasHits`),
 * the day is lost for answers as of the days before the late hit arrived. Call this function inside the transaction
 * that stores the hit.
 */
export function noteLate(db: Db, { siteId, day }: SiteDay, now: number, hasHits: () => boolean): void {
  const arrival = findDayOfArrival(db, siteId, now);
  if (day >= arrival) return;
  const due = findDueLate(db, siteId, day);
  if (!due) addLate(db, { siteId, day, ...(hasHits() && { lostSince: 0 }) }, now);
  else if (findDayOfArrival(db, siteId, due.at) < arrival) addLate(db, { siteId, day, lostSince: due.id }, now);
}

/**
 * Adds the change of late hits to the journal, and returns the number of this new change. Use `lostSince` if the late
 * hits are sealed together with earlier hits. Then the day is lost for answers as of any time after the change
 * `lostSince` and before the new change. If `lostSince` is 0, the day is lost for answers as of any earlier time.
 */
export function addLate(db: Db, { siteId, day, lostSince }: SiteDay & { lostSince?: number }, at: number): number {
  const change = addChange(db, { siteId, reason: 'late_hits', from: day, to: day + 1, now: at });
  if (lostSince !== undefined) addLostDay(db, { siteId, day, since: lostSince, hasSums: false, figures: null }, change);
  return change;
}
