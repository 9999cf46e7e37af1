// Pairs the days of the two ranges that are compared, and measures the noise of each kind of dimension. Noise is how
// much the share of a value, such as the source Google, varies from day to day. A kind has similar dimensions, such as
// channel and source (explain-dimensions.ts).
//
// Example: 1 to 7 March are compared with 8 to 14 March. The first pair is 1 and 8 March. If the share of search
// engines varies much from day to day, the noise of all channels is high. difference.ts calls `measureNoises`.
import {
  type Both,
  type Count,
  type Counts,
  countBoth,
  type DifferenceQuestion,
  hasValue,
  listKeys,
  SIDES,
} from './difference-cells.ts';
import type { CountPair } from './effects.ts';
import type { Noise } from './explain.ts';
import { type ExplainKey, findKind, VISIT_KINDS } from './explain-dimensions.ts';
import { type CountedPair, measureNoise, USUAL_NOISE } from './explain-noise.ts';
import { chooseValues, type Known } from './explain-values.ts';
import { findMonday } from './interval.ts';
import { isHitKey } from './table-keys.ts';

/** Ranges up to this number of days are compared day by day. Longer ranges are compared week by week. */
const MOST_DAYS = 62;

type Period = 'day' | 'week';

/**
 * Numbers the days or weeks of each range from 0: these numbers are called places. Makes a pair for each place, with
 * the counts of both ranges at that place. A cell is all visitors with equal values, on one day or in one week. Only
 * the counts of cells for which `isIn` returns true are added.
 */
export function pairPeriods(
  question: DifferenceQuestion,
  both: Both<Counts>,
  period: Period,
  isIn = isAny,
): CountPair[] {
  const pairs: CountPair[] = [];
  for (const side of SIDES) {
    const { from } = side === 'after' ? question.range : question.compared;
    const { keys, counts } = both[side];
    for (const [i, day] of (keys.at(-1) ?? []).entries()) {
      if (!isIn(both[side], i)) continue;
      const place = period === 'day' ? day - from : (day - findMonday(from)) / 7;
      const pair = pairs[place] ?? { before: 0, after: 0 };
      pair[side] += counts[i] as number;
      pairs[place] = pair;
    }
  }
  return Array.from(pairs, (pair) => pair ?? { before: 0, after: 0 });
}

const isAny = (_: Counts, __: number): boolean => true;

/**
 * Measures the noise of each kind of dimension, from the shares of a few of its values by day or week (`chooseValues`).
 * Sometimes the noise cannot be measured, for example because a table is too long. Then `USUAL_NOISE` is assumed, which
 * is twice the noise of pure chance.
 *
 * Dimensions of visits, such as the country, are counted in one table. Dimensions of hits, such as properties, are
 * counted in a second table. Therefore many properties never make the first table long. The second table has only the
 * dimensions that the search tries.
 */
export async function measureNoises(count: Count, question: DifferenceQuestion, known: Known): Promise<Noise> {
  const ofHits = chooseValues(known)
    .map(({ dimension }) => dimension)
    .filter(isHitKey);
  const noises = new Map<ExplainKey, number>();
  for (const kinds of [VISIT_KINDS, ofHits]) {
    for (const [kind, noise] of await measureKinds(count, question, known, kinds)) noises.set(kind, noise);
  }
  return (dimension) => noises.get(findKind(dimension)) ?? USUAL_NOISE;
}

async function measureKinds(
  count: Count,
  question: DifferenceQuestion,
  { counts, all }: Known,
  kinds: readonly ExplainKey[],
): Promise<[ExplainKey, number][]> {
  const { range, compared } = question;
  const period = Math.max(range.to - range.from, compared.to - compared.from) > MOST_DAYS ? 'week' : 'day';
  const tried = chooseValues({ counts: counts.filter(({ dimension }) => kinds.includes(dimension)), all });
  if (tried.length === 0) return [];
  const { by, among } = listKeys(tried);
  const { before, after } = await countBoth((side) =>
    count({ by: [...by, period], among: [...among, undefined] }, side),
  );
  if (!before || !after) return [];
  const both = { before, after };
  const totals = pairPeriods(question, both, period);
  return tried.map(({ dimension, values }, place) => {
    const pairs = values.map((_, i): CountedPair[] =>
      fillPairs(
        totals.length,
        pairPeriods(question, both, period, ({ keys }, row) => hasValue(dimension, keys[place]?.[row] ?? 0, i)),
      ),
    );
    return [dimension, measureNoise(pairs, totals)];
  });
}

const fillPairs = (length: number, pairs: readonly CountedPair[]): CountedPair[] =>
  Array.from({ length }, (_, i) => pairs[i] ?? { before: 0, after: 0 });
