// Explains a difference between two ranges of days. Finds a few combinations of up to three values that make up most
// of the difference. A value belongs to a dimension, such as Germany to the country. In the code, such a value is
// called `Property`. A value that the search tries is called an option.
//
// Invariant: a combination needs evidence that its visitors changed, and that they changed differently from all other
// visitors. If a combination is too narrow, other visitors changed too, and its evidence is lower. If a combination is
// too wide, some of its visitors did not change, and its evidence is lower too. All combinations of the given values
// are tried, except two values of one dimension.
//
// Example: there are 200 more visitors, all of them from Germany and from search engines. The group "Germany" has these
// 200 too, but also visitors that did not change. Therefore "Germany and search" is found. If every group has 20 %
// more, no combination is found.
//
// explain-values.ts chooses the values, and explain-noise.ts measures how much they vary by chance.
import { takeInTurns } from '../lib/turns.ts';
import type { ExplainKey } from './explain-dimensions.ts';
import { isHitKey } from './table-keys.ts';

/** The values of a dimension that the search tries. All other values count as one. */
export type TriedValues = { dimension: ExplainKey; values: readonly string[] };

/**
 * Visitors, counted by several dimensions together. A cell has the visitors with equal values in all dimensions.
 * `codes` has a list for each dimension, with a code for each cell. `before` and `after` have the counts of each cell.
 * A code is the number of a value in the list of its dimension, counted from 1. The code 0 stands for all other values.
 * If a visitor may have several values of a dimension, `tried` and `codes` have a list for each value (`listSingly`).
 */
export type Cells = {
  tried: readonly TriedValues[];
  codes: readonly ArrayLike<number>[];
  before: ArrayLike<number>;
  after: ArrayLike<number>;
};

export type Property = { dimension: ExplainKey; value: string };

/** A combination with its counts in both ranges. If `isCertain` is false, chance alone may explain the change. */
export type Found = { properties: Property[]; before: number; after: number; isCertain: boolean };

/**
 * Returns the noise of a dimension: how much the shares of its values vary from day to day, as a multiple of pure
 * chance. The noise is at least 1.
 */
export type Noise = (dimension: ExplainKey) => number;

/**
 * Makes a list for each value of a dimension of hits. A visit may have several of these values, such as two host names.
 * But a visit has only one code for each list (`Cells`). In a list of one value, visits with the value have the code 1.
 * All other visits have the code 0.
 */
export const listSingly = (tried: readonly TriedValues[]): TriedValues[] =>
  tried.flatMap((one) => (isHitKey(one.dimension) ? one.values.map((value) => ({ ...one, values: [value] })) : [one]));

/**
 * Finds combinations, the most important first. Without `joinsHits`, a combination has at most one dimension of hits,
 * such as the host name.
 */
export async function explain(cells: Cells, readNoise: Noise, joinsHits = true): Promise<Found[]> {
  const options = listOptions(cells, readNoise);
  const left = new Uint8Array(cells.before.length).fill(1);
  const all = sumLeft(cells, left);
  const least = Math.max(Math.abs(all.after - all.before), EVEN_SPREADS * Math.sqrt(all.after + all.before));
  const whole = await sumCombinations(cells, options, left);
  const found: Found[] = [];
  while (found.length < MOST_FOUND) {
    const rest = sumLeft(cells, left);
    if (Math.abs(rest.after - rest.before) <= MOST_LEFT * least && found.length > 0) break;
    const combined = found.length === 0 ? whole : await sumCombinations(cells, options, left);
    const best = findBest(combined, { whole, rest, least: least * LEAST_PART, joinsHits });
    if (!best || (!best.isCertain && found.length > 0)) break;
    found.push({
      properties: best.options.map(({ dimension, value }) => ({ dimension, value })),
      ...{ before: best.before, after: best.after, isCertain: best.isCertain },
    });
    if (!best.isCertain) break;
    takeCells(cells, best.options, left);
  }
  return found;
}

const MOST_FOUND = 5;
/** The search ends when the combinations found so far leave less than a fifth of the difference unexplained. */
const MOST_LEFT = 0.2;
/** A combination must make up at least a tenth of the difference. Smaller combinations are not found. */
const LEAST_PART = 0.1;
/**
 * A combination must make up a part of the change of all visitors (`LEAST_PART`). If the number of all visitors changed
 * by less than 2 spreads, 2 spreads are used in place of its change. A spread is how much this number varies by chance.
 * Otherwise, a tiny group could make up most of a change of nearly 0.
 */
const EVEN_SPREADS = 2;

/**
 * The evidence (`measureEvidence`) that a combination must have to be certain. This limit, `COST_OF_PROPERTY` and
 * `LEAST_EVIDENCE` are for a noise of 1. With a noise of 2, all three are twice as high. Thousands of combinations are
 * tried, and the best of them has a lot of evidence by chance alone.
 */
const CERTAIN = 11.5;
/**
 * The evidence that each value of a combination must add. Otherwise, longer combinations would always fit better by
 * chance.
 */
const COST_OF_PROPERTY = 3.5;
/**
 * The least evidence of a combination that is shown, after the cost of its values (`COST_OF_PROPERTY`) was subtracted.
 */
const LEAST_EVIDENCE = 2.5;

/**
 * A value that the search tries. The field `tried` of the type `Cells` has lists of values. The value is in the list
 * with the index `place`, and `code` is its number in this list, counted from 1. `noise` is the noise of its dimension.
 */
type Option = Property & { place: number; code: number; noise: number };

type Sums = { before: number; after: number };

/**
 * The counts of all combinations of one, two or three options, in one list for each length. Example: with 10 options,
 * the combination of options 2, 3 and 4 has the index 234 in the third list.
 */
type Combined = { options: readonly Option[]; lists: readonly Record<keyof Sums, Float64Array>[] };

type Best = Sums & { options: Option[]; evidence: number; isCertain: boolean };

const listOptions = ({ tried }: Cells, readNoise: Noise): Option[] =>
  tried.flatMap(({ dimension, values }, place) =>
    values.map((value, i) => ({ dimension, value, place, code: i + 1, noise: Math.max(1, readNoise(dimension)) })),
  );

function sumLeft({ before, after }: Cells, left: Uint8Array): Sums {
  const sums = { before: 0, after: 0 };
  for (let cell = 0; cell < left.length; cell++) {
    if (left[cell] === 0) continue;
    sums.before += before[cell] as number;
    sums.after += after[cell] as number;
  }
  return sums;
}

function takeCells({ codes }: Cells, options: readonly Option[], left: Uint8Array): void {
  for (let cell = 0; cell < left.length; cell++) {
    if (options.every(({ place, code }) => codes[place]?.[cell] === code)) left[cell] = 0;
  }
}

/**
 * The number of cells (`Cells`) that are added up at a time, in about 10 ms. Then there is a break, so that other
 * requests are served.
 */
const CELLS_OF_TURN = 4_000;

async function sumCombinations(cells: Cells, options: readonly Option[], left: Uint8Array): Promise<Combined> {
  const size = options.length;
  const lists = [1, 2, 3].map((length) => ({
    before: new Float64Array(size ** length),
    after: new Float64Array(size ** length),
  }));
  /** For each list in `tried`, the index in `options` of the list's first value. */
  const firsts = cells.tried.map((_, place) => options.findIndex((option) => option.place === place));
  const all = Array.from(left.keys()).filter((cell) => left[cell] === 1);
  await takeInTurns(all, CELLS_OF_TURN, (some) => addCells(cells, firsts, some, { options, lists }));
  return { options, lists };
}

/** Adds the visitors of each cell to the sums of its values, its pairs of values and its triples of values. */
function addCells(
  cells: Cells,
  firsts: readonly number[],
  some: readonly number[],
  { options, lists }: Combined,
): void {
  const size = options.length;
  const own = new Uint32Array(firsts.length);
  const [singles, pairs, triples] = lists as [Record<keyof Sums, Float64Array>, ...Record<keyof Sums, Float64Array>[]];
  for (const cell of some) {
    const count = listOwn(cells, firsts, cell, own);
    const before = cells.before[cell] as number;
    const after = cells.after[cell] as number;
    for (let i = 0; i < count; i++) {
      const one = own[i] as number;
      add(singles, one, before, after);
      for (let j = i + 1; j < count; j++) {
        const pair = one * size + (own[j] as number);
        if (pairs) add(pairs, pair, before, after);
        for (let k = j + 1; k < count && triples; k++) add(triples, pair * size + (own[k] as number), before, after);
      }
    }
  }
}

/** Writes into `own` which of the tried values the visitors of a cell have. Returns the number of these values. */
function listOwn({ codes }: Cells, firsts: readonly number[], cell: number, own: Uint32Array): number {
  let count = 0;
  for (let place = 0; place < firsts.length; place++) {
    const code = codes[place]?.[cell] as number;
    if (code > 0) own[count++] = (firsts[place] as number) + code - 1;
  }
  return count;
}

function add(sums: Record<keyof Sums, Float64Array>, at: number, before: number, after: number): void {
  sums.before[at] = (sums.before[at] as number) + before;
  sums.after[at] = (sums.after[at] as number) + after;
}

/**
 * `whole` counts all visitors, and `rest` the visitors that are in no combination found so far. A combination must have
 * changed by at least `least` visitors.
 */
type Search = { whole: Combined; rest: Sums; least: number; joinsHits: boolean };

/** Finds the combination with the most evidence, among those that changed by at least `least`. */
function findBest({ options, lists }: Combined, { whole, rest, least, joinsHits }: Search): Best | undefined {
  const size = options.length;
  let best: Best | undefined;
  for (const [place, { before, after }] of lists.entries()) {
    const length = place + 1;
    for (let at = 0; at < before.length; at++) {
      const sums = { before: before[at] as number, after: after[at] as number };
      if (Math.abs(sums.after - sums.before) < least || !isMostly(sums, whole, place, at, least)) continue;
      const own = readOptions(options, at, length, size);
      if (!isPossible(own, joinsHits)) continue;
      const noise = Math.max(...own.map((option) => option.noise));
      const strength = measureEvidence(sums, rest);
      const evidence = strength - COST_OF_PROPERTY * length * noise;
      if (evidence <= (best?.evidence ?? LEAST_EVIDENCE * noise)) continue;
      best = { ...sums, options: own, evidence, isCertain: strength >= CERTAIN * noise };
    }
  }
  return best;
}

/**
 * A combination has at most one value of each dimension. A filter with two values would select the visits that have
 * either value, but a combination needs both. Without `joinsHits`, the combination has at most one dimension of hits.
 */
function isPossible(own: readonly Option[], joinsHits: boolean): boolean {
  const dimensions = new Set(own.map(({ dimension }) => dimension));
  if (dimensions.size < own.length) return false;
  return joinsHits || countHitKeys(own) < 2;
}

export const countHitKeys = (properties: readonly Property[]): number =>
  properties.filter(({ dimension }) => isHitKey(dimension)).length;

/**
 * Checks a combination with the counts of all its visitors, because the answer shows these counts. Visitors that are in
 * no earlier combination are called left. The search itself compares only visitors that are left.
 *
 * The count of all visitors of the combination must change by at least `least`. It must change in the same direction as
 * the count of its visitors that are left. At least half of its visitors must be left.
 */
function isMostly(left: Sums, { lists }: Combined, place: number, at: number, least: number): boolean {
  const before = lists[place]?.before[at] as number;
  const after = lists[place]?.after[at] as number;
  const change = (after - before) * Math.sign(left.after - left.before);
  return change >= least && 2 * (left.before + left.after) >= before + after;
}

function readOptions(options: readonly Option[], at: number, length: number, size: number): Option[] {
  const own: Option[] = [];
  for (let i = 0, rest = at; i < length; i++) {
    own.unshift(options[rest % size] as Option);
    rest = Math.floor(rest / size);
  }
  return own;
}

/**
 * Measures the evidence for two statements: a group changed, and its change differs from the change of all other
 * visitors. An evidence is a logarithm: it says how many times as likely the counts become with the statement.
 *
 * Returns the smaller evidence. A group that did not change is no reason for a difference. A group that changed like
 * all other visitors is no reason either.
 */
export function measureEvidence(own: Sums, all: Sums): number {
  const others = { before: Math.max(0, all.before - own.before), after: Math.max(0, all.after - own.after) };
  const share = all.after / (all.after + all.before);
  return Math.min(compareShare(own, share) + compareShare(others, share), compareShare(own, 0.5));
}

/**
 * Measures how badly an expected share of `after` fits the counts of a group. Returns the logarithm of a likelihood
 * ratio: the real share of `after` is compared with the expected share. The result 0 means a perfect fit.
 */
function compareShare({ before, after }: Sums, share: number): number {
  const both = before + after;
  return weigh(after, both * share) + weigh(before, both * (1 - share));
}

const weigh = (count: number, expected: number): number => (count === 0 ? 0 : count * Math.log(count / expected));
