// Counts the rows of a table, day by day. The columns of the keys are combined into one, which is counted like the column
// of a breakdown.
//
// Invariant: the number of a row is the same on all days of a scan. Partials of threads have the values of the keys in
// place of numbers, so they can be merged.
//
// Example: by country and browser, a visit of (DE, Firefox) and one of (DE, Chrome) give two rows with one visitor each.
// scan.ts makes a counter for each scan, and merge.ts adds up the partials.
import { findZone } from '../../lib/zone.ts';
import type { SumName } from '../../stats/metrics.ts';
import type { Of } from '../../stats/query.ts';
import {
  chooseCounts,
  DAY_NUMBERS,
  isDayKey,
  isDimensionKey,
  isHitKey,
  isPropertyKey,
  type KeyValue,
  MOST_TABLE_ROWS,
  pickTableRows,
  readPropertyName,
  type TableAggregates,
  type TableKey,
  type TableRow,
} from '../../stats/table.ts';
import type { Column } from '../column/packing.ts';
import { readProperty } from '../column/properties.ts';
import { type Combinations, combineColumns, makeCombinations } from '../count/combine.ts';
import { chooseTexts, type ReadColumn, readDimension } from '../count/dimension-column.ts';
import { tallyHits, tallyVisits } from '../count/distinct.ts';
import { makeMatches, makeZeros, PAGEVIEW } from '../count/hit-filter.ts';
import { byClock, byInstant } from '../count/hour-buckets.ts';
import { readHours } from '../count/hours.ts';
import { sumsOfRows } from '../count/row-figures.ts';
import { type MoreSums, makeSums, mapNumbers } from '../count/term-counts.ts';
import { type Day, findStarts, type Selection } from '../day/day.ts';
import type { Texts } from '../rows/terms.ts';

/** The rows of some days. `keys` has a list of values for each key. A text is the number of its term. */
export type TableCount = {
  keys: Float64Array[];
  visitors: ArrayLike<number>;
  hits: ArrayLike<number>;
  more: MoreSums;
  isTooLong: boolean;
};

type TableQuery = Of<'table'>;
/** What rows count besides visitors, as `sumsOfRows` gets it. */
type Asked = Parameters<typeof sumsOfRows>[2];

export function makeTableCounter(query: TableQuery, sums: readonly SumName[], asked: Asked, texts: Texts) {
  const { by } = query;
  const counts = chooseCounts(by);
  const combinations = makeCombinations(by.length);
  const readers = by.map((key) => makeKeyReader(key, query, texts));
  const { counted } = asked;
  const event = counts === 'pageviews' ? PAGEVIEW : undefined;
  const totals = makeSums();
  const more = sumsOfRows(counts, sums, asked);
  let isTooLong = false;
  return {
    add(day: Day, selection: Selection): void {
      if (isTooLong) return;
      const columns = readers.map((read, place) =>
        spread(day, read(day), counts !== 'visits' && !isHitKey(by[place] as TableKey)),
      );
      const size = counts === 'visits' ? day.totals.visits : makeZeros(day).length;
      const column = combineColumns(columns, size, combinations);
      isTooLong = combinations.size() > MOST_TABLE_ROWS;
      if (isTooLong) return;
      if (counts === 'visits') tallyVisits(totals, day, column, selection);
      else tallyHits(totals, day, column, selection, makeMatches(day, { where: counted.where, event }));
      more.add(day, column, selection);
    },
    list(): TableCount {
      const rows = isTooLong ? [] : listRows(totals.visitors);
      return { ...takeRows(query, combinations, rows, totals), more: more.of(rows), isTooLong };
    },
  };
}

/** Gives a column with one value for all hits of a day, or of a visit, or for each hit. */
function makeKeyReader(key: TableKey, { timeZone }: TableQuery, texts: Texts): ReadColumn {
  if (isPropertyKey(key)) return readProperty(readPropertyName(key), texts);
  if (isDimensionKey(key)) return readDimension(key, texts);
  if (isDayKey(key)) return (day) => ({ terms: Int32Array.of(DAY_NUMBERS[key](day.day)), codes: zerosOfVisits(day) });
  const zone = findZone(timeZone);
  const clock = byClock(zone);
  const hours =
    key === 'hour' ? byInstant(zone) : { ...clock, numberOf: (begin: number) => modulo(clock.numberOf(begin), 24) };
  return (day) => readHours(day, hours);
}

const modulo = (value: number, by: number): number => ((value % by) + by) % by;

const zerosOfVisits = ({ totals }: Day): Uint8Array => new Uint8Array(totals.visits);

/** Gives each hit the value of its visit. */
function spread(day: Day, column: Column, isOfVisits: boolean): Column {
  if (!isOfVisits) return column;
  const starts = findStarts(day);
  const { visits } = day.totals;
  const codes = new Uint32Array(starts[visits] as number);
  for (let visit = 0; visit < visits; visit++) {
    codes.fill(column.codes[visit] as number, starts[visit] as number, starts[visit + 1] as number);
  }
  return { terms: column.terms, codes };
}

/** Adds up the rows of several threads, shards or days. */
export function mergeTables(query: TableQuery, partials: readonly TableCount[]): TableCount {
  const [only] = partials;
  if (only && partials.length === 1) return only;
  const combinations = makeCombinations(query.by.length);
  const visitors: number[] = [];
  const hits: number[] = [];
  const more: Partial<Record<SumName, number[]>> = {};
  for (const partial of partials) {
    const entries = Object.entries(partial.more) as [SumName, ArrayLike<number>][];
    for (let i = 0; i < partial.visitors.length; i++) {
      const row = combinations.number(partial.keys.map((values) => values[i] as number));
      visitors[row] = (visitors[row] ?? 0) + (partial.visitors[i] as number);
      hits[row] = (hits[row] ?? 0) + (partial.hits[i] as number);
      for (const [name, list] of entries) {
        more[name] ??= [];
        more[name][row] = (more[name][row] ?? 0) + (list[i] as number);
      }
    }
  }
  const rows = listRows(visitors);
  return {
    ...takeRows(query, combinations, rows, { visitors, hits }),
    more: Object.fromEntries(
      Object.entries(more).map(([name, list]) => [name, mapNumbers(rows, (row) => list[row] ?? 0)]),
    ),
    isTooLong: partials.some(({ isTooLong }) => isTooLong) || rows.length > MOST_TABLE_ROWS,
  };
}

/** Lists the numbers of the rows that have visitors. */
function listRows(visitors: ArrayLike<number>): number[] {
  const rows: number[] = [];
  for (let row = 0; row < visitors.length; row++) if ((visitors[row] ?? 0) !== 0) rows.push(row);
  return rows;
}

type RowTotals = Record<'visitors' | 'hits', ArrayLike<number>>;

/** Takes the values of the keys and the counts of some rows, by their numbers. */
function takeRows({ by }: TableQuery, { read }: Combinations, rows: readonly number[], { visitors, hits }: RowTotals) {
  const keys = by.map(() => new Float64Array(rows.length));
  for (let i = 0; i < rows.length; i++) {
    const values = read(rows[i] as number);
    for (const [place, list] of keys.entries()) list[i] = values[place] as number;
  }
  return {
    keys,
    visitors: mapNumbers(rows, (row) => visitors[row] ?? 0),
    hits: mapNumbers(rows, (row) => hits[row] ?? 0),
  };
}

/** Makes the rows that an answer shows. */
export function makeTable(query: TableQuery, count: TableCount, texts: Texts): TableAggregates {
  const total = count.visitors.length;
  if (count.isTooLong) return { rows: [], total, isTooLong: true };
  const readers = query.by.map((key) => makeValueReader(key, texts));
  const more = Object.entries(count.more) as [SumName, ArrayLike<number>][];
  const rows = Array.from(count.visitors, (visitors, i): TableRow => {
    const sums = { visitors, hits: count.hits[i] ?? 0 };
    for (const [name, list] of more) Object.assign(sums, { [name]: list[i] ?? 0 });
    return { keys: readers.map((read, place) => read(count.keys[place]?.[i] ?? 0)), sums };
  });
  return { rows: pickTableRows(rows, query), total, isTooLong: false };
}

function makeValueReader(key: TableKey, texts: Texts): (value: number) => KeyValue {
  if (!isDimensionKey(key) && !isPropertyKey(key)) return (value) => value;
  const { readText } = isDimensionKey(key) ? chooseTexts(key, texts) : texts;
  const known = new Map<number, string>();
  return (term) => {
    const text = known.get(term) ?? readText(term);
    known.set(term, text);
    return text;
  };
}

/** The counts of a table that no partial has. */
export const negateTable = ({ keys, visitors, hits, more, isTooLong }: TableCount): TableCount => ({
  keys,
  visitors: Array.from(visitors, (count) => -count),
  hits: Array.from(hits, (count) => -count),
  more: Object.fromEntries(
    Object.entries(more).map(([name, list]) => [name, Float64Array.from(list, (count) => -count)]),
  ),
  isTooLong,
});

export const countTableNumbers = ({ keys, visitors, more }: TableCount): number =>
  visitors.length * (keys.length + 2 + Object.keys(more).length);
