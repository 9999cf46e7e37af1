// An exclusion is a set of filters, for example for bot traffic. Visits that pass these filters are left out when a day
// is read. Nothing is deleted, so adding or removing an exclusion changes reports immediately.
// Invariant: each exclusion looks at all hits of the day, also at hits that another exclusion takes out. So their order
// does not matter.
//
// Example: exclusion 4 takes out visits 0 and 2. Exclusion 5 takes out visits 2 and 3. The day keeps visit 1 and all
// visits from 4 on. `excluded` is { 4: 2, 5: 2, 0: 3 }: each exclusion takes out 2 visits, and key 0 has all 3 visits
// that are out.
//
// Scans, real-time reports, exports and upkeep/exclusion-sums.ts call `makeReducer`.
import { isAbout, listIdsOn } from '../../catalog/exclusion-days.ts';
import { addExcluded, type ExcludedVisits } from '../../stats/aggregates.ts';
import type { Filters } from '../../stats/query.ts';
import type { Exclusion } from '../../store/sites/exclusions.ts';
import type { Day, Selection } from '../day/day.ts';
import { takeVisits } from '../day/take-visits.ts';
import type { Texts } from '../rows/terms.ts';
import { type Conditions, makeConditions } from './filters.ts';
import { select } from './select.ts';

/**
 * A day without its excluded visits. If visits were taken out, only the number of visits in `day.totals` is right. The
 * other totals are 0, because they were not counted again.
 */
type Reduced = { day: Day; excluded: ExcludedVisits };

/**
 * The visits of a day that exclusions take out. `marks` has a 1 for each excluded visit, else 0. `excluded` has the
 * number of excluded visits by the id of the exclusion.
 */
type Marks = { marks: Uint8Array; excluded: ExcludedVisits };

export type Reducer = {
  /**
   * Gives the ids of the exclusions that apply to a day, as one text such as "4 5". Stored sums carry this text. If the
   * text has changed, the sums are not used.
   */
  nameExclusions(day: number): string;
  /**
   * Marks the excluded visits of a day. Gives undefined if there are none. The report of active visitors shows only
   * visits of the last minutes, and must not count older visits as excluded. It gives `keepShown`. This function gets
   * the visits that an exclusion takes out, and keeps those that the report would show.
   */
  markVisits(day: Day, keepShown?: (some: Selection) => Selection): Marks | undefined;
  reduce(day: Day): Reduced;
};

export function makeReducer(exclusions: readonly Exclusion[], texts: Texts): Reducer {
  const all = exclusions.map((one) => ({ ...one, conditions: makeConditions(one.filters as Filters, texts) }));
  const markVisits: Reducer['markVisits'] = (day, keepShown) => {
    const own = all.filter((one) => isAbout(one, day.day));
    const found = own.length === 0 ? undefined : markAll(day, own, keepShown);
    return found?.excluded[0] === undefined ? undefined : found;
  };
  return {
    nameExclusions: (day) => listIdsOn(exclusions, day),
    markVisits,
    reduce(day) {
      const found = markVisits(day);
      return found
        ? { day: takeVisits(day, listUnmarked(found.marks)), excluded: found.excluded }
        : { day, excluded: {} };
    },
  };
}

function markAll(
  day: Day,
  exclusions: readonly { id: number; conditions: Conditions }[],
  keepShown = (some: Selection): Selection => some,
): Marks {
  const marks = new Uint8Array(day.totals.visits);
  const excluded: ExcludedVisits = {};
  for (const { id, conditions } of exclusions) {
    const { visits, count } = keepShown(select(day, conditions));
    for (let i = 0; i < count; i++) marks[visits[i] as number] = 1;
    if (count > 0) addExcluded(excluded, { [id]: count });
  }
  const all = marks.reduce((sum, mark) => sum + mark, 0);
  return { marks, excluded: all > 0 ? { ...excluded, 0: all } : {} };
}

function listUnmarked(marks: Uint8Array): Uint32Array {
  const visits = new Uint32Array(marks.length);
  let count = 0;
  for (let visit = 0; visit < marks.length; visit++) if (marks[visit] === 0) visits[count++] = visit;
  return visits.slice(0, count);
}
