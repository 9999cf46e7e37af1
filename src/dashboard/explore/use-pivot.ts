// Sends the queries of a pivot. There are queries for the rows, for the columns, for the cells, and for visits outside
// of the shown columns. pivot.ts explains why these are separate queries.
//
// Example: a pivot of pages by country sends four queries. The first two get the first 20 pages, and the eight
// countries with the most visitors. The third gets the visitors of each page and country. The fourth gets the visitors
// of each page from all other countries.
//
// pivot-table.tsx and over-time.tsx call `usePivot`.

import { useRef } from 'preact/hooks';
import type { Table } from '../../api/answers.ts';
import { isTimeKey, type KeyValue, type TableKey } from '../../stats/table-keys.ts';
import { sitePath } from '../core/address.ts';
import { type Loaded, useData } from '../core/api.ts';
import { useSiteScope } from '../core/scope.ts';
import type { Filters } from '../core/view.ts';
import { type CellValue, countsSameDays, excludeValues, findCells, isSum, narrowFilters } from './pivot.ts';
import { type Asked, type Figure, hasFigure, type Part, type Question, writeBody } from './question.ts';

/** The API returns at most this many rows of a table. */
export const MOST_ROWS = 10_000;

/** Sends one query of a question. Without `part`, nothing is requested. */
export function useTable(asked: Asked, part: Part | undefined): Loaded<Table> {
  const { domain } = useSiteScope();
  const path = part && sitePath(domain, '/query');
  return useData<Table>(path, {}, undefined, undefined, part && writeBody(asked, part));
}

type Find = (row: readonly KeyValue[]) => CellValue;

export type Pivot = Pick<Table, 'from' | 'to' | 'notices' | 'notice_codes' | 'left_out'> & {
  rows: readonly KeyValue[][];
  /** The number of all rows, including rows that are not shown. */
  rowsTotal: number;
  columns: readonly KeyValue[];
  columnsTotal: number;
  findCell(row: readonly KeyValue[], column: KeyValue): CellValue;
  /**
   * Finds the figure of a whole row. This function is undefined if rows do not have the figure, or if rows and cells
   * count different days.
   */
  findTotal: Find | undefined;
  /**
   * Finds the figure of a row's visits that are in none of the columns. This function is undefined if all columns are
   * shown, or if no query can ask for these visits.
   */
  findOther: Find | undefined;
  /** True if there are more cells than one answer can have. Then some cells are unknown. */
  isCut: boolean;
};

type Shape = {
  rowKeys: readonly TableKey[];
  columnKey: TableKey;
  figure: Figure;
  sort: Question['sort'];
  order: Question['order'];
  mostRows: number;
  /**
   * How the columns are chosen. A chart lists its columns in `known`. For hours, `known` is undefined, and the answer
   * gives the columns. A pivot table sets only `most`, the largest number of columns that it shows.
   */
  columns: { most: number } | { known: readonly KeyValue[] | undefined };
};

export function usePivot(asked: Asked, shape: Shape): Loaded<Pivot> {
  const { rowKeys, columnKey } = shape;
  const rows = useTable(asked, askRows(shape));
  const tops = useTable(asked, 'most' in shape.columns ? askColumns(shape, shape.columns.most) : undefined);
  const isReady = isFresh(rows) && (!('most' in shape.columns) || isFresh(tops));
  const values = rows.data?.rows.map(({ by }) => by) ?? [];
  const columns = 'most' in shape.columns ? listColumns(columnKey, tops.data) : shape.columns.known;
  const isWanted = isReady && values.length > 0;
  const firsts = values.flatMap(([first]) => first ?? []);
  const filters = narrowFilters(asked.view.filters, rowKeys[0], firsts);
  const cells = useTable(
    asked,
    isWanted ? askCells(shape, narrowFilters(filters, columnKey, columns ?? [])) : undefined,
  );
  const hasOthers = (tops.data?.total_rows ?? 0) > (columns?.length ?? 0);
  const withoutTops = hasOthers && columns ? excludeValues(filters, columnKey, columns) : undefined;
  const others = useTable(asked, isWanted && withoutTops ? askOthers(shape, withoutTops) : undefined);
  const isDone = isReady && (!isWanted || (isFresh(cells) && (!withoutTops || isFresh(others))));
  const error = [rows, tops, cells, others].map((one) => one.error).find(Boolean);
  const shown = useRef<Pivot>(undefined);
  if (isDone && rows.data) {
    const answers = { rows: rows.data, cells: isWanted ? cells.data : undefined };
    shown.current = readPivot(shape, columns, { ...answers, tops: tops.data, others: withoutTops && others.data });
  }
  return { data: error ? undefined : shown.current, error, isStale: !isDone, reload: rows.reload };
}

type Answers = { rows: Table; cells: Table | undefined; tops: Table | undefined; others: Table | undefined };

function readPivot(shape: Shape, columns: readonly KeyValue[] | undefined, answers: Answers): Pivot {
  const { rowKeys, columnKey, figure } = shape;
  const { rows, cells = rows, tops, others } = answers;
  const find = findCells(cells, figure);
  return {
    ...cells,
    rows: rows.rows.map(({ by }) => by),
    rowsTotal: rows.total_rows,
    columns: columns ?? listColumns(columnKey, cells, rowKeys.length),
    columnsTotal: tops?.total_rows ?? 0,
    findCell: (row, column) => find([...row, column]),
    findTotal: hasFigure(rowKeys, figure) && countsSameDays(rows, cells) ? findCells(rows, figure) : undefined,
    findOther: others && countsSameDays(others, cells) ? findCells(others, figure) : undefined,
    isCut: cells.rows.length < cells.total_rows && cells !== rows,
  };
}

const isFresh = ({ data, isStale }: Loaded<Table>): boolean => data !== undefined && !isStale;

/**
 * Makes the query for the rows. The query asks for the figure of the cells, or for visitors if rows cannot have this
 * figure. `sort` may name a key of the rows, the figure that the query asks for, or visitors. With any other `sort`,
 * the row with the largest figure comes first.
 */
function askRows({ rowKeys, figure, sort, order, mostRows }: Shape): Part {
  const ranked = hasFigure(rowKeys, figure) ? figure : 'visitors';
  const isKnown = [...rowKeys, ranked, 'visitors'].includes(sort);
  return {
    ...{ by: rowKeys, figures: [ranked], limit: mostRows },
    ...(isKnown ? { sort, order } : { sort: ranked, order: 'desc' }),
  };
}

/**
 * Makes the query for the columns: the latest times, or the values with the largest figures. But a value with a single
 * visit may have the largest bounce rate, for example. So for a figure that is not a sum, the values with the most
 * visitors are chosen. This is also done if columns cannot have the figure.
 */
function askColumns({ columnKey, figure }: Shape, most: number): Part {
  const ranked = isSum(figure) && hasFigure([columnKey], figure) ? figure : 'visitors';
  const sort = isTimeKey(columnKey) ? columnKey : ranked;
  return { by: [columnKey], figures: [ranked], sort, order: 'desc', limit: most };
}

const askCells = ({ rowKeys, columnKey, figure }: Shape, filters: Filters): Part => ({
  ...{ by: [...rowKeys, columnKey], figures: [figure], sort: figure, filters, limit: MOST_ROWS },
});

const askOthers = ({ rowKeys, figure }: Shape, filters: Filters): Part => ({
  ...{ by: rowKeys, figures: [figure], filters, limit: MOST_ROWS },
});

/** Lists the different values of a key in an answer. Times are sorted, and all other values keep their order. */
function listColumns(key: TableKey, answer: Table | undefined, place = 0): KeyValue[] {
  const values = [...new Set((answer?.rows ?? []).flatMap(({ by }) => by[place] ?? []))];
  return isTimeKey(key) ? values.toSorted((one, other) => (one < other ? -1 : 1)) : values;
}
