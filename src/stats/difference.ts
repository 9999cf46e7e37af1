// Explains the difference between two ranges of days. Finds a few combinations of values that make up most of the
// difference. A value belongs to a dimension, such as Germany to the country. In the code, such a value is called
// `Property`.
//
// Invariant: the figures of a combination equal a report with its values as filters
// (test/stats/explain-answers.long.test.ts). Only the search is approximate. For example, the search counts a visitor
// twice if two visits of the visitor have different sources.
//
// Example: a week has 1,200 visitors, and the week before had 1,000. The answer has one combination: visitors from
// Germany that arrived from search engines. There were 300 such visitors, and there are 480 now. These 180 more are 90
// % of the difference.
//
// The values of each dimension are counted first, and the values of the properties that hits have most often. Then all
// combinations of the most promising values are counted in one query for each range. At last, each found combination is
// counted on its own. api/explain.ts and the mails call `explainDifference`.

import type { Coded } from '../lang/coded.ts';
import { sumList } from '../lib/sum-list.ts';
import type { Ask } from './ask.ts';
import {
  type Both,
  type Count,
  type Counts,
  countBoth,
  type DifferenceQuestion,
  divideCounts,
  hasValue,
  listKeys,
  makeCounter,
  makeTableQuery,
  readCounts,
} from './difference-cells.ts';
import { measureNoises, pairPeriods } from './difference-noise.ts';
import { addFilters, countAllValues, type TriedNames } from './difference-values.ts';
import { type CountPair, measureEffect } from './effects.ts';
import {
  type Cells,
  countHitKeys,
  explain,
  type Found,
  listSingly,
  type Noise,
  type Property,
  type TriedValues,
} from './explain.ts';
import type { ExplainKey } from './explain-dimensions.ts';
import { chooseValues, type Known } from './explain-values.ts';
import { joinLeftOut } from './notices.ts';
import type { Filters } from './query.ts';
import { isHitKey, isPropertyKey, readPropertyName } from './table-keys.ts';

/**
 * The possible results. `explained`: at least one combination is certain. `unsure`: chance alone may explain the
 * combinations that were found. `even`: all groups of visitors changed alike. `chance`: no combination stands out, and
 * the difference may be chance.
 */
export const EXPLAIN_VERDICTS = ['explained', 'unsure', 'even', 'chance'] as const;
type ExplainVerdict = (typeof EXPLAIN_VERDICTS)[number];

/** A combination, with its figures in both ranges. */
export type Reason = {
  filters: Partial<Record<ExplainKey, string>>;
  total: number;
  previous: number;
  isCertain: boolean;
};

export type Explanation = {
  total: number;
  previous: number;
  verdict: ExplainVerdict;
  reasons: Reason[];
  /**
   * The names of properties whose values were tried (`tried`), and all other names (`leftOut`). Only the most used
   * names are tried.
   */
  properties: TriedNames;
  notices: Coded[];
};

export async function explainDifference(
  ask: Ask,
  question: DifferenceQuestion,
  signal?: AbortSignal,
): Promise<Explanation> {
  const plain = makeCounter(ask, question, signal);
  // The steps run one after the other. If the server is too busy for the first step, no other step is started in vain.
  const totals = await countDays(plain);
  const unit = findUnit(question, totals);
  const count = divideCounts(plain, unit);
  const { counts, properties } = await countAllValues(ask, question, signal);
  const all = { before: sumList(totals.before.counts), after: sumList(totals.after.counts) };
  const pairs = pairPeriods(question, totals, 'day').map((pair) => divide(pair, unit));
  const readNoise = await measureNoises(count, question, { counts, all });
  const cells = await countCells(count, { counts, all });
  const reasons = cells ? await findReasons(cells, readNoise, (one) => countReason(ask, question, one, signal)) : [];
  return {
    ...{
      total: all.after,
      previous: all.before,
      verdict: judge(reasons, divide(all, unit), pairs),
      reasons,
      properties,
    },
    notices: joinLeftOut(totals.after.notices, totals.before.notices),
  };
}

/**
 * Finds the unit: the number by which the search divides its counts. If the number of visitors varies by chance alone,
 * its variance equals its mean. The variance of pageviews is larger, because one visitor may have many pageviews.
 * Divided by the unit, the pageviews have a variance that equals their mean.
 *
 * For pageviews, the unit is `2 * mean - 1`, where `mean` is the average number of pageviews of a visitor. This formula
 * assumes that visitors leave after each page with equal probability. For all other counts, the unit is 1.
 */
function findUnit({ by }: DifferenceQuestion, { before, after }: Both<Counts>): number {
  const visitors = before.visitors + after.visitors;
  if (by !== 'pageviews' || visitors === 0) return 1;
  return Math.max(1, (2 * (sumList(before.counts) + sumList(after.counts))) / visitors - 1);
}

const divide = ({ before, after }: CountPair, unit: number): CountPair => ({
  before: before / unit,
  after: after / unit,
});

/**
 * The search may find a combination of two values of hits, such as a host name and a property. A visit has both values
 * even if they are on different hits. But the filters of the combination require both on one hit. If these filters
 * select far fewer visitors than the search counted, the search is repeated without such combinations.
 */
async function findReasons(
  cells: Cells,
  readNoise: Noise,
  count: (found: Found) => Promise<Reason>,
  joinsHits = true,
): Promise<Reason[]> {
  const found = await explain(cells, readNoise, joinsHits);
  const reasons: Reason[] = [];
  // Reasons are counted one after the other, because a server with little memory lets only a few tables wait
  // (test/stats/limit-tables.test.ts).
  for (const one of found) reasons.push(await count(one));
  const areOfOneHit = found.every((one, i) => isOfOneHit(one, reasons[i] as Reason));
  return areOfOneHit || !joinsHits ? reasons : findReasons(cells, readNoise, count, false);
}

const isOfOneHit = ({ properties, before, after }: Found, { total, previous }: Reason): boolean =>
  countHitKeys(properties) < 2 || total + previous >= LEAST_OF_ONE_HIT * (before + after);

const LEAST_OF_ONE_HIT = 0.8;

async function countDays(count: Count): Promise<Both<Counts>> {
  const none = { keys: [new Float64Array(0)], counts: new Float64Array(0), visitors: 0, notices: [] };
  return countBoth(async (side) => (await count({ by: ['day'], among: [undefined] }, side)) ?? none);
}

/** How many dimensions are tried together: first 8. If 8 dimensions lead to too many cells, 6 are tried, and so on. */
const TRIED_DIMENSIONS = [8, 6, 4, 3];

async function countCells(count: Count, { counts, all }: Known): Promise<Cells | undefined> {
  for (const most of TRIED_DIMENSIONS) {
    const tried = chooseValues({ counts, all }, most);
    if (tried.length === 0) return undefined;
    const { before, after } = await countBoth((side) => count(listKeys(tried), side));
    if (before && after) return joinCells(tried, before, after);
  }
  return undefined;
}

/**
 * Joins the cells of both ranges into one list. The cells of the earlier range are first, and their counts in the later
 * range are 0. The cells of the later range follow, and their counts in the earlier range are 0.
 */
function joinCells(tried: readonly TriedValues[], before: Counts, after: Counts): Cells {
  const size = before.counts.length + after.counts.length;
  const join = (first: ArrayLike<number> = [], second: ArrayLike<number> = []): Float64Array => {
    const joined = new Float64Array(size);
    joined.set(first);
    joined.set(second, before.counts.length);
    return joined;
  };
  const codes = tried.flatMap(({ dimension, values }, place) => {
    const joined = join(before.keys[place], after.keys[place]);
    if (!isHitKey(dimension)) return [joined];
    return values.map((_, i) => joined.map((code) => Number(hasValue(dimension, code, i))));
  });
  return { tried: listSingly(tried), codes, before: join(before.counts), after: join([], after.counts) };
}

async function countReason(
  ask: Ask,
  question: DifferenceQuestion,
  { properties, isCertain }: Found,
  signal?: AbortSignal,
): Promise<Reason> {
  const filters = addFilters(question.filters, makeFilters(properties));
  const { before, after } = await countBoth(async (side) => {
    const asked = makeTableQuery({ ...question, filters }, side, { by: [], among: [] });
    return sumList(readCounts(question, (await ask(asked, signal)).cells));
  });
  return {
    filters: Object.fromEntries(properties.map(({ dimension, value }) => [dimension, value])),
    ...{ total: after, previous: before, isCertain },
  };
}

function makeFilters(properties: readonly Property[]): Filters {
  const list = (isOfProperty: boolean) =>
    properties
      .filter(({ dimension }) => isPropertyKey(dimension) === isOfProperty)
      .map(({ dimension, value }) => [
        isPropertyKey(dimension) ? readPropertyName(dimension) : dimension,
        { is: [value] },
      ]);
  const ofProperties = list(true);
  return {
    ...Object.fromEntries(list(false)),
    ...(ofProperties.length > 0 && { property: Object.fromEntries(ofProperties) }),
  };
}

function judge(reasons: readonly Reason[], all: CountPair, pairs: readonly CountPair[]): ExplainVerdict {
  if (reasons.some(({ isCertain }) => isCertain)) return 'explained';
  if (reasons.length > 0) return 'unsure';
  const { verdict } = measureEffect(pairs);
  if (verdict === 'up' || verdict === 'down') return 'even';
  if (verdict === 'unclear') return 'chance';
  return Math.abs(all.after - all.before) > FAR_SPREADS * Math.sqrt(all.after + all.before) ? 'even' : 'chance';
}

/**
 * `measureEffect` may have too few days or counts for a verdict. Then a difference of more than this number of spreads
 * is not chance. A spread is how much the difference usually varies by chance.
 */
const FAR_SPREADS = 5;
