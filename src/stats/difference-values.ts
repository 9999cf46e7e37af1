// Counts the values that may explain a difference between two ranges of days, such as the country Germany. The values
// are counted in both ranges, for each dimension that the search tries (explain.ts). The values of the most used
// properties are counted too.
//
// Invariant: the counts only decide which values the search tries. No figure of an explanation is made from these
// counts.
//
// Example: the earlier range has 300 visitors from Germany, and the later range has 480. So Germany is tried.
// difference.ts calls `countAllValues`, and explain-values.ts chooses the most promising values.
import type { Ask } from './ask.ts';
import { chooseMetric, countBoth, type DifferenceQuestion, type Side } from './difference-cells.ts';
import { BREAKDOWNS, DIMENSIONS, OTHER } from './dimensions.ts';
import { EXPLAIN_DIMENSION_NAMES, type ExplainKey } from './explain-dimensions.ts';
import type { DimensionCounts, ValueCount } from './explain-values.ts';
import { findFigure } from './metrics.ts';
import type { Filters, Of } from './query.ts';
import { isHitKey, isPropertyKey, readPropertyName } from './table-keys.ts';

/** The names of properties whose values are tried, and all other names. */
export type TriedNames = { tried: string[]; leftOut: string[] };

/**
 * Counts the values of all dimensions, one dimension after the other. The queries of a site wait in one line. If all
 * dimensions were asked at once, a report of the site would wait for all of them.
 */
export async function countAllValues(
  ask: Ask,
  question: DifferenceQuestion,
  signal: AbortSignal | undefined,
): Promise<{ counts: DimensionCounts[]; properties: TriedNames }> {
  const count = (rows: ValuesAsked) => countValues(ask, question, rows, signal);
  const names = await listNames(ask, question, signal);
  const properties = { tried: names.slice(0, MOST_NAMES), leftOut: names.slice(MOST_NAMES) };
  const counts: DimensionCounts[] = [];
  for (const dimension of [
    ...EXPLAIN_DIMENSION_NAMES,
    ...properties.tried.map((name) => `property:${name}` as const),
  ].filter((key) => isPossibleKey(question, key))) {
    counts.push({ dimension, values: await count(listValues(dimension)) });
  }
  return { counts, properties };
}

/**
 * The most values that are counted for each dimension: the values with the largest counts. All other values are too
 * small to explain a difference.
 */
const MOST_VALUES = 200;

/**
 * Lists the names of properties, the most used first. They are counted without the filters of the question. Stored sums
 * have these counts. So hits are read only for days without current sums, such as an open day.
 */
async function listNames(ask: Ask, question: DifferenceQuestion, signal: AbortSignal | undefined): Promise<string[]> {
  if (question.by === 'pageviews') return [];
  const plain = { ...question, filters: {}, goal: undefined, by: undefined };
  return (await countValues(ask, plain, { breakdown: 'properties' }, signal))
    .toSorted((one, other) => other.before + other.after - one.before - one.after)
    .map(({ value }) => value)
    .filter((name) => name !== OTHER);
}

/**
 * Pageviews are explained only by values that a whole visit has. A filter by a host name or a property would leave out
 * other pageviews of the visit, which the search has counted.
 */
const isPossibleKey = ({ by }: DifferenceQuestion, key: ExplainKey): boolean => by !== 'pageviews' || !isHitKey(key);

/**
 * How many names of properties are tried. The most used names are tried, because each one takes time (`npm run
 * bench:explain`).
 */
const MOST_NAMES = 5;

type ValuesAsked = Pick<Of<'breakdown'>, 'breakdown' | 'property'>;

const listValues = (key: ExplainKey): ValuesAsked =>
  isPropertyKey(key)
    ? { breakdown: 'property_values', property: readPropertyName(key) }
    : { breakdown: DIMENSIONS[key].breakdown };

/** Counts each value in both ranges. */
async function countValues(
  ask: Ask,
  question: DifferenceQuestion,
  asked: ValuesAsked,
  signal: AbortSignal | undefined,
): Promise<ValueCount[]> {
  const { before, after } = await countBoth((side) => countSide(ask, question, asked, side, signal));
  return [...new Set([...before.keys(), ...after.keys()])].map((value) => ({
    ...{ value, before: before.get(value) ?? 0, after: after.get(value) ?? 0 },
  }));
}

/**
 * Whole days are counted here, even if the last day of the earlier range counts only up to a time (`until`). This
 * changes only which values are tried, and no figure of the answer. Conversions cannot be counted by values of hits,
 * such as host names. For these values, the visitors that reach the goal are counted instead.
 */
async function countSide(
  ask: Ask,
  question: DifferenceQuestion,
  rows: ValuesAsked,
  side: Side,
  signal: AbortSignal | undefined,
): Promise<Map<string, number>> {
  const { siteId, range, compared, filters, goal } = question;
  const { from, to } = side === 'after' ? range : compared;
  if (from >= to) return new Map();
  const asked = { report: 'breakdown', ...rows, siteId, range: { from, to }, limit: MOST_VALUES } as const;
  if (goal && DIMENSIONS[BREAKDOWNS[rows.breakdown]].counts !== 'visits') {
    const found = await ask({ ...asked, filters: addFilters(filters, { goal: { is: [goal] } }) }, signal);
    return new Map(found.rows.map(({ value, visitors }) => [value, visitors]));
  }
  const wanted = chooseMetric(question);
  const metric = wanted && findFigure(rows.breakdown, wanted) ? wanted : undefined;
  const metrics = metric && [metric];
  const found = await ask({ ...asked, filters, metrics, goal, sort: metric }, signal);
  return new Map(found.rows.map((row) => [row.value, metric ? (row[metric] ?? 0) : row.visitors]));
}

/**
 * Adds the filters of a combination to the filters of the question. Both may have a filter by the same dimension, but
 * an object can name this dimension only once. Then the filters of the combination are put into `any`.
 */
export const addFilters = (filters: Filters, own: Filters): Filters =>
  Object.keys(own).some((name) => name in filters) ? { ...filters, any: [own] } : { ...filters, ...own };
