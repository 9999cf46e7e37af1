import { isAbout, listIdsOn } from '../../catalog/exclusion-days.ts';
import { type Aside, addAside } from '../../stats/measured.ts';
import type { Filters } from '../../stats/question.ts';
import type { Exclusion } from '../../store/sites/exclusions.ts';
import type { Day, Selection } from '../day/day.ts';
import { takeVisits } from '../day/take-visits.ts';
import type { Texts } from '../rows/terms.ts';
import { type Conditions, makeConditions } from './filters.ts';
import { select } from './select.ts';

/** A day without the visits that are set aside. If there are any, of its totals only the visits are known. */
type Reduced = { day: Day; aside: Aside };

/** The visits of a day that are set aside have a 1. */
type Marks = { marks: Uint8Array; aside: Aside };

/** Takes the visits that are set aside out of the days of a site. */
export type Reducer = {
  /** The exclusions of a day, by their ids. */
  keyOf(day: number): string;
  /** Undefined if there are none; `looked` leaves those of a selection that are looked at. */
  marksOf(day: Day, looked?: (some: Selection) => Selection): Marks | undefined;
  of(day: Day): Reduced;
};

/** Whether an exclusion takes a visit is judged on all hits, not on what others leave. */
function marksIn(
  day: Day,
  exclusions: readonly { id: number; conditions: Conditions }[],
  looked = (some: Selection): Selection => some,
): Marks {
  const marks = new Uint8Array(day.totals.visits);
  const aside: Aside = {};
  for (const { id, conditions } of exclusions) {
    const { visits, count } = looked(select(day, conditions));
    for (let i = 0; i < count; i++) marks[visits[i] as number] = 1;
    if (count > 0) addAside(aside, { [id]: count });
  }
  const all = marks.reduce((sum, mark) => sum + mark, 0);
  return { marks, aside: all > 0 ? { ...aside, 0: all } : {} };
}

/** Lists the visits without a mark. */
function listUnmarked(marks: Uint8Array): Uint32Array {
  const visits = new Uint32Array(marks.length);
  let count = 0;
  for (let visit = 0; visit < marks.length; visit++) if (marks[visit] === 0) visits[count++] = visit;
  return visits.slice(0, count);
}

export function makeReducer(exclusions: readonly Exclusion[], texts: Texts): Reducer {
  const all = exclusions.map((one) => ({ ...one, conditions: makeConditions(one.filters as Filters, texts) }));
  const marksOf: Reducer['marksOf'] = (day, looked) => {
    const own = all.filter((one) => isAbout(one, day.day));
    const found = own.length === 0 ? undefined : marksIn(day, own, looked);
    return found?.aside[0] === undefined ? undefined : found;
  };
  return {
    keyOf: (day) => listIdsOn(exclusions, day),
    marksOf,
    of(day) {
      const found = marksOf(day);
      return found ? { day: takeVisits(day, listUnmarked(found.marks)), aside: found.aside } : { day, aside: {} };
    },
  };
}
