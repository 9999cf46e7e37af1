// Counts row figures: sums for each row of a breakdown, such as visits, bounces, seconds and conversions.
//
// Invariant: the sums of several days can be added up. Rates are computed from the final sums and never added.
//
// Example: country DE has visits of 10 s and 50 s. FR has one visit of 30 s, which is a bounce. DE gets 2 visits, 0
// bounces and 60 s. FR gets 1 visit, 1 bounce and 30 s. The report then shows 30 s for each visit in both countries.
// query/scan.ts and sealed/row-sums.ts call `rowSums`.
import { BREAKDOWNS, type Breakdown, DIMENSIONS } from '../../stats/dimensions.ts';
import type { RowCounts, SumName } from '../../stats/metrics.ts';
import type { Column } from '../column/packing.ts';
import { type Day, type Selection, selectAll } from '../day/day.ts';
import type { Conditions } from './conditions.ts';
import { type DistinctSums, tallyVisits } from './distinct.ts';
import { type Adder, OF_ANY_HITS, OF_PAGEVIEWS } from './hit-figures.ts';
import { type HitTest, makeMatchesOfAny } from './hit-filter.ts';
import { type ByVisit, countHitsByVisit, countPageviewsByVisit, markBounces, readSecondsByVisit } from './per-visit.ts';
import { addRevenue, type RevenueIn } from './revenue.ts';
import { NO_VISITS, select } from './select.ts';
import { type MoreSums, makeSums, mapNumbers } from './term-counts.ts';
import { makeTermSums } from './term-sums.ts';

/**
 * What to count for the rows of a breakdown. Hits that fail the test `counted` are left out. Hits that pass a test in
 * `goal` are conversions. `names` has the wanted sums, such as `bounces`.
 */
type RowScope = {
  counted: HitTest;
  goal: readonly HitTest[];
  /** Selects the visits with at least one conversion. */
  converted?: Conditions;
  names: readonly SumName[];
  /**
   * Returns a list with a number for each visit of a day, such as its seconds. All breakdowns of the day share these
   * lists.
   */
  numbers?: ReadNumbers;
  /** The currency of the revenue. Undefined if the query does not ask for revenue. */
  revenue?: RevenueIn | undefined;
};

/**
 * Functions with loops, such as `addNumbers`, are at the top level of the file on purpose. V8 frees the compiled code
 * of an inner function when no instance of the function is left. With inner functions, each query would begin with
 * uncompiled loops, which are several times slower.
 */

/** Adds up the sums in `names` for each row of a breakdown. Call `add` for each day, and then call `of` once. */
export const rowSums = (breakdown: Breakdown, names: readonly SumName[], given: Omit<RowScope, 'names'>) =>
  sumsOfRows(DIMENSIONS[BREAKDOWNS[breakdown]].counts, names, given);

/** Adds up row figures, for breakdowns and tables. `counts` says what a row counts, such as visits or pageviews. */
export function sumsOfRows(counts: RowCounts, names: readonly SumName[], given: Omit<RowScope, 'names'>) {
  const about = { ...given, names };
  const makers = ADDERS[counts];
  const needed = new Set(names.flatMap((name) => makers[name] ?? []));
  const adders = [...needed].map((make) => make(about));
  const read = Object.assign({}, ...adders.map(({ of }) => of)) as Adder['of'];
  return {
    /** Adds a day. `column` has the value of each visit or hit of the day. */
    add(day: Day, column: Column, selection: Selection): void {
      for (const adder of adders) adder.add(day, column, selection);
    },
    of: (terms: ArrayLike<number>): MoreSums =>
      Object.fromEntries(names.flatMap((name) => (read[name] ? [[name, mapNumbers(terms, read[name])]] : []))),
  };
}

/**
 * Adds the numbers of each selected visit to the sums of the visit's value, such as the country DE. `sums` has four
 * entries for each value: the number of visits, and the sums of `first`, `second` and `third`.
 */
function addNumbers(
  sums: Float64Array,
  { codes }: Column,
  { visits, count }: Selection,
  [first, second, third]: readonly ByVisit[],
): void {
  for (let i = 0; i < count; i++) {
    const visit = visits[i] as number;
    const place = (codes[visit] as number) * WIDTH;
    sums[place] = (sums[place] as number) + 1;
    if (first === undefined) continue;
    sums[place + 1] = (sums[place + 1] as number) + (first[visit] as number);
    if (second === undefined) continue;
    sums[place + 2] = (sums[place + 2] as number) + (second[visit] as number);
    if (third === undefined) continue;
    sums[place + 3] = (sums[place + 3] as number) + (third[visit] as number);
  }
}

function addHits(
  { hits }: DistinctSums,
  { terms, codes }: Column,
  { visits, count }: Selection,
  ofVisit: ByVisit,
): void {
  for (let i = 0; i < count; i++) {
    const visit = visits[i] as number;
    const term = terms[codes[visit] as number] as number;
    hits[term] = (hits[term] as number) + (ofVisit[visit] as number);
  }
}

const NUMBERS = {
  bounces: markBounces,
  seconds: readSecondsByVisit,
  pageviews: (day, selection, { counted }) => countPageviewsByVisit(day, selection, counted),
} satisfies Partial<Record<SumName, (day: Day, selection: Selection, about: RowScope) => ByVisit>>;
type NumberName = keyof typeof NUMBERS;
const WIDTH = 4;

/** Returns a list with one number for each visit, such as its seconds. */
export type ReadNumbers = (name: NumberName) => ByVisit;

/**
 * Returns a function that returns a list with one number for each visit of the day, such as its seconds. No filter
 * applies. Each list is made only once, because all breakdowns of the day use this list.
 */
export function readNumbers(day: Day): ReadNumbers {
  const made = new Map<NumberName, ByVisit>();
  return (name) => {
    const numbers = made.get(name) ?? NUMBERS[name](day, selectAll(day), { counted: {}, goal: [], names: [] });
    made.set(name, numbers);
    return numbers;
  };
}

/**
 * Adds up figures of visits by the value of each visit, such as its country. One loop adds all figures, because a loop
 * for each figure takes 50 % longer.
 */
function sumVisitNumbers(about: RowScope): Adder {
  const names = (Object.keys(NUMBERS) as NumberName[]).filter((name) => about.names.includes(name));
  const { begin, end, of } = makeTermSums(WIDTH);
  return {
    add(day, column, selection) {
      const sums = begin(column);
      const numbers = about.numbers ?? ((name) => NUMBERS[name](day, selection, about));
      addNumbers(sums, column, selection, names.map(numbers));
      end(column);
    },
    of: { visits: of(0), ...Object.fromEntries(names.map((name, i) => [name, of(i + 1)])) },
  };
}

/**
 * Counts conversions, and visitors with a conversion, for each row of a breakdown. A conversion is a hit that reaches
 * the goal.
 */
function sumConversions({ goal, converted }: RowScope): Adder {
  const sums = makeSums();
  return {
    add(day, column, selection) {
      // All selections share one buffer, so the call of `select` overwrites the visits of `selection`. They are copied
      // first, and restored at the end.
      const before = selection.visits.slice(0, selection.count);
      const own = converted ? select(day, converted) : NO_VISITS;
      const conversions = countHitsByVisit(day, own, makeMatchesOfAny(day, goal));
      tallyVisits(sums, day, column, own);
      addHits(sums, column, own, conversions);
      selection.visits.set(before);
    },
    of: { conversions: (term) => sums.hits[term] ?? 0, converted: (term) => sums.visitors[term] ?? 0 },
  };
}

/** Adds up the revenue of the visits of each row, in one currency. */
function sumRowRevenue({ counted, revenue }: RowScope): Adder {
  const { begin, end, of } = makeTermSums(1);
  return {
    add(day, column, selection) {
      if (!revenue) return;
      const sums = begin(column);
      addRevenue(sums, 'visits', day, column, selection, { ...revenue, test: counted });
      end(column);
    },
    of: { revenue: of(0) },
  };
}

const OF_VISITS: Partial<Record<SumName, (about: RowScope) => Adder>> = {
  visits: sumVisitNumbers,
  bounces: sumVisitNumbers,
  seconds: sumVisitNumbers,
  pageviews: sumVisitNumbers,
  conversions: sumConversions,
  converted: sumConversions,
  revenue: sumRowRevenue,
};

const ADDERS: Record<RowCounts, typeof OF_VISITS> = {
  visits: OF_VISITS,
  pageviews: OF_PAGEVIEWS,
  any: OF_ANY_HITS,
  hits: {},
  events: {},
};
