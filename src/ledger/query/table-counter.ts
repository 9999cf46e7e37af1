// Counts the rows of a table, day by day. A key is what the table groups by, such as the country. The columns of the
// keys are combined into one column, which is counted like the column of a breakdown.
//
// A key of hits, such as the page, may have several values in one visit. A key of visits, such as the country, has only
// one. A table with two keys, and with visitors as its only figure, is counted faster in a grid with a cell for each
// pair of values (count/pair-counts.ts). A table with a key of hits uses the grid only on days on which few hits count.
//
// Invariant: within a scan, a row has the same number on all days. Each thread numbers the rows in its own way, so a
// partial names a row by the values of its keys (table-count.ts).
//
// Example: by country and browser, one visit is (DE, Firefox) and another is (DE, Chrome). They give two rows with one
// visitor each. scan.ts makes a counter for each scan, and merge-tables.ts adds up the partials.
import { findZone } from '../../lib/zone.ts';
import type { SumName } from '../../stats/metrics.ts';
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
import type { Column } from '../column/packing.ts';
import { readProperty } from '../column/properties.ts';
import { countCombinations, listNumbers, makeCombinations } from '../count/combinations.ts';
import { combineColumns, type KeyColumn } from '../count/combine.ts';
import { chooseTexts, type ReadColumn, readDimension } from '../count/dimension-column.ts';
import { type ListedHits, tallyHits, tallyListed, tallyVisits } from '../count/distinct.ts';
import { isNarrow, makeMatches, PAGEVIEW } from '../count/hit-filter.ts';
import { byClock, byInstant } from '../count/hour-buckets.ts';
import { readHours } from '../count/hours.ts';
import { isEqual, isPossible, type Match, pairMatches, takeZeros } from '../count/match.ts';
import { makePairCounter } from '../count/pair-counts.ts';
import { sumsOfRows } from '../count/row-figures.ts';
import { makeSums } from '../count/term-counts.ts';
import { makeSetReader } from '../count/value-sets.ts';
import { type Day, findFirstVisit, findStarts, type Selection, sharedBuffer } from '../day/day.ts';
import type { Texts } from '../rows/terms.ts';
import { mergeTables } from './merge-tables.ts';
import {
  isPair,
  listPairs,
  listRows,
  orderKeys,
  type TableCount,
  type TableQuery,
  TOO_LONG,
  takeCounts,
} from './table-count.ts';

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
  // The grid of pairs. If a day would make the grid too large, its pairs get numbers, as in tables without a grid.
  const pairs = isPair(readers) && sums.length === 0 ? makePairCounter() : undefined;
  let isTooLong = false;

  function addHits(day: Day, selection: Selection): Column | undefined {
    const matches = makeMatches(day, { where: counted.where, event });
    if (!isPossible(matches)) return undefined;
    const columns = readAll(readers, day);
    const isMost = 2 * selection.count > day.totals.visits && !isNarrow(counted);
    // If most hits count, the grid is not used: it is not faster, and it is slower if there are few distinct pairs.
    if (!isMost && isPair(columns) && pairs?.addHits(day, columns, selection, matches)) return undefined;
    const hits = isMost ? undefined : listHits(day, selection, matches);
    const column = combineColumns(day, columns, { visits: selection, hits, isOfHits }, combinations);
    if (hits) tallyListed(totals, column, hits);
    else tallyHits(totals, day, column, selection, matches);
    return column;
  }

  function addVisits(day: Day, selection: Selection): Column | undefined {
    const columns = readAll(readers, day);
    if (isPair(columns) && pairs?.addDay(day, columns, selection)) return undefined;
    const column = combineColumns(day, columns, { visits: selection, isOfHits }, combinations);
    tallyVisits(totals, day, column, selection);
    return column;
  }

  function listNumbered(): TableCount {
    if (isTooLong) return TOO_LONG;
    return listRows(query, combinations, listNumbers(combinations), totals.visitors, (rows) => ({
      ...more.of(rows),
      ...(sums.includes('hits') && { hits: takeCounts(totals.hits, rows) }),
    }));
  }

  return {
    add(day: Day, selection: Selection): void {
      if (isTooLong) return;
      const column = (isOfHits ? addHits : addVisits)(day, selection);
      isTooLong = countCombinations(combinations) > MOST_NUMBERS;
      if (column) more.add(day, column, selection);
    },
    list: (): TableCount =>
      pairs ? mergeTables(query, [listPairs(query, pairs.list()), listNumbered()]) : listNumbered(),
  };
}

/**
 * If a scan gives numbers to more rows than this, it stops counting, and the query is refused. This is twice the
 * allowed number of rows, because some rows with a number may have no visitors in the end.
 */
const MOST_NUMBERS = 2 * MOST_TABLE_ROWS;

type KeyReader = { isOfHits: boolean; read: ReadColumn };

const readAll = (readers: readonly KeyReader[], day: Day): KeyColumn[] =>
  readers.map(({ isOfHits, read }) => ({ ...read(day), isOfHits }));

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
 * Makes a function that reads the values of a key. The query may list the values that it wants (`among`). The function
 * then replaces each value by its position in this list, from 1 on. All other values become 0. For a key of hits, each
 * visit gets the set of its wanted values, as bits (value-sets.ts).
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
