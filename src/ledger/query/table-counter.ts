// Counts the rows of a table, day by day. A key is what the table groups by, such as the country. The columns of the
// keys are combined into one column, which is counted like the column of a breakdown.
//
// Invariant: within a scan, a row has the same number on all days. Each thread numbers the rows in its own way. A
// partial, which is the result of one thread, therefore names a row by the values of its keys. In this way, partials
// can be merged.
//
// Example: by country and browser, one visit is (DE, Firefox) and another is (DE, Chrome). They give two rows with one
// visitor each. scan.ts makes a counter for each scan, and merge.ts adds up the partials.
import { findZone } from '../../lib/zone.ts';
import type { SumName } from '../../stats/metrics.ts';
import type { Of } from '../../stats/query.ts';
import { DAY_NUMBERS, MOST_TABLE_ROWS } from '../../stats/table.ts';
import {
  chooseTableCounts,
  isDayKey,
  isDimensionKey,
  isHitKey,
  isPropertyKey,
  readPropertyName,
  type TableKey,
} from '../../stats/table-keys.ts';
import { type Column, type Numbers, narrow } from '../column/packing.ts';
import { readProperty } from '../column/properties.ts';
import {
  type Combinations,
  countCombinations,
  listNumbers,
  makeCombinations,
  numberRows,
  readRows,
} from '../count/combinations.ts';
import { combineColumns, type KeyColumn } from '../count/combine.ts';
import { chooseTexts, type ReadColumn, readDimension } from '../count/dimension-column.ts';
import { type ListedHits, tallyHits, tallyListed, tallyVisits } from '../count/distinct.ts';
import { isNarrow, makeMatches, PAGEVIEW } from '../count/hit-filter.ts';
import { byClock, byInstant } from '../count/hour-buckets.ts';
import { readHours } from '../count/hours.ts';
import { isEqual, isPossible, type Match, pairMatches, takeZeros } from '../count/match.ts';
import { listCodes } from '../count/plain-codes.ts';
import { sumsOfRows } from '../count/row-figures.ts';
import { type MoreSums, makeSums, mapNumbers } from '../count/term-counts.ts';
import { makeSetReader } from '../count/value-sets.ts';
import { type Day, findFirstVisit, findStarts, type Selection, sharedBuffer } from '../day/day.ts';
import type { Texts } from '../rows/terms.ts';

/**
 * The rows of some days. `keys` has a list of values for each key. A text is stored as its term. Each number takes as
 * few bytes as possible, because the lists are sent to other threads.
 */
export type TableCount = {
  keys: Numbers[];
  visitors: ArrayLike<number>;
  hits: ArrayLike<number>;
  more: MoreSums;
  isTooLong: boolean;
};

type TableQuery = Of<'table'>;
/** The options of `sumsOfRows`. They say what is counted for each row in addition to visitors. */
type Asked = Parameters<typeof sumsOfRows>[2];

export function makeTableCounter(query: TableQuery, sums: readonly SumName[], asked: Asked, texts: Texts) {
  const { by } = query;
  const counts = chooseTableCounts(query);
  const isOfHits = counts !== 'visits';
  const readers = orderKeys(by).map((place) => {
    const key = by[place] as TableKey;
    return { isOfHits: isOfHits && isHitKey(key), read: makeAmongReader(place, query, asked, texts) };
  });
  const combinations = makeCombinations(by.length);
  const { counted } = asked;
  const event = counts === 'pageviews' ? PAGEVIEW : undefined;
  const totals = makeSums();
  const more = sumsOfRows(counts, sums, asked);
  let isTooLong = false;

  function addHits(day: Day, selection: Selection): Column | undefined {
    const matches = makeMatches(day, { where: counted.where, event });
    if (!isPossible(matches)) return undefined;
    const isMost = 2 * selection.count > day.totals.visits && !isNarrow(counted);
    const hits = isMost ? undefined : listHits(day, selection, matches);
    const column = combineColumns(day, readAll(readers, day), { visits: selection, hits, isOfHits }, combinations);
    if (hits) tallyListed(totals, column, hits);
    else tallyHits(totals, day, column, selection, matches);
    return column;
  }

  function addVisits(day: Day, selection: Selection): Column {
    const column = combineColumns(day, readAll(readers, day), { visits: selection, isOfHits }, combinations);
    tallyVisits(totals, day, column, selection);
    return column;
  }

  return {
    add(day: Day, selection: Selection): void {
      if (isTooLong) return;
      const column = (isOfHits ? addHits : addVisits)(day, selection);
      isTooLong = countCombinations(combinations) > MOST_NUMBERS;
      if (column) more.add(day, column, selection);
    },
    list(): TableCount {
      const all = isTooLong ? new Uint32Array(0) : listRows(listNumbers(combinations), totals.visitors);
      isTooLong ||= all.length > MOST_TABLE_ROWS;
      const rows = isTooLong ? new Uint32Array(0) : all;
      return { ...takeRows(query, combinations, rows, totals), more: more.of(rows), isTooLong };
    },
  };
}

/**
 * If a scan numbers more rows than this, it counts no further rows, and the query is refused. This is twice the allowed
 * number of rows, because some numbered rows may count nothing in the end.
 */
const MOST_NUMBERS = 2 * MOST_TABLE_ROWS;

type KeyReader = { isOfHits: boolean; read: ReadColumn };

const readAll = (readers: readonly KeyReader[], day: Day): KeyColumn[] =>
  readers.map(({ isOfHits, read }) => ({ ...read(day), isOfHits }));

/**
 * Returns the indexes of the keys in `by`, in the order in which the keys are combined. Keys of hits come last, as
 * `combineColumns` requires. Keys of days come first, because combining one value with a column takes no loop.
 */
const orderKeys = (by: readonly TableKey[]): number[] => {
  const ranks = by.map((key) => (isHitKey(key) ? 2 : isDayKey(key) ? 0 : 1));
  return [...by.keys()].sort((one, other) => (ranks[one] as number) - (ranks[other] as number));
};

/** Lists the hits that count: hits of the selected visits that fit all matches. */
function listHits(day: Day, { visits, count }: Selection, matches: readonly Match[]): ListedHits {
  const starts = findStarts(day);
  const again = day.column('again').codes;
  const hits = starts[day.totals.visits] as number;
  const list = sharedBuffer('counted', hits + 1);
  const visitors = sharedBuffer('countedVisitors', hits + 1);
  const [first, second] = pairMatches(matches, hits);
  let size = 0;
  for (let i = 0; i < count; i++) {
    const visit = visits[i] as number;
    const visitor = findFirstVisit(again, visit) + 1;
    const end = starts[visit + 1] as number;
    for (let hit = starts[visit] as number; hit < end; hit++) {
      list[size] = hit;
      visitors[size] = visitor;
      size += isEqual(first.codes[hit] as number, first.code) & isEqual(second.codes[hit] as number, second.code);
    }
  }
  return { visits: list, visitors, count: size };
}

/**
 * Reads the column of a key, with a value for each visit or each hit. A key such as week has one value for the whole
 * day.
 */
function makeKeyReader(key: TableKey, { timeZone }: TableQuery, texts: Texts): ReadColumn {
  if (isPropertyKey(key)) return readProperty(readPropertyName(key), texts);
  if (isDimensionKey(key)) return readDimension(key, texts);
  if (isDayKey(key))
    return (day) => ({ terms: Int32Array.of(DAY_NUMBERS[key](day.day)), codes: takeZeros(day.totals.visits) });
  const zone = findZone(timeZone);
  const clock = byClock(zone);
  const hours =
    key === 'hour' ? byInstant(zone) : { ...clock, numberOf: (begin: number) => modulo(clock.numberOf(begin), 24) };
  return (day) => readHours(day, hours);
}

/**
 * Reads a key. If the query lists the wanted values of the key, the result has positions in this list, from 1 on. All
 * other values get 0. If the key is of hits, a visit may have several of its values. In this case, the result has a set
 * of values for each visit, as bits (value-sets.ts).
 */
function makeAmongReader(place: number, query: TableQuery, { counted }: Asked, texts: Texts): ReadColumn {
  const key = query.by[place] as TableKey;
  const read = makeKeyReader(key, query, texts);
  const values = query.among?.[place];
  if (!values) return read;
  const { findTerm } = isDimensionKey(key) ? chooseTexts(key, texts) : texts;
  if (isHitKey(key)) return makeSetReader(read, values.map(findTerm), counted);
  const places = new Map(values.map((value, i) => [findTerm(value), i + 1]));
  const terms = Uint8Array.from({ length: values.length + 1 }, (_, i) => i);
  return (day) => {
    const column = read(day);
    const codes = Uint8Array.from(column.terms, (term) => places.get(term) ?? 0);
    return { terms, codes: replaceCodes(column.codes, codes) };
  };
}

function replaceCodes(codes: ArrayLike<number>, by: Uint8Array): Uint8Array {
  const replaced = new Uint8Array(codes.length);
  for (let i = 0; i < replaced.length; i++) replaced[i] = by[codes[i] as number] as number;
  return replaced;
}

const modulo = (value: number, by: number): number => ((value % by) + by) % by;

/** Adds up the rows of several threads, shards or days. Rows with equal values of all keys become one row. */
export function mergeTables(query: TableQuery, partials: readonly TableCount[]): TableCount {
  const [only] = partials;
  if (only && partials.length === 1) return only;
  const combinations = makeCombinations(query.by.length);
  const order = orderKeys(query.by);
  const numbered = partials.map((partial) => ({
    ...partial,
    rows: numberRows(
      combinations,
      order.map((place) => partial.keys[place] as Numbers),
      partial.visitors.length,
    ),
  }));
  const size = countCombinations(combinations);
  const addAll = (read: (partial: TableCount) => ArrayLike<number> | undefined): Float64Array => {
    const sums = new Float64Array(size);
    for (const partial of numbered) addList(sums, partial.rows, read(partial) ?? []);
    return sums;
  };
  const totals = { visitors: addAll(({ visitors }) => visitors), hits: addAll(({ hits }) => hits) };
  const rows = listRows(listCodes(size), totals.visitors);
  const names = new Set(partials.flatMap(({ more }) => Object.keys(more) as SumName[]));
  const more = [...names].map((name) => {
    const sums = addAll((partial) => partial.more[name]);
    return [name, mapNumbers(rows, (row) => sums[row] as number)];
  });
  return {
    ...takeRows(query, combinations, rows, totals),
    more: Object.fromEntries(more),
    isTooLong: partials.some(({ isTooLong }) => isTooLong) || rows.length > MOST_TABLE_ROWS,
  };
}

function addList(sums: Float64Array, rows: Uint32Array, list: ArrayLike<number>): void {
  for (let i = 0; i < list.length; i++) {
    const row = rows[i] as number;
    sums[row] = (sums[row] as number) + (list[i] as number);
  }
}

/** Keeps the numbers of the rows that have visitors. */
function listRows(numbers: Uint32Array, visitors: ArrayLike<number>): Uint32Array {
  const rows = new Uint32Array(numbers.length);
  let size = 0;
  for (let i = 0; i < rows.length; i++) {
    const row = numbers[i] as number;
    rows[size] = row;
    size += visitors[row] ? 1 : 0;
  }
  return rows.subarray(0, size);
}

type RowTotals = Record<'visitors' | 'hits', ArrayLike<number>>;

/** Returns the counts of some rows, and the values of their keys. `rows` has the numbers of these rows. */
function takeRows({ by }: TableQuery, combinations: Combinations, rows: Uint32Array, { visitors, hits }: RowTotals) {
  const read = readRows(combinations, rows);
  const keys: Numbers[] = [];
  for (const [i, place] of orderKeys(by).entries()) keys[place] = narrow(read[i] as Float64Array);
  return { keys, visitors: narrow(takeCounts(visitors, rows)), hits: narrow(takeCounts(hits, rows)) };
}

function takeCounts(counts: ArrayLike<number>, rows: Uint32Array): Float64Array {
  const taken = new Float64Array(rows.length);
  for (let i = 0; i < taken.length; i++) taken[i] = counts[rows[i] as number] ?? 0;
  return taken;
}

/** Changes the sign of all counts. Adding the result then means subtracting the original counts. */
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
