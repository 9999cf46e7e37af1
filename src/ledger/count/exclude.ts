import { isAbout, listIdsOn } from '../../catalog/exclusion-days.ts';
import { type Aside, addAside, noTotals } from '../../stats/measured.ts';
import type { Filters } from '../../stats/question.ts';
import type { Exclusion } from '../../store/sites/exclusions.ts';
import { type Column, type ColumnName, isHitColumn, takeCodes } from '../column/column.ts';
import type { Numbers } from '../column/packing.ts';
import type { Day, Selection } from '../day/day.ts';
import { lazily } from '../day/shard.ts';
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

/** The rows that are not marked. */
function unmarked(marks: Uint8Array): Uint32Array {
  const rows = new Uint32Array(marks.length);
  let count = 0;
  for (let row = 0; row < marks.length; row++) if (marks[row] === 0) rows[count++] = row;
  return rows.slice(0, count);
}

/** The hits of the visits that are not marked. Whoever reads the day may hold its `findStarts`, so that this buffer is left alone. */
function hitsOf(day: Day, marks: Uint8Array): Uint32Array {
  const { codes: hits } = day.column('hits');
  const rows: number[] = [];
  for (let visit = 0, hit = 0; visit < marks.length; visit++) {
    const end = hit + (hits[visit] as number);
    if (marks[visit] === 1) hit = end;
    while (hit < end) rows.push(hit++);
  }
  return Uint32Array.from(rows);
}

/** Whether another visit of the same visitor was left before it. */
function againOf({ codes: again }: Column, marks: Uint8Array, count: number): Uint8Array {
  const own = new Uint8Array(count);
  let isAgain = 0;
  for (let visit = 0, i = 0; visit < marks.length; visit++) {
    if (again[visit] === 0) isAgain = 0;
    if (marks[visit] === 1) continue;
    own[i++] = isAgain;
    isAgain = 1;
  }
  return own;
}

/** The day without the marked visits. Its dictionaries may have values that no row has any more. */
function without(day: Day, marks: Uint8Array): Day {
  const visits = unmarked(marks);
  let hits: Uint32Array | undefined;
  function ofHits(codes: Numbers): Numbers {
    hits ??= hitsOf(day, marks);
    return takeCodes(codes, hits);
  }
  const column = lazily((name: ColumnName): Column => {
    const whole = day.column(name);
    if (name === 'again') return { ...whole, codes: againOf(whole, marks, visits.length) };
    return { ...whole, codes: isHitColumn(name) ? ofHits(whole.codes) : takeCodes(whole.codes, visits) };
  });
  const left: Day = { day: day.day, totals: { ...noTotals(), visits: visits.length }, column };
  const { quarters } = day;
  if (!quarters) return left;
  return { ...left, quarters: () => ({ ...quarters(), codes: ofHits(quarters().codes) }) };
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
      return found ? { day: without(day, found.marks), aside: found.aside } : { day, aside: {} };
    },
  };
}
