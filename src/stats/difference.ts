// Explains the difference between two ranges of days. It finds the fewest combinations of properties that make up most
// of the difference.
//
// Invariant: the figures of a combination equal a report with its properties as filters
// (test/stats/explain-answers.test.ts). Only the search is approximate: it counts a visitor once for each different set
// of properties.
//
// Example: a week has 1,200 visitors, and the week before had 1,000. The answer has one combination: visitors from
// Germany that arrived from search engines. They were 300, and are 480 now. These 180 are 90 % of the difference.
//
// The values of each dimension are counted first. Then one query for each range counts all combinations of the most
// promising values. At the end, each found combination is counted on its own. api/explain.ts and the mails call
// `explainDifference`.
import type { Coded } from '../lang/coded.ts';
import type { Ask } from './ask.ts';
import {
  type Both,
  type Count,
  type Counts,
  countBoth,
  type DifferenceQuestion,
  listKeys,
  makeCounter,
  makeTableQuery,
  readCounts,
  type Side,
  sumList,
} from './difference-cells.ts';
import { measureNoises, pairPeriods } from './difference-noise.ts';
import { type Breakdown, DIMENSIONS } from './dimensions.ts';
import { type CountPair, measureEffect } from './effects.ts';
import { type Cells, explain, type Found, type Noise, type TriedValues } from './explain.ts';
import { EXPLAIN_DIMENSION_NAMES, type ExplainDimension } from './explain-dimensions.ts';
import { chooseValues, type DimensionCounts, type Known, type ValueCount } from './explain-values.ts';
import { joinLeftOut } from './notices.ts';
import type { Filters } from './query.ts';

/**
 * The possible results. `explained`: at least one combination is certain. `unsure`: chance alone may explain the
 * combinations that were found. `even`: all visitors changed alike. `chance`: no combination stands out, and the
 * difference may be chance.
 */
export const EXPLAIN_VERDICTS = ['explained', 'unsure', 'even', 'chance'] as const;
type ExplainVerdict = (typeof EXPLAIN_VERDICTS)[number];

/** A combination, with its figures in both ranges. */
export type Reason = {
  filters: Partial<Record<ExplainDimension, string>>;
  total: number;
  previous: number;
  isCertain: boolean;
};

export type Explanation = {
  total: number;
  previous: number;
  verdict: ExplainVerdict;
  reasons: Reason[];
  notices: Coded[];
};

export async function explainDifference(
  ask: Ask,
  question: DifferenceQuestion,
  signal?: AbortSignal,
): Promise<Explanation> {
  const count = makeCounter(ask, question, signal);
  const [totals, counts] = await Promise.all([countDays(count), countAllValues(ask, question, signal)]);
  const all = { before: sumList(totals.before.counts), after: sumList(totals.after.counts) };
  const pairs = pairPeriods(question, totals, 'day');
  const readNoise = await measureNoises(count, question, { counts, all });
  const found = await search(count, { counts, all }, readNoise);
  const reasons: Reason[] = [];
  // Reasons are counted one after the other, because a server with little memory lets only a few tables wait
  // (test/stats/limit-tables.test.ts).
  for (const one of found) reasons.push(await countReason(ask, question, one, signal));
  return {
    ...{ total: all.after, previous: all.before, verdict: judge(reasons, all, pairs), reasons },
    notices: joinLeftOut(totals.after.notices, totals.before.notices),
  };
}

async function countDays(count: Count): Promise<Both<Counts>> {
  const none = { keys: [new Float64Array(0)], counts: new Float64Array(0), notices: [] };
  return countBoth(async (side) => (await count({ by: ['day'], among: [undefined] }, side)) ?? none);
}

/**
 * The most values that are counted for each dimension. Values with fewer visitors than the first 200 make up too little
 * of a difference.
 */
const MOST_VALUES = 200;

/**
 * Counts the values of all dimensions, one dimension after the other. Queries of a site wait in a line, and all
 * dimensions at once would fill that line.
 */
async function countAllValues(
  ask: Ask,
  question: DifferenceQuestion,
  signal: AbortSignal | undefined,
): Promise<DimensionCounts[]> {
  const counts: DimensionCounts[] = [];
  for (const dimension of EXPLAIN_DIMENSION_NAMES) {
    const { breakdown } = DIMENSIONS[dimension];
    const { before, after } = await countBoth((side) => countValues(ask, question, breakdown, side, signal));
    const values = [...new Set([...before.keys(), ...after.keys()])].map(
      (value): ValueCount => ({ value, before: before.get(value) ?? 0, after: after.get(value) ?? 0 }),
    );
    counts.push({ dimension, values });
  }
  return counts;
}

/**
 * Counts the values of one dimension in one range. Whole days are counted here, even if the last day of the query
 * counts only until a certain time. This affects only which values are tried, and no figure of the answer.
 */
async function countValues(
  ask: Ask,
  { siteId, range, compared, filters, goal }: DifferenceQuestion,
  breakdown: Breakdown,
  side: Side,
  signal: AbortSignal | undefined,
): Promise<Map<string, number>> {
  const { from, to } = side === 'after' ? range : compared;
  if (from >= to) return new Map();
  const metrics = goal ? (['conversions'] as const) : undefined;
  const asked = { report: 'breakdown', breakdown, siteId, range: { from, to }, filters, limit: MOST_VALUES } as const;
  const { rows } = await ask({ ...asked, metrics, goal, sort: metrics?.[0] }, signal);
  return new Map(rows.map(({ value, visitors, conversions }) => [value, goal ? (conversions ?? 0) : visitors]));
}

/** The numbers of dimensions to try. If a number leads to too many cells, the next lower number is tried. */
const TRIED_DIMENSIONS = [8, 6, 4, 3];

async function search(count: Count, { counts, all }: Known, readNoise: Noise): Promise<Found[]> {
  for (const most of TRIED_DIMENSIONS) {
    const tried = chooseValues({ counts, all }, most);
    if (tried.length === 0) return [];
    const { before, after } = await countBoth((side) => count(listKeys(tried), side));
    if (before && after) return explain(joinCells(tried, before, after), readNoise);
  }
  return [];
}

/**
 * Joins the cells of both ranges into one list. The cells of the earlier range are first, and their counts in the later
 * range are 0. The cells of the later range follow, and their counts in the earlier range are 0.
 */
function joinCells(tried: readonly TriedValues[], before: Counts, after: Counts): Cells {
  const size = before.counts.length + after.counts.length;
  const join = (first: Float64Array | undefined, second: Float64Array | undefined): Float64Array => {
    const joined = new Float64Array(size);
    if (first) joined.set(first);
    if (second) joined.set(second, before.counts.length);
    return joined;
  };
  return {
    tried,
    codes: tried.map((_, place) => join(before.keys[place], after.keys[place])),
    before: join(before.counts, undefined),
    after: join(undefined, after.counts),
  };
}

async function countReason(
  ask: Ask,
  question: DifferenceQuestion,
  { properties, isCertain }: Found,
  signal?: AbortSignal,
): Promise<Reason> {
  const own = properties.map(({ dimension, value }) => [dimension, { is: [value] }] as const);
  const filters = addFilters(question.filters, Object.fromEntries(own));
  const { before, after } = await countBoth(async (side) => {
    const asked = makeTableQuery({ ...question, filters }, side, { by: [], among: [] });
    return sumList(readCounts(question, (await ask(asked, signal)).cells));
  });
  return {
    filters: Object.fromEntries(properties.map(({ dimension, value }) => [dimension, value])),
    ...{ total: after, previous: before, isCertain },
  };
}

/**
 * Adds the filters of a combination to the filters of the question. Both may name the same dimension. A visit must pass
 * both filters.
 */
const addFilters = (filters: Filters, own: Filters): Filters =>
  Object.keys(own).some((name) => name in filters) ? { ...filters, any: [own] } : { ...filters, ...own };

function judge(reasons: readonly Reason[], all: CountPair, pairs: readonly CountPair[]): ExplainVerdict {
  if (reasons.some(({ isCertain }) => isCertain)) return 'explained';
  if (reasons.length > 0) return 'unsure';
  const { verdict } = measureEffect(pairs);
  if (verdict === 'up' || verdict === 'down') return 'even';
  if (verdict === 'unclear') return 'chance';
  return Math.abs(all.after - all.before) > FAR_SPREADS * Math.sqrt(all.after + all.before) ? 'even' : 'chance';
}

/**
 * A limit for differences with too few pairs of days for a verdict. A difference of more than this many spreads is not
 * chance.
 */
const FAR_SPREADS = 5;
