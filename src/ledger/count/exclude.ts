// Exclusions take visits out of a day when it is read. Nothing is deleted, so a report changes at once, and back again.
// Invariant: each exclusion is judged on all hits of the day, not on what other exclusions leave. So their order does not matter.
//
// Example: exclusion 4 selects visits 0 and 2, exclusion 5 visits 2 and 3. The day is left with visit 1 and the others from 4 on. `excluded`
// is { 4: 2, 5: 2, 0: 3 }: two visits each, three in all.
//
// Scans, real-time reports, exports, and upkeep/exclusion-sums.ts call it.
import { isAbout, listIdsOn } from '../../catalog/exclusion-days.ts';
import { addExcluded, type ExcludedVisits } from '../../stats/aggregates.ts';
import type { Filters } from '../../stats/query.ts';
import type { Exclusion } from '../../store/sites/exclusions.ts';
import type { Day, Selection } from '../day/day.ts';
import { takeVisits } from '../day/take-visits.ts';
import type { Texts } from '../rows/terms.ts';
import { type Conditions, makeConditions } from './filters.ts';
import { select } from './select.ts';

/** A day without excluded visits. If there are any, only the number of visits is known of its totals. */
type Reduced = { day: Day; excluded: ExcludedVisits };

/** Marks have a 1 for each excluded visit. `excluded` counts these visits. */
type Marks = { marks: Uint8Array; excluded: ExcludedVisits };

/** Takes excluded visits out of the days of a site. */
export type Reducer = {
  /** Names the exclusions of a day, by their ids. */
  nameExclusions(day: number): string;
  /** Marks the excluded visits; undefined if there are none. `looked` may remove visits from a selection that need no mark. */
  markVisits(day: Day, looked?: (some: Selection) => Selection): Marks | undefined;
  reduce(day: Day): Reduced;
};

/** Makes the reducer of a site. */
export function makeReducer(exclusions: readonly Exclusion[], texts: Texts): Reducer {
  const all = exclusions.map((one) => ({ ...one, conditions: makeConditions(one.filters as Filters, texts) }));
  const markVisits: Reducer['markVisits'] = (day, looked) => {
    const own = all.filter((one) => isAbout(one, day.day));
    const found = own.length === 0 ? undefined : markAll(day, own, looked);
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

/** Marks the visits that some exclusions take. */
function markAll(
  day: Day,
  exclusions: readonly { id: number; conditions: Conditions }[],
  looked = (some: Selection): Selection => some,
): Marks {
  const marks = new Uint8Array(day.totals.visits);
  const excluded: ExcludedVisits = {};
  for (const { id, conditions } of exclusions) {
    const { visits, count } = looked(select(day, conditions));
    for (let i = 0; i < count; i++) marks[visits[i] as number] = 1;
    if (count > 0) addExcluded(excluded, { [id]: count });
  }
  const all = marks.reduce((sum, mark) => sum + mark, 0);
  return { marks, excluded: all > 0 ? { ...excluded, 0: all } : {} };
}

/** Lists the visits without a mark. */
function listUnmarked(marks: Uint8Array): Uint32Array {
  const visits = new Uint32Array(marks.length);
  let count = 0;
  for (let visit = 0; visit < marks.length; visit++) if (marks[visit] === 0) visits[count++] = visit;
  return visits.slice(0, count);
}
