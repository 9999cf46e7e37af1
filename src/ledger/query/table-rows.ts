// Makes the rows of a table for an answer, from the counts of all rows.
//
// Invariant: only rows that may be on the requested page get texts and figures, because a table may have 500,000 rows.
//
// Example: the first page has the ten rows with the most visitors. Of 40,000 counted rows, only the ten largest get
// texts and figures. merge.ts calls `makeTable` with the counts of table-count.ts.
//
// Queries with `among` find out why two ranges of days differ. They need all rows, so the rows become lists of numbers
// (`TableCells`), without texts.
import type { RowSums, SumName } from '../../stats/metrics.ts';
import {
  findLeastRank,
  MOST_TABLE_CELLS,
  pickTableRows,
  rankRows,
  type TableAggregates,
  type TableRow,
} from '../../stats/table.ts';
import { isDimensionKey, isPropertyKey, type KeyValue, type TableKey } from '../../stats/table-keys.ts';
import type { Column } from '../column/packing.ts';
import { chooseTexts } from '../count/dimension-column.ts';
import type { Texts } from '../rows/terms.ts';
import type { TableCount, TableQuery } from './table-count.ts';

export function makeTable(query: TableQuery, count: TableCount, texts: Texts): TableAggregates {
  const total = count.visitors.length;
  if (count.isTooLong || (query.most !== undefined && total > query.most)) return { rows: [], total, isTooLong: true };
  if (query.among) return makeCells(query, count, total);
  const readers = query.by.map((key) => makeValueReader(key, texts));
  const rows = listCandidates(query, count).map(
    (i): TableRow => ({
      keys: readers.map((read, place) => read(readValue(count.keys[place] as Column, i))),
      sums: readSums(count, i),
    }),
  );
  return { rows: pickTableRows(rows, query), total, isTooLong: false };
}

function makeCells({ metrics = [] }: TableQuery, { keys, visitors, more }: TableCount, total: number): TableAggregates {
  if (total > MOST_TABLE_CELLS) return { rows: [], total, isTooLong: true };
  const counted = Float64Array.from(more[metrics[0] as SumName] ?? []);
  return {
    rows: [],
    total,
    isTooLong: false,
    cells: {
      keys: keys.map(({ terms, codes }) => Float64Array.from(codes, (code) => terms[code] as number)),
      visitors: Float64Array.from(visitors),
      counted,
    },
  };
}

/**
 * Lists the rows that may be on the requested page. For a long table, making and sorting all rows would take most of
 * the query's time.
 */
function listCandidates(query: TableQuery, count: TableCount): number[] {
  const ranks = new Float64Array(count.visitors.length);
  const rank = rankRows(query);
  // All rows share this object, because creating an object for each row would take long. `rank` only reads the numbers
  // of one row at a time.
  const sums: RowSums = { visitors: 0 };
  for (let i = 0; rank && i < ranks.length; i++) ranks[i] = rank(fillSums(sums, count, i));
  return listPlaces(ranks, rank ? findLeastRank(ranks, query.offset + query.limit) : 0);
}

/** Returns the indexes of the ranks that are not below `least`. */
function listPlaces(ranks: Float64Array, least: number): number[] {
  const places: number[] = [];
  for (let i = 0; i < ranks.length; i++) if ((ranks[i] as number) >= least) places.push(i);
  return places;
}

const readValue = ({ terms, codes }: Column, i: number): number => terms[codes[i] as number] as number;

const readSums = (count: TableCount, i: number): RowSums => fillSums({ visitors: 0 }, count, i);

function fillSums(sums: RowSums, { visitors, more }: TableCount, i: number): RowSums {
  sums.visitors = visitors[i] ?? 0;
  for (const name in more) sums[name as SumName] = more[name as SumName]?.[i] ?? 0;
  return sums;
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
