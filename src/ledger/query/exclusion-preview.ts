import type { ExclusionPreview } from '../../engine/engine.ts';
import { addTotals, noTotals, type Totals } from '../../stats/aggregates.ts';
import type { Filters, Range } from '../../stats/query.ts';
import { makeConditions } from '../count/filters.ts';
import { select } from '../count/select.ts';
import { countTotals } from '../count/totals.ts';
import type { Day, Selection } from '../day/day.ts';
import type { Texts } from '../rows/terms.ts';
import type { DayReader } from './day-reader.ts';

/**
 * Counts, for each day, the visits that an exclusion with these filters would leave out. The site's existing exclusions
 * are ignored.
 */
export function previewExclusion(
  days: DayReader,
  texts: Texts,
  { siteId, range, filters }: PreviewQuery,
): ExclusionPreview {
  const conditions = makeConditions(filters, texts);
  const { from, to } = range;
  const found = new Map<number, Totals>();
  for (const day of days.days(siteId, from, to)) {
    const selection = select(day, conditions);
    if (selection.count === 0) continue;
    const totals = countTotals(day, { selection, narrowing: {} }, ['pageviews']);
    const sums = found.get(day.day) ?? noTotals();
    addTotals(sums, { ...totals, visitors: wholeVisitors(day, selection) });
    found.set(day.day, sums);
  }
  const ofDays = [...found].sort(([one], [other]) => one - other);
  return { days: ofDays.map(([day, totals]) => ({ day, totals })), untouched: days.sumDays(siteId, from, to) };
}

/** Counts the visitors who would no longer count, because all their visits of the day would be excluded. */
function wholeVisitors(day: Day, { visits, count }: Selection): number {
  const again = day.column('again').codes;
  let whole = 0;
  let isWhole = false;
  for (let visit = 0, i = 0; visit < day.totals.visits; visit++) {
    const isSelected = i < count && visits[i] === visit;
    if (isSelected) i++;
    if (again[visit] === 1) isWhole &&= isSelected;
    else {
      if (isWhole) whole++;
      isWhole = isSelected;
    }
  }
  return isWhole ? whole + 1 : whole;
}

export type PreviewQuery = { siteId: number; range: Range; filters: Filters };
