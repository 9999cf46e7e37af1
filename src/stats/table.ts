// A table counts visits or hits by several keys: dimensions, properties or times. People choose up to three keys, and
// difference.ts more. A table answers questions that no other report answers, such as revenue by channel and week.
//
// Invariant: if another report has the same row, its figures are equal. The keys decide what is counted.
//
// Example: by `channel` and `week`, visits are counted, because both keys are the same for all hits of a visit. By
// `page` and `country`, pageviews are counted. By `event` and `page`, hits are counted, and the page is where the event
// happened. Engines count the rows, and reports.ts makes the answer from the rows.
import { compareCodePoints } from '../lib/code-points.ts';
import { findZone } from '../lib/zone.ts';
import { findFirstDay, monthNumber } from './calendar.ts';
import { findMonday, writeDate } from './interval.ts';
import { findFigureOf, type Metric, makeRankOf, type Order, type RowSums } from './metrics.ts';
import { chooseCounts, type DayKey, type KeyValue, type TableKey } from './table-keys.ts';

/**
 * The most rows of a table in which difference.ts searches for combinations of values. A search in more rows would take
 * too long. If the table is longer, difference.ts asks for a table with fewer dimensions. In difference-cells.ts, the
 * rows are called cells.
 */
export const MOST_TABLE_CELLS = 50_000;

/** The most rows of a table. A longer table is refused: it would take too much memory, and nobody could read it. */
export const MOST_TABLE_ROWS = 500_000;

export type TableRow = { keys: KeyValue[]; sums: RowSums };
export type TableAggregates = { rows: TableRow[]; total: number; isTooLong: boolean; cells?: TableCells };

/**
 * The rows of a table whose query has `among`. Each array has one number for each row. Arrays are sent to another
 * thread much faster than objects.
 *
 * `keys` has an array for each key. A number is 1 for the first value that `among` lists for the key, and 2 for the
 * second. All other values get 0. If the hits of a visit may have different values of the key, the number is a set of
 * values. Then bit 0 stands for the first listed value. If `among` has no list for a time, the array has the times.
 *
 * `counted` has the sums of the query's metric, such as conversions. A query with `among` has at most one metric.
 */
export type TableCells = { keys: Float64Array[]; visitors: Float64Array; counted: Float64Array };

export const DAY_NUMBERS: Record<DayKey, (day: number) => number> = {
  day: (day) => day,
  week: findMonday,
  month: monthNumber,
  weekday: (day) => day - findMonday(day) + 1,
};

/** Writes the value of a key for an answer. For example, a day number becomes a date. */
export function writeKey(key: TableKey, value: KeyValue, timeZone: string): KeyValue {
  if (typeof value === 'string') return value;
  if (key === 'day' || key === 'week') return writeDate(value);
  if (key === 'month') return writeMonth(value);
  return key === 'hour' ? findZone(timeZone).writtenAt(value) : value;
}

const writeMonth = (month: number): string => writeDate(findFirstDay(month)).slice(0, 7);

/** `sort` is a metric, or one of the keys. Rows with equal figures are sorted by their keys. */
type Sorting = { by: readonly TableKey[]; sort?: Metric | TableKey | undefined; order?: Order | undefined };
type Page = { offset: number; limit: number };

type Picking = Sorting & Page & { wanted?: readonly KeyValue[][] | undefined };

/**
 * Sorts the rows, and returns at most `limit` rows, from row `offset` on. With `wanted`, returns the rows with these
 * keys instead.
 */
export function pickTableRows(rows: readonly TableRow[], picking: Picking): TableRow[] {
  const { by, sort, order, offset, limit, wanted } = picking;
  if (wanted) {
    const names = new Set(wanted.map((keys) => JSON.stringify(keys)));
    return rows.filter(({ keys }) => names.has(JSON.stringify(keys)));
  }
  const rank = rankRows(picking);
  if (!rank) {
    const place = by.indexOf(sort as TableKey);
    const sign = order === 'desc' ? -1 : 1;
    const compare = (one: TableRow, other: TableRow) => sign * compareAt(one, other, place) || compareKeys(one, other);
    return sortFirst(rows, offset + limit, compare).slice(offset);
  }
  const ranks = Float64Array.from(rows, ({ sums }) => rank(sums));
  const least = findLeastRank(ranks, offset + limit);
  const ranked = rows.map((row, i) => ({ row, rank: ranks[i] as number })).filter(({ rank }) => rank >= least);
  return sortFirst(ranked, offset + limit, (one, other) => other.rank - one.rank || compareKeys(one.row, other.row))
    .slice(offset)
    .map(({ row }) => row);
}

/**
 * Returns the first `most` items in sorted order. In a long table, most rows have one visitor. Sorting all of them by
 * their texts would take seconds, so most rows are only compared with the last of the best rows so far.
 */
function sortFirst<Item>(
  items: readonly Item[],
  most: number,
  compare: (one: Item, other: Item) => number,
): readonly Item[] {
  let best: Item[] = [];
  let last: Item | undefined;
  for (const item of items) {
    if (last !== undefined && compare(item, last) > 0) continue;
    best.push(item);
    if (best.length < 2 * most) continue;
    best = best.sort(compare).slice(0, most);
    last = best.at(-1);
  }
  return best.sort(compare).slice(0, most);
}

/**
 * Returns a function that ranks rows by their figures. Returns undefined if the rows are sorted by a key, or if
 * `wanted` names them.
 */
export function rankRows({ by, sort, order, wanted }: Picking): ((sums: RowSums) => number) | undefined {
  if (wanted || by.includes(sort as TableKey)) return undefined;
  return makeRankOf(sort && findFigureOf(chooseCounts(by), sort as Metric), order);
}

/**
 * Finds the rank of the last wanted row. Rows with a lower rank are not sorted, because comparing their texts takes
 * long. `best` has room for twice as many ranks as wanted. Each time `best` is full, only the half with the higher
 * ranks stays.
 */
export function findLeastRank(ranks: Float64Array, wanted: number): number {
  if (ranks.length <= wanted) return Number.NEGATIVE_INFINITY;
  const best = new Float64Array(Math.min(2 * wanted, ranks.length));
  let [size, least] = [0, Number.NEGATIVE_INFINITY];
  for (const rank of ranks) {
    if (rank < least) continue;
    if (size === best.length) {
      best.sort();
      best.copyWithin(0, size - wanted);
      size = wanted;
      least = best[0] as number;
    }
    best[size++] = rank;
  }
  return best.subarray(0, size).sort()[size - wanted] as number;
}

function compareAt({ keys: one }: TableRow, { keys: other }: TableRow, place: number): number {
  const [a, b] = [one[place] ?? '', other[place] ?? ''];
  return typeof a === 'number' && typeof b === 'number' ? a - b : compareCodePoints(String(a), String(b));
}

function compareKeys(one: TableRow, other: TableRow): number {
  for (let place = 0; place < one.keys.length; place++) {
    const difference = compareAt(one, other, place);
    if (difference !== 0) return difference;
  }
  return 0;
}
