import { BREAKDOWNS, type Breakdown, DIMENSIONS } from '../stats/dimensions.ts';
import type { Column } from './columns.ts';
import { codeIn, type Day } from './day.ts';
import { makeRoom, type Only, type Selection, type Sums, tallyHits, tallyVisits } from './tally.ts';

/** The terms that narrow hits: those on a page, and of labels those of one event. */
export type Narrowing = { page?: number | undefined; event?: number | undefined };

/** Visitors, and of pages and events hits, by term, ascending. */
export type Count = { terms: ArrayLike<number>; visitors: ArrayLike<number>; hits: ArrayLike<number> };

/** Whether it has a row for those without a value. */
export const keepsEmpty = (breakdown: Breakdown): boolean => DIMENSIONS[BREAKDOWNS[breakdown]].keepsEmpty;

const only = (column: Column, term: number): Only => ({ codes: column.codes, code: codeIn(column, term) });

/** The hits on a page; all where none is given. */
export const onPage = (day: Day, { page }: Narrowing): Only[] =>
  page === undefined ? [] : [only(day.column('page'), page)];

export const ofEvent = (day: Day, event: number): Only => only(day.column('event'), event);

/** Adds a day to what has been counted by the terms of a breakdown. */
export function addDay(
  sums: Sums,
  day: Day,
  breakdown: Breakdown,
  selection: Selection,
  narrowing: Narrowing = {},
): void {
  const name = BREAKDOWNS[breakdown];
  const { counts } = DIMENSIONS[name];
  const column = day.column(name);
  makeRoom(sums, column.terms);
  if (counts === 'visits') tallyVisits(sums, day, column, selection);
  else {
    const event = counts === 'hits' ? [] : [ofEvent(day, counts === 'events' ? (narrowing.event ?? 0) : 0)];
    tallyHits(sums, day, column, selection, [...onPage(day, narrowing), ...event]);
  }
  sums.passed += day.totals.visits;
}

/** What has been counted, without what the breakdown leaves out. */
export function countOf({ visitors, hits }: Sums, breakdown: Breakdown): Count {
  const terms: number[] = [];
  for (let term = keepsEmpty(breakdown) ? 0 : 1; term < visitors.length; term++) {
    if (visitors[term] !== 0) terms.push(term);
  }
  const pick = (list: Uint32Array) => terms.map((term) => list[term] as number);
  return { terms, visitors: pick(visitors), hits: pick(hits) };
}
