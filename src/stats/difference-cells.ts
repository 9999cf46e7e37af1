// Counts visitors, visits, pageviews or conversions in the two ranges of days that a difference compares. The visitors
// with equal values, such as the country DE and the browser Firefox, are one cell.
//
// Invariant: a cell is a row of the report `table`, therefore both engines count equal cells
// (test/stats/explain-answers.long.test.ts).
//
// Example: visitors are counted by country, and only DE and FR are asked for. So there are three cells: DE, FR and all
// other countries. difference.ts makes a counter for each question.
import type { Coded } from '../lang/coded.ts';
import { sumList } from '../lib/sum-list.ts';
import type { Target } from '../store/sites/goals.ts';
import type { Ask } from './ask.ts';
import type { TriedValues } from './explain.ts';
import type { Compared, Filters, Of, Range } from './query.ts';
import type { TableCells } from './table.ts';
import { isHitKey, type TableKey } from './table-keys.ts';

/**
 * The two ranges to compare. With a goal, the difference in conversions is explained. With `by`, the difference in
 * visits or pageviews is explained. Otherwise, the difference in visitors is explained.
 */
export type DifferenceQuestion = {
  siteId: number;
  timeZone: string;
  range: Range;
  compared: Compared;
  filters: Filters;
  goal?: Target | undefined;
  by?: 'visits' | 'pageviews' | undefined;
};

/** The metric whose difference is explained. For visitors, it is undefined, because a table counts visitors anyway. */
export const chooseMetric = ({ goal, by }: DifferenceQuestion): 'conversions' | 'visits' | 'pageviews' | undefined =>
  goal ? 'conversions' : by;

export type Side = 'before' | 'after';
export const SIDES: readonly Side[] = ['before', 'after'];
export type Both<One> = Record<Side, One>;

export async function countBoth<One>(countSide: (side: Side) => Promise<One>): Promise<Both<One>> {
  const [before, after] = await Promise.all(SIDES.map(countSide));
  return { before: before as One, after: after as One };
}

export type Counts = { keys: Float64Array[]; counts: Float64Array; visitors: number; notices: Coded[] };
/**
 * The keys of a table: dimensions, properties or times (table-keys.ts). For each key, `among` lists the values that
 * have cells of their own. For a time, the entry is undefined, and each value has cells of its own.
 */
export type CellKeys = Pick<Of<'table'>, 'by'> & { among: readonly (readonly string[] | undefined)[] };
export type Count = (keys: CellKeys, side: Side) => Promise<Counts | undefined>;

/**
 * Makes a function that counts the cells of one range. The function returns undefined if the table would have too many
 * rows.
 */
export const makeCounter =
  (ask: Ask, question: DifferenceQuestion, signal: AbortSignal | undefined): Count =>
  async (keys, side) => {
    const { cells, isTooLong, notices } = await ask(makeTableQuery(question, side, keys), signal);
    if (isTooLong) return undefined;
    return {
      keys: cells?.keys ?? keys.by.map(() => new Float64Array(0)),
      counts: readCounts(question, cells),
      visitors: sumList(cells?.visitors ?? new Float64Array(0)),
      notices,
    };
  };

export const readCounts = (question: DifferenceQuestion, cells: TableCells | undefined): Float64Array =>
  (chooseMetric(question) ? cells?.counted : cells?.visitors) ?? new Float64Array(0);

/**
 * Makes a counter whose counts are divided by `unit`. Some visitors have many pageviews, so the number of pageviews
 * varies more by chance than the number of visitors. Divided by `unit`, pageviews vary as much as visitors (`findUnit`
 * in difference.ts).
 */
export const divideCounts =
  (count: Count, unit: number): Count =>
  async (keys, side) => {
    const found = await count(keys, side);
    return found && { ...found, counts: found.counts.map((one) => one / unit) };
  };

export function makeTableQuery({ by, ...question }: DifferenceQuestion, side: Side, keys: CellKeys): Of<'table'> {
  const { range, compared, ...frame } = question;
  const { until, ...before } = compared;
  const metric = chooseMetric({ ...question, by });
  return {
    ...{ report: 'table', ...frame, metrics: metric ? [metric] : [], offset: 0, limit: 1 },
    ...(side === 'after' ? { range } : { range: before, until }),
    ...keys,
  };
}

export const listKeys = (tried: readonly TriedValues[]): CellKeys => ({
  by: tried.map(({ dimension }) => dimension),
  among: tried.map(({ values }) => values),
});

/**
 * Tells whether a cell has value number `i` of its key, counted from 0. `code` is the number of the cell's value, plus
 * one. If a cell may have several values of the key, `code` has a bit for each value instead.
 */
export const hasValue = (key: TableKey, code: number, i: number): boolean =>
  isHitKey(key) ? ((code >> i) & 1) === 1 : code === i + 1;
