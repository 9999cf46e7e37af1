import type { Totals } from '../stats/measured.ts';
import type { Numbers } from './bytes.ts';
import { type Column, type ColumnName, codeOf } from './columns.ts';

/**
 * One day of one site as columns, the same for an open and for a sealed one. Visits are in the order of their visitors, and
 * of one visitor in the order of time; hits in the order of their visits, and of time.
 */
export type Day = {
  day: number;
  totals: Totals;
  column(name: ColumnName): Column;
};

const lists: Record<'visits' | 'starts' | 'more', Uint32Array> = {
  visits: new Uint32Array(0),
  starts: new Uint32Array(0),
  more: new Uint32Array(0),
};

/**
 * A list with room for so many rows, of which there is one for each use: a new one for each day would make garbage by the
 * megabyte. What is in it is lost when the next day is looked at.
 */
export function listFor(use: keyof typeof lists, rows: number): Uint32Array {
  if (lists[use].length < rows) lists[use] = new Uint32Array(2 ** Math.ceil(Math.log2(rows)));
  return lists[use];
}

/** Where the hits of each visit begin, and at the end how many hits there are. */
export function startsOf({ column, totals: { visits } }: Day): Uint32Array {
  const { codes: hits } = column('hits');
  const starts = listFor('starts', visits + 1);
  let sum = 0;
  for (let visit = 0; visit < visits; visit++) {
    starts[visit] = sum;
    sum += hits[visit] as number;
  }
  starts[visits] = sum;
  return starts;
}

/** The code of a term in a column, or -1 if the day never saw it. */
export const codeIn = ({ terms }: { terms: Numbers }, term: number): number => codeOf(terms, term);
