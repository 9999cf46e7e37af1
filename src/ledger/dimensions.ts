import type { Column } from './columns.ts';
import { codeIn, type Day } from './day.ts';
import { makeRoom, type Only, type Selection, type Sums, tallyHits, tallyVisits } from './tally.ts';

/** What a breakdown counts visitors by: a column of visits, or of those hits that are meant. */
export const DIMENSIONS = {
  pages: { column: 'page', of: 'pageviews', keepsNone: true },
  events: { column: 'event', of: 'hits', keepsNone: false },
  event_labels: { column: 'label', of: 'events', keepsNone: false },
  entry_pages: { column: 'entry', of: 'visits', keepsNone: true },
  exit_pages: { column: 'exit', of: 'visits', keepsNone: true },
  referrers: { column: 'source', of: 'visits', keepsNone: true },
  utm_source: { column: 'utm_source', of: 'visits', keepsNone: false },
  utm_medium: { column: 'utm_medium', of: 'visits', keepsNone: false },
  utm_campaign: { column: 'utm_campaign', of: 'visits', keepsNone: false },
  countries: { column: 'country', of: 'visits', keepsNone: true },
  devices: { column: 'device', of: 'visits', keepsNone: true },
  browsers: { column: 'browser', of: 'visits', keepsNone: true },
  operating_systems: { column: 'os', of: 'visits', keepsNone: true },
} as const;
export type Dimension = keyof typeof DIMENSIONS;

/** The terms that narrow hits: those on a page, and of labels those of one event. */
export type Narrowing = { page?: number | undefined; event?: number | undefined };

/** Visitors, and of pages and events hits, by term, ascending. */
export type Count = { terms: ArrayLike<number>; visitors: ArrayLike<number>; hits: ArrayLike<number> };

const only = (column: Column, term: number): Only => ({ codes: column.codes, code: codeIn(column, term) });

/** The hits on a page; all where none is given. */
export const onPage = (day: Day, { page }: Narrowing): Only[] =>
  page === undefined ? [] : [only(day.column('page'), page)];

export const ofEvent = (day: Day, event: number): Only => only(day.column('event'), event);

/** Adds a day to what has been counted by the terms of a breakdown. */
export function addDay(
  sums: Sums,
  day: Day,
  dimension: Dimension,
  selection: Selection,
  narrowing: Narrowing = {},
): void {
  const { column: name, of } = DIMENSIONS[dimension];
  const column = day.column(name);
  makeRoom(sums, column.terms);
  if (of === 'visits') tallyVisits(sums, day, column, selection);
  else {
    const event = of === 'hits' ? [] : [ofEvent(day, of === 'events' ? (narrowing.event ?? 0) : 0)];
    tallyHits(sums, day, column, selection, [...onPage(day, narrowing), ...event]);
  }
  sums.passed += day.totals.visits;
}

/** What has been counted, without what the breakdown leaves out. */
export function countOf({ visitors, hits }: Sums, dimension: Dimension): Count {
  const terms: number[] = [];
  for (let term = DIMENSIONS[dimension].keepsNone ? 0 : 1; term < visitors.length; term++) {
    if (visitors[term] !== 0) terms.push(term);
  }
  const pick = (list: Uint32Array) => terms.map((term) => list[term] as number);
  return { terms, visitors: pick(visitors), hits: pick(hits) };
}
