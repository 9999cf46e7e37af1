import { BREAKDOWNS, type Breakdown, DIMENSIONS } from '../stats/dimensions.ts';
import type { Column } from './columns.ts';
import { codeIn, type Day } from './day.ts';
import { type Match, makeRoom, type Selection, type Sums, tallyHits, tallyVisits } from './tally.ts';

/** Which hits of the selected visits count: only those on a page. Labels count only for one event. */
export type Narrowing = { page?: number | undefined; event?: number | undefined };

/** Visitors by term, in ascending order of terms. `hits` is filled for pages and events. */
export type Count = { terms: ArrayLike<number>; visitors: ArrayLike<number>; hits: ArrayLike<number> };

export const keepsEmpty = (breakdown: Breakdown): boolean => DIMENSIONS[BREAKDOWNS[breakdown]].keepsEmpty;

const matchOf = (column: Column, term: number): Match => ({ codes: column.codes, code: codeIn(column, term) });

/** The match for hits on the page; without a page every hit matches. */
export const onPage = (day: Day, { page }: Narrowing): Match[] =>
  page === undefined ? [] : [matchOf(day.column('page'), page)];

export const ofEvent = (day: Day, event: number): Match => matchOf(day.column('event'), event);

/** Adds a day to the counts of a breakdown. */
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
  sums.visitsBefore += day.totals.visits;
}

/** The counts as a list of terms. Without the empty term, if the breakdown has no row for it. */
export function countOf({ visitors, hits }: Sums, breakdown: Breakdown): Count {
  const terms: number[] = [];
  for (let term = keepsEmpty(breakdown) ? 0 : 1; term < visitors.length; term++) {
    if (visitors[term] !== 0) terms.push(term);
  }
  const pick = (list: Uint32Array) => terms.map((term) => list[term] as number);
  return { terms, visitors: pick(visitors), hits: pick(hits) };
}
