// A pivot has rows and columns. A question has keys, such as country and device. The last key gives the columns, and
// the other keys give the rows. A chart over time is a pivot too: its columns are times.
//
// Invariant: the server counts every figure, because visitors of two countries or two days cannot be added up. The
// column "Other" needs its own query, about the visits with none of the shown values. If no query can ask for these
// visits, the column is left out. If an answer lacks a cell, the cell is 0 only if the answer has all rows.
//
// Example: by country and device, there is a row for each country. The columns are Mobile, Desktop and Tablet.
//
// use-pivot.ts sends the queries, and pivot-table.tsx and over-time.tsx show the figures.

import type { RowMetrics, Table } from '../../api/answers.ts';
import { isAnyLeftOut, isAnyUnknown } from '../../stats/left-out.ts';
import { isDimensionKey, isHitKey, type KeyValue, type TableKey } from '../../stats/table-keys.ts';
import { isFilter } from '../core/filters.ts';
import { type Filters, keyOf } from '../core/view.ts';
import type { Figure } from './question.ts';

/** How many values the API allows at most in one filter, and in all filters together. */
const [MOST_OF_ONE, MOST_OF_ALL] = [20, 50];

/**
 * The figure of a cell. The value is undefined if the figure is not known. It is null if the figure does not exist,
 * such as the average over zero visits.
 */
export type CellValue = number | string | null | undefined;

/**
 * True if each visit has one value of the key, such as one country. A filter by this key removes whole visits, and no
 * single hits of other visits. So the figures of all other visits stay the same.
 */
const isOfVisits = (key: TableKey): boolean => isDimensionKey(key) && !isHitKey(key);

/**
 * Adds a filter for these values of a key, so that an answer has fewer rows. Returns the filters unchanged if this is
 * not possible. The new filter replaces a filter of the key in `filters`. So all `values` must pass the old filter.
 * Otherwise the new filter would let visits pass that the old filter left out.
 */
export function narrowFilters(filters: Filters, key: TableKey | undefined, values: readonly KeyValue[]): Filters {
  const texts = [...new Set(values.map(String))];
  if (key === undefined || !isOfVisits(key) || texts.length === 0) return filters;
  return checkFilters({ ...filters, [key]: texts }, key, texts) ?? filters;
}

/** Adds a filter that leaves out the visits with these values of a key. Returns undefined if that is not possible. */
export function excludeValues(filters: Filters, key: TableKey, values: readonly KeyValue[]): Filters | undefined {
  if (!isDimensionKey(key) || isHitKey(key)) return undefined;
  const name = keyOf(key, 'not');
  const texts = [...new Set([...(filters[name] ?? []), ...values.map(String)])];
  return checkFilters({ ...filters, [name]: texts }, key, texts);
}

/** Returns the filters if the API allows them. */
function checkFilters(filters: Filters, key: TableKey, texts: readonly string[]): Filters | undefined {
  const isAllowed = isDimensionKey(key) && texts.every((text) => isFilter(key, text));
  const count = Object.values(filters).flat().length;
  return isAllowed && texts.length <= MOST_OF_ONE && count <= MOST_OF_ALL ? filters : undefined;
}

type Rows = Pick<Table, 'rows' | 'total_rows'>;

/**
 * Makes a function that finds the figure of a cell. `keys` are the values of the row's keys, followed by the value of
 * the column's key.
 */
export function findCells({ rows, total_rows: total }: Rows, figure: Figure): (keys: readonly KeyValue[]) => CellValue {
  const known = new Map(rows.map(({ by, metrics }) => [JSON.stringify(by), readFigure(metrics, figure)]));
  const missing = rows.length < total ? undefined : isSum(figure) ? 0 : null;
  return (keys) => {
    const name = JSON.stringify(keys);
    return known.has(name) ? known.get(name) : missing;
  };
}

export const readFigure = (metrics: RowMetrics | undefined, figure: Figure): CellValue => metrics?.[figure];

/** Figures that are 0 if nothing was counted. All other figures, such as an average, are null then. */
const SUMS: readonly Figure[] = ['visitors', 'visits', 'pageviews', 'count', 'conversions', 'revenue'];
export const isSum = (figure: Figure): boolean => SUMS.includes(figure);

type Counted = Pick<Table, 'notice_codes' | 'left_out'>;

/**
 * True if two answers count equal days. If totals-only days cannot answer a query, the answer leaves out these days. If
 * two answers count different days, their figures must not stand side by side.
 */
export const countsSameDays = (one: Counted, other: Counted): boolean =>
  JSON.stringify(one.left_out ?? []) === JSON.stringify(other.left_out ?? []) &&
  isAnyLeftOut(one.notice_codes) === isAnyLeftOut(other.notice_codes) &&
  isAnyUnknown(one.notice_codes) === isAnyUnknown(other.notice_codes);
