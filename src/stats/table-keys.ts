// The keys of a table: dimensions, properties or times. The keys decide what a row counts.
//
// Invariant: this file also runs in browsers. So the dashboard knows which figures a table may have before it asks the
// server for the table.
//
// Example: by `page` and `country`, rows count pageviews. Such rows have a time on page, but no bounce rate. table.ts
// sorts rows, and explore/question.ts of the dashboard makes the API requests for tables.
import { DIMENSIONS, FILTERS, type FilterName } from './dimensions.ts';

/** Times by which a table may count. A week begins on Monday, and `weekday` is 1 for Monday to 7 for Sunday. */
export const TIME_KEYS = ['day', 'week', 'month', 'weekday', 'hour', 'hour_of_day'] as const;
export type TimeKey = (typeof TIME_KEYS)[number];
/** Times that are the same for all hits of a day. */
export type DayKey = Exclude<TimeKey, 'hour' | 'hour_of_day'>;

export type PropertyKey = `property:${string}`;
export type TableKey = FilterName | TimeKey | PropertyKey;

export const MOST_KEYS = 3;

const PROPERTY_PREFIX = 'property:';
export const isPropertyKey = (key: TableKey): key is PropertyKey => key.startsWith(PROPERTY_PREFIX);
export const readPropertyName = (key: PropertyKey): string => key.slice(PROPERTY_PREFIX.length);
export const isTimeKey = (key: TableKey): key is TimeKey => (TIME_KEYS as readonly string[]).includes(key);
export const isDayKey = (key: TableKey): key is DayKey => isTimeKey(key) && key !== 'hour' && key !== 'hour_of_day';
export const isDimensionKey = (key: TableKey): key is FilterName => (FILTERS as readonly string[]).includes(key);

/** True if each hit has its own value of the key. Otherwise, all hits of a visit have the same value. */
export const isHitKey = (key: TableKey): boolean =>
  isDimensionKey(key) ? DIMENSIONS[key].kind === 'hit' : !isDayKey(key);

/** What the rows of a table count. `any` means pageviews and events. */
export type TableCounts = 'visits' | 'pageviews' | 'any';

const OF_PAGEVIEWS: readonly TableKey[] = ['page', 'hostname'];

export function chooseCounts(by: readonly TableKey[]): TableCounts {
  if (!by.some(isHitKey)) return 'visits';
  const isOfEvents = by.some((key) => key === 'event' || isPropertyKey(key));
  return !isOfEvents && by.some((key) => OF_PAGEVIEWS.includes(key)) ? 'pageviews' : 'any';
}

/**
 * Says what the rows of a query count. If the query says which values get rows of their own (`among`), rows count
 * visits. Then a visit belongs to one row, even if its hits have several of the values (query.ts).
 */
export const chooseTableCounts = ({ by, among }: { by: readonly TableKey[]; among?: unknown }): TableCounts =>
  among === undefined ? chooseCounts(by) : 'visits';

/**
 * A value of a key: a text, or a number that stands for a time. For example, a day is counted from 1970, and an hour is
 * in seconds since 1970.
 */
export type KeyValue = string | number;
