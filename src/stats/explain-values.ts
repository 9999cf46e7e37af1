// Chooses what the search of explain.ts tries: dimensions, and some values of each.
//
// Invariant: for each chosen dimension, the search tries the value whose change differs most from the change of all
// other visitors.
//
// Example: visitors from Germany doubled, and visitors from all other countries did not change. Then "country" is
// chosen, with Germany and a few more countries. "Browser" is chosen too, because the new visitors may have one browser
// in common.
import { OTHER } from './dimensions.ts';
import { measureEvidence, type TriedValues } from './explain.ts';
import type { ExplainKey } from './explain-dimensions.ts';

/** A value with its counts in both ranges. */
export type ValueCount = { value: string; before: number; after: number };
export type DimensionCounts = { dimension: ExplainKey; values: readonly ValueCount[] };

/** The counts of all values, and the counts of all visitors. */
export type Known = { counts: readonly DimensionCounts[]; all: Omit<ValueCount, 'value'> };

/** Chooses the values to try, from at most `most` dimensions. */
export function chooseValues({ counts, all }: Known, most = MOST_DIMENSIONS): TriedValues[] {
  const ranked = counts.flatMap(({ dimension, values }) => {
    const known = values.filter(({ value }) => isFilter(dimension, value));
    const weights = new Map(known.map((one) => [one, measureEvidence(one, all)]));
    const readWeight = (one: ValueCount): number => weights.get(one) ?? 0;
    const unlike = known.toSorted((one, other) => readWeight(other) - readWeight(one)).slice(0, MOST_UNLIKE);
    const large = known.toSorted((one, other) => sumBoth(other) - sumBoth(one)).slice(0, MOST_LARGE);
    const chosen = new Set([...unlike, ...large].filter((one) => sumBoth(one) > 0).map(({ value }) => value));
    return chosen.size === 0 ? [] : [{ dimension, values: [...chosen], weight: Math.max(...weights.values()) }];
  });
  const best = new Set(ranked.toSorted((one, other) => other.weight - one.weight).slice(0, most));
  return ranked.filter((one) => best.has(one)).map(({ dimension, values }) => ({ dimension, values }));
}

/**
 * Tells whether a filter can have the value. For example, no filter can have `(other)`. Values that no filter can have
 * are not tried, because the visitors of a found combination are counted with filters.
 */
const isFilter = (dimension: ExplainKey, value: string): boolean =>
  value !== OTHER && (dimension !== 'entry' || value.startsWith('/'));

const MOST_DIMENSIONS = 8;
/**
 * How many values of each dimension are tried: the three whose change differs most from the change of all other
 * visitors, and the one with the most visitors.
 */
const MOST_UNLIKE = 3;
const MOST_LARGE = 1;

const sumBoth = ({ before, after }: Omit<ValueCount, 'value'>): number => before + after;
