// Finds the visits that exclusions leave out. An exclusion is a set of filters, for example for bot traffic. Visits
// that pass these filters are left out when a day is read. Nothing is deleted, so adding or removing an exclusion
// changes reports immediately.
//
// Invariant: each exclusion tests all visits of the day, so the order of exclusions does not matter.
//
// Example: exclusion 4 leaves out the visits 0 and 2, and exclusion 5 leaves out the visits 2 and 3. `excluded` is then
// { 4: 2, 5: 2, 0: 3 }. Key 0 stands for all exclusions together: they leave out 3 different visits. Queries, exports
// and the nightly work (upkeep/) call `makeReducer`.
import { isAbout, listIdsOn } from '../../catalog/exclusion-days.ts';
import { addExcluded, type ExcludedVisits } from '../../stats/aggregates.ts';
import type { Filters } from '../../stats/query.ts';
import type { Exclusion } from '../../store/sites/exclusions.ts';
import type { Day, Selection } from '../day/day.ts';
import { takeVisits } from '../day/take-visits.ts';
import type { Texts } from '../rows/terms.ts';
import type { Conditions } from './conditions.ts';
import { makeConditions } from './filters.ts';
import { select } from './select.ts';

/**
 * A day without its excluded visits. If visits were left out, `day.totals` has only the number of remaining visits. All
 * other totals are then 0, because counting them would read more columns.
 */
type Reduced = { day: Day; excluded: ExcludedVisits };

/**
 * The excluded visits of a day. `isExcluded` has a 1 for each excluded visit, and a 0 for all others. `excluded` has
 * the number of excluded visits for the id of each exclusion.
 */
type FoundVisits = { isExcluded: Uint8Array; excluded: ExcludedVisits };

export type Reducer = {
  /**
   * Returns the ids of the exclusions that apply to a day, such as "4 5". Sums of the day are stored together with this
   * text. If the text has changed since then, the stored sums are stale.
   */
  nameExclusions(day: number): string;
  /**
   * Finds the excluded visits of a day. Returns undefined if there are none. Of the excluded visits, `keepShown` keeps
   * only the visits in the time that the report covers. Without `keepShown`, the report of active visitors would also
   * count older visits as excluded.
   */
  findExcluded(day: Day, keepShown?: (some: Selection) => Selection): FoundVisits | undefined;
  reduce(day: Day): Reduced;
};

export function makeReducer(exclusions: readonly Exclusion[], texts: Texts): Reducer {
  const all = exclusions.map((one) => ({ ...one, conditions: makeConditions(one.filters as Filters, texts) }));
  const findExcluded: Reducer['findExcluded'] = (day, keepShown) => {
    const own = all.filter((one) => isAbout(one, day.day));
    const found = own.length === 0 ? undefined : findAll(day, own, keepShown);
    return found?.excluded[0] === undefined ? undefined : found;
  };
  return {
    nameExclusions: (day) => listIdsOn(exclusions, day),
    findExcluded,
    reduce(day) {
      const found = findExcluded(day);
      return found
        ? { day: takeVisits(day, listOthers(found.isExcluded)), excluded: found.excluded }
        : { day, excluded: {} };
    },
  };
}

function findAll(
  day: Day,
  exclusions: readonly { id: number; conditions: Conditions }[],
  keepShown = (some: Selection): Selection => some,
): FoundVisits {
  const isExcluded = new Uint8Array(day.totals.visits);
  const excluded: ExcludedVisits = {};
  for (const { id, conditions } of exclusions) {
    const { visits, count } = keepShown(select(day, conditions));
    for (let i = 0; i < count; i++) isExcluded[visits[i] as number] = 1;
    if (count > 0) addExcluded(excluded, { [id]: count });
  }
  const all = isExcluded.reduce((sum, bit) => sum + bit, 0);
  return { isExcluded, excluded: all > 0 ? { ...excluded, 0: all } : {} };
}

function listOthers(isExcluded: Uint8Array): Uint32Array {
  const visits = new Uint32Array(isExcluded.length);
  let count = 0;
  for (let visit = 0; visit < isExcluded.length; visit++) if (isExcluded[visit] === 0) visits[count++] = visit;
  return visits.slice(0, count);
}
