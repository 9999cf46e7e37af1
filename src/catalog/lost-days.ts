// Lost days cannot be counted any more as they once were, because their data was deleted. A query "as of" a past day
// asks for the figures at the end of that day. Such a query is refused if it needs a lost day. The error says why the
// day is lost.
//
// Invariant: an answer "as of" a past day never shows figures that the site did not have at the end of that day. A day
// is lost from the moment when its hits or sums are hidden.
//
// Example: on 3 May, an import replaced 2 March, and the old hits of 2 March were deleted. As of 1 May, 2 March is
// lost. As of 4 May, it is not lost. The retention deletes only hits. After that, a day is lost only for answers that
// need hits.
//
// Both engines call the functions that note lost days. api/as-of.ts calls listLostDays.

import type { Range } from '../stats/query.ts';
import type { Db } from '../store/db.ts';
import type { PastMoment } from '../store/file/as-of.ts';
import {
  addChange,
  addFigures,
  addLostDay,
  type ChangeReason,
  type Figures,
  NO_FIGURES,
} from '../store/sites/changes.ts';
import { listExclusions } from '../store/sites/exclusions.ts';
import { listIdsOn } from './exclusion-days.ts';
import { listReduced } from './reduced-days.ts';
import type { CountedSlice } from './sealed-days.ts';

/**
 * Notes that a change hides these slices, whose data is deleted soon. Call this function before the slices are hidden.
 */
export function loseSlices(db: Db, siteId: number, slices: readonly CountedSlice[], change: number): void {
  const exclusions = listExclusions(db, siteId);
  const reduced = listReduced(
    db,
    slices.map(({ id }) => id),
  );
  /** Returns the figures of a slice without excluded visits. Returns undefined if the sums of the slice are stale. */
  const readFigures = (slice: CountedSlice): Figures | undefined => {
    const key = listIdsOn(exclusions, slice.day);
    if (key === '') return slice;
    const own = reduced.get(slice.id);
    if (own?.exclusions !== key) return undefined;
    return own.excluded[0] === undefined ? slice : own.totals;
  };
  for (const [day, own] of Map.groupBy(slices, (slice) => slice.day)) {
    const all = own.map(readFigures);
    const figures = all.reduce<Figures | null>((sum, one) => (sum && one ? addFigures(sum, one) : null), NO_FIGURES);
    // Different changes may have brought the slices of a day. From the first of these changes on, answers counted at
    // least one slice. So the day is lost from then on.
    const since = Math.min(...own.map((slice) => slice.since));
    addLostDay(db, { siteId, day, since, hasSums: false, figures }, change);
  }
}

/** Notes that a change deletes hits of days that are not sealed yet. Call this function before the hits are hidden. */
export function loseOpen(db: Db, siteId: number, days: readonly number[], change: number): void {
  for (const day of days) addLostDay(db, { siteId, day, since: 0, hasSums: false, figures: null }, change);
}

/**
 * Notes that days lose their hits and keep their sums. Call this function inside the transaction that hides the hits.
 */
export function loseHits(db: Db, siteId: number, days: readonly number[], now: number): void {
  if (days.length === 0) return;
  const range = { from: Math.min(...days), to: Math.max(...days) + 1 };
  const change = addChange(db, { siteId, reason: 'retention', ...range, now });
  for (const day of new Set(days)) addLostDay(db, { siteId, day, since: 0, hasSums: true, figures: null }, change);
}

export type LostDay = { day: number; reason: ChangeReason; hasSums: boolean };

/** Lists the lost days in some ranges, with the reason. They cannot be counted as they were at the given moment. */
export function listLostDays(db: Db, { siteId, at }: PastMoment, ranges: readonly Range[]): LostDay[] {
  const lost = db.all<Omit<LostDay, 'hasSums'> & { hasSums: 0 | 1 }>(
    `SELECT l.day, c.reason, l.has_sums AS hasSums FROM lost_day l JOIN change c ON c.id = l.until
     WHERE l.site_id = ? AND c.at >= ? AND coalesce((SELECT at FROM change WHERE id = l.since), 0) < ? ORDER BY l.day`,
    siteId,
    at,
    at,
  );
  return lost
    .filter(({ day }) => ranges.some(({ from, to }) => day >= from && day < to))
    .map((one) => ({ ...one, hasSums: one.hasSums === 1 }));
}
