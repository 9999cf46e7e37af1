// Adds up two answers about different days of one query. One answer is from the local file, which has copies of the
// rows of open days. The other answer is from ClickHouse, about sealed days and about open days without a copy.
//
// Invariant: visitor codes are valid for one day, so the figures of different days add up. The rows of an answer are
// chosen only after adding up. So ClickHouse and the local file must return all rows (`askForAll`). Answers with too
// many rows are not added up (`isTooLong`).
//
// Example: /a had 20 visitors on Monday and 3 today, and /b had 10 and 15. Of the two days together, /b has the most
// visitors, 25, although /a had the most on Monday. measure-both.ts calls this file.
import { compareCodePoints } from '../../lib/code-points.ts';
import {
  type Aggregates,
  addExcluded,
  addTimes,
  addTotals,
  noTimes,
  noTotals,
  type RowAggregates,
} from '../../stats/aggregates.ts';
import type { JourneyRow } from '../../stats/journeys.ts';
import { type Metric, makeRank, type RowSums, type SumName } from '../../stats/metrics.ts';
import type { Of, Query } from '../../stats/query.ts';
import { type Amounts, addAllAmounts } from '../../stats/revenue.ts';
import { pickTableRows, type TableAggregates, type TableRow } from '../../stats/table.ts';
import type { TableKey } from '../../stats/table-keys.ts';
import { ALL, type VitalRow } from '../../stats/vitals.ts';

/**
 * An answer of the report `live` has only its largest rows, so two answers cannot be added. If the local file lacks
 * some days of this report, ClickHouse answers for all days.
 */
export const canAdd = ({ report }: Query): boolean => report !== 'live';

/**
 * The most rows of an answer that is added up. While the primary adds up two answers, it accepts no hits, so longer
 * answers would delay hits.
 */
const MOST_ADDED_ROWS = 10_000;

/**
 * Changes a query so that it returns all rows, with the sums by which rows are sorted. If there are more rows than may
 * be added up, `isTooLong` must notice this. So the limit is one row above `MOST_ADDED_ROWS`.
 */
export function askForAll(query: Query): Query {
  if (query.report === 'journeys') return { ...query, limit: Number.POSITIVE_INFINITY };
  const limit = MOST_ADDED_ROWS + 1;
  if (query.report === 'vitals') return { ...query, limit };
  if (query.report === 'table') {
    const { sort, metrics } = query;
    const isMetric = sort !== undefined && !query.by.includes(sort as TableKey);
    return {
      ...query,
      limit,
      most: MOST_ADDED_ROWS,
      offset: 0,
      wanted: undefined,
      metrics: isMetric ? addName(metrics, sort as Metric) : metrics,
    };
  }
  if (query.report !== 'breakdown') return query;
  const { metrics = [], sort } = query;
  return { ...query, limit, offset: 0, metrics: sort ? addName(metrics, sort) : metrics };
}

const addName = (metrics: readonly Metric[], name: Metric): readonly Metric[] =>
  metrics.includes(name) ? metrics : [...metrics, name];

/** True if an answer has too many rows to be added up. Then ClickHouse must count all days. */
export const isTooLong = ({ rows, vitals = [], journeys = [], table }: Aggregates): boolean =>
  table?.isTooLong === true || [rows, vitals, journeys].some(({ length }) => length > MOST_ADDED_ROWS);

export function addAggregates(query: Query, all: readonly Aggregates[]): Aggregates {
  const [first = undefined] = all;
  if (!first) throw new RangeError('there is nothing to add up');
  const excluded = {};
  for (const one of all) addExcluded(excluded, one.excluded);
  const revenue: Amounts[] = [];
  for (const one of all) addAllAmounts(revenue, one.revenue ?? []);
  const earned = addNumbers(all.map((one) => one.earned ?? []));
  return {
    totals: addLists(
      all.map((one) => one.totals),
      noTotals,
      addTotals,
    ),
    times: addLists(
      all.map((one) => one.times),
      noTimes,
      addTimes,
    ),
    rows: query.report === 'breakdown' ? pickRows(query, addRows(all.flatMap((one) => one.rows))) : [],
    goals: addLists(
      all.map((one) => one.goals),
      () => ({ visitors: 0, hits: 0 }),
      addGoal,
    ),
    steps: addNumbers(all.map((one) => one.steps)),
    hours: all.flatMap((one) => one.hours).sort((one, other) => one.day - other.day),
    ...(query.currency === undefined ? {} : { revenue }),
    ...(all.some((one) => one.earned) ? { earned } : {}),
    ...(query.report === 'vitals'
      ? {
          vitals: addVitals(
            query,
            all.flatMap((one) => one.vitals ?? []),
          ),
        }
      : {}),
    ...(query.report === 'journeys' ? { journeys: addJourneys(all.flatMap((one) => one.journeys ?? [])) } : {}),
    ...(query.report === 'table'
      ? {
          table: addTables(
            query,
            all.flatMap((one) => one.table ?? []),
          ),
        }
      : {}),
    live: all.reduce((sum, { live }) => sum + live, 0),
    leftOut: all.flatMap((one) => one.leftOut),
    untouched: all.flatMap((one) => one.untouched),
    excluded,
  };
}

/** Adds up lists, entry by entry. A shorter list counts as if it had zeros at its end. */
function addLists<One>(
  lists: readonly (readonly One[])[],
  none: () => One,
  add: (sums: One, more: One) => void,
): One[] {
  const sums: One[] = [];
  for (const list of lists) {
    for (const [place, one] of list.entries()) {
      sums[place] ??= none();
      add(sums[place], one);
    }
  }
  return sums;
}

const addNumbers = (lists: readonly (readonly number[])[]): number[] =>
  Array.from({ length: Math.max(0, ...lists.map(({ length }) => length)) }, (_, place) =>
    lists.reduce((sum, list) => sum + (list[place] ?? 0), 0),
  );

type Goal = Aggregates['goals'][number];

function addGoal(sums: Goal, { visitors, hits }: Goal): void {
  sums.visitors += visitors;
  sums.hits += hits;
}

type CountedRow = { value: string; sums: RowSums };

function addRows(rows: readonly RowAggregates[]): CountedRow[] {
  const all = new Map<string, CountedRow>();
  for (const { value, visitors, sums } of rows) {
    const own = all.get(value) ?? { value, sums: { visitors: 0 } };
    all.set(value, own);
    addSums(own.sums, sums ?? { visitors });
  }
  return [...all.values()];
}

function addSums(sums: RowSums, more: RowSums): void {
  for (const [name, own = 0] of Object.entries(more) as [SumName, number][]) sums[name] = (sums[name] ?? 0) + own;
}

/**
 * Sorts the rows, and gives the requested ones (`offset`, `limit`). If the query searches for a text, ClickHouse and
 * the local file gave only rows with this text. So the text is not checked here.
 */
function pickRows(query: Of<'breakdown'>, found: readonly CountedRow[]): RowAggregates[] {
  const { breakdown, metrics = [], sort, order, offset = 0, limit } = query;
  const rank = makeRank(breakdown, sort, order);
  return found
    .map(({ value, sums }) => ({ value, sums, rank: rank(sums) }))
    .sort((one, other) => other.rank - one.rank || compareCodePoints(one.value, other.value))
    .slice(offset, offset + limit)
    .map(({ value, sums }) =>
      metrics.length === 0 ? { value, visitors: sums.visitors } : { value, visitors: sums.visitors, sums },
    );
}

function addVitals({ limit }: Of<'vitals'>, rows: readonly VitalRow[]): VitalRow[] {
  const all = new Map<string, Map<number, number>>();
  for (const { value, counts } of rows) {
    const own = all.get(value) ?? new Map<number, number>();
    all.set(value, own);
    for (const [key, count] of counts) own.set(key, (own.get(key) ?? 0) + count);
  }
  return [...all]
    .map(([value, counts]) => ({ value, counts }))
    .sort((one, other) => readAll(other) - readAll(one) || compareCodePoints(one.value, other.value))
    .slice(0, limit);
}

const readAll = ({ counts }: VitalRow): number => counts.get(ALL) ?? 0;

/**
 * Adds up the rows with equal node and page. A node is a page at one place of a journey (stats/journeys.ts). No rows
 * are left out here. Later, `makeTree` chooses the next pages with the most visits for each node.
 */
function addJourneys(rows: readonly JourneyRow[]): JourneyRow[] {
  const all = new Map<string, JourneyRow>();
  for (const row of rows) {
    const key = `${row.node} ${row.value}`;
    const own = all.get(key);
    all.set(key, own ? { ...own, visits: own.visits + row.visits, ended: own.ended + row.ended } : row);
  }
  return [...all.values()];
}

/**
 * Adds up tables. Two tables that are not too long have at most 20,000 rows together. That is fewer than a table may
 * have (`MOST_TABLE_ROWS`), so `isTooLong` is false.
 */
function addTables(query: Of<'table'>, tables: readonly TableAggregates[]): TableAggregates {
  if (query.among) return addCells(tables);
  const all = new Map<string, TableRow>();
  for (const { keys, sums } of tables.flatMap(({ rows }) => rows)) {
    const name = JSON.stringify(keys);
    const own = all.get(name) ?? { keys, sums: { visitors: 0 } };
    all.set(name, own);
    addSums(own.sums, sums);
  }
  return { rows: pickTableRows([...all.values()], query), total: all.size, isTooLong: false };
}

function addCells(tables: readonly TableAggregates[]): TableAggregates {
  const all = new Map<string, { keys: number[]; visitors: number; counted: number }>();
  for (const { cells } of tables) {
    cells?.visitors.forEach((visitors, i) => {
      const keys = cells.keys.map((key) => key[i] as number);
      const own = all.get(keys.join()) ?? { keys, visitors: 0, counted: 0 };
      all.set(keys.join(), own);
      own.visitors += visitors;
      own.counted += cells.counted[i] ?? 0;
    });
  }
  const list = [...all.values()];
  const width = list[0]?.keys.length ?? 0;
  const keys = Array.from({ length: width }, (_, place) => Float64Array.from(list, (one) => one.keys[place] as number));
  const [visitors, counted] = [list.map((one) => one.visitors), list.map((one) => one.counted)].map((some) =>
    Float64Array.from(some),
  ) as [Float64Array, Float64Array];
  return { rows: [], total: all.size, isTooLong: false, cells: { keys, visitors, counted } };
}
