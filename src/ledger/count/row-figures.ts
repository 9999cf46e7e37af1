// Row figures are sums for each row of a breakdown, such as bounces, seconds and conversions. Visitors and hits of a row are counted in
// other files.
// Invariant: the sums of days, shards and slices add up. Rates are computed from the final sums; rates are never added.
//
// Example: country DE has visits of 10 s and 50 s. Country FR has one visit of 30 s, which is a bounce. DE gets 2 visits, 0 bounces and 60
// s. FR gets 1 visit, 1 bounce and 30 s. The report then shows 30 s a visit for both countries.
//
// The sums of a day are first counted by code, then added by term. query/scan.ts and sealed/row-sums.ts call `rowSums`.
import { BREAKDOWNS, type Breakdown, type Counted, DIMENSIONS } from '../../stats/dimensions.ts';
import type { SumName } from '../../stats/metrics.ts';
import type { Column } from '../column/column.ts';
import { type Day, type Selection, selectAll } from '../day/day.ts';
import { type DistinctSums, tallyHits, tallyVisits } from './distinct.ts';
import type { Conditions } from './filters.ts';
import { type HitTest, makeMatches, makeMatchesOfAny, PAGEVIEW } from './hit-filter.ts';
import { type ByVisit, countHitsByVisit, countPageviewsByVisit, markBounces, readSecondsByVisit } from './per-visit.ts';
import { NO_VISITS, select } from './select.ts';
import { type MoreSums, makeSums, mapNumbers } from './term-counts.ts';
import { listTimedHits } from './time-on-page.ts';

/** Adds up sums day by day, by the terms of a column. Each function in `of` gives one of the sums for a term. */
type Adder = {
  add(day: Day, column: Column, selection: Selection): void;
  of: Partial<Record<SumName, (term: number) => number>>;
};

/**
 * Says how the sums of a breakdown's rows are counted. Only hits that pass `counted` count. Hits that pass a test of `goal` are
 * conversions.
 */
type RowScope = {
  counted: HitTest;
  goal: readonly HitTest[];
  /** A visit that meets these conditions has reached the goal. */
  converted?: Conditions;
  names: readonly SumName[];
  /** Gives lists with a number for each visit. Several breakdowns of one day share these lists, so each list is made once. */
  numbers?: ReadNumbers;
};

const FIRST_SIZE = 1024;

/**
 * A function with a loop over rows or terms stands outside of other functions, so that it is not made anew for each query. V8 deletes the
 * compiled code of an inner function when its last instance is freed. Until V8 has compiled the function again, its loop takes several
 * times as long.
 */

/** Makes an object that adds up the wanted sums for the rows of a breakdown, day by day. */
export function rowSums(breakdown: Breakdown, names: readonly SumName[], given: Omit<RowScope, 'names'>) {
  const about = { ...given, names };
  const dimension = BREAKDOWNS[breakdown];
  const makers = ADDERS[DIMENSIONS[dimension].counts];
  const needed = new Set(names.flatMap((name) => makers[name] ?? []));
  const adders = [...needed].map((make) => make(about));
  const read = Object.assign({}, ...adders.map(({ of }) => of)) as Adder['of'];
  return {
    add(day: Day, selection: Selection): void {
      for (const adder of adders) adder.add(day, day.column(dimension), selection);
    },
    of: (terms: ArrayLike<number>): MoreSums =>
      Object.fromEntries(names.flatMap((name) => (read[name] ? [[name, mapNumbers(terms, read[name])]] : []))),
  };
}

function addToTerms(sums: Float64Array, { terms }: Column, daySums: Float64Array, width: number): void {
  for (let i = 0, code = 0; code < terms.length; code++) {
    const first = (terms[code] as number) * width;
    for (let place = 0; place < width; place++, i++) {
      sums[first + place] = (sums[first + place] as number) + (daySums[i] as number);
    }
  }
}

/**
 * Adds numbers of each selected visit, such as its seconds, to the sums of its code. Each code has four sums. The first is the number of
 * visits. The others add up to three numbers, for example seconds and pageviews.
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

/** Adds two sums for each code: the seconds for which pages were visible, and the number of hits with such seconds. */
function addTimes(sums: Float64Array, { codes }: Column, { hits, size, seen }: ReturnType<typeof listTimedHits>): void {
  for (let i = 0; i < size; i++) {
    const hit = hits[i] as number;
    const place = (codes[hit] as number) * 2;
    sums[place] = (sums[place] as number) + (seen[hit] as number);
    sums[place + 1] = (sums[place + 1] as number) + 1;
  }
}

/** Makes an object with `width` sums for each term, next to each other in one array. The sums of a day are first counted by code. */
function makeTermSums(width: number) {
  let sums = new Float64Array(FIRST_SIZE);
  let daySums = new Float64Array(0);

  function makeRoom(terms: Column['terms']): void {
    const size = ((terms[terms.length - 1] ?? 0) + 1) * width;
    if (size <= sums.length) return;
    const larger = new Float64Array(2 ** Math.ceil(Math.log2(size)));
    larger.set(sums);
    sums = larger;
  }

  return {
    /** Gives zeros for the sums of a day. The same array is used for the next day. */
    begin({ terms }: Column): Float64Array {
      const size = terms.length * width;
      if (size > daySums.length) daySums = new Float64Array(2 * size);
      return daySums.fill(0, 0, size);
    },
    end(column: Column): void {
      makeRoom(column.terms);
      addToTerms(sums, column, daySums, width);
    },
    of: (place: number) => (term: number) => sums[term * width + place] ?? 0,
  };
}

/** Each function makes a list with a number for each visit. These numbers are added up for each row of a breakdown. */
const NUMBERS = {
  bounces: markBounces,
  seconds: readSecondsByVisit,
  pageviews: (day, selection, { counted }) => countPageviewsByVisit(day, selection, counted),
} satisfies Partial<Record<SumName, (day: Day, selection: Selection, about: RowScope) => ByVisit>>;
type NumberName = keyof typeof NUMBERS;
const WIDTH = 4;

/** Gives the list for one kind of number, such as seconds. The list has an entry for each visit of a day, and is made at the first call. */
export type ReadNumbers = (name: NumberName) => ByVisit;

/** Returns a function that gives a list with a number for each visit of a day, without filters. */
export function readNumbers(day: Day): ReadNumbers {
  const made = new Map<NumberName, ByVisit>();
  return (name) => {
    const numbers = made.get(name) ?? NUMBERS[name](day, selectAll(day), { counted: {}, goal: [], names: [] });
    made.set(name, numbers);
    return numbers;
  };
}

/**
 * Adds up all numbers of visits in one loop. A loop for each number would take 50 % longer. In such a loop, an addition to a sum must wait
 * until the addition before it is done.
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

/** Counts the hits that reach the goal, and the visitors with such a hit. */
function sumConversions({ goal, converted }: RowScope): Adder {
  const sums = makeSums();
  return {
    add(day, column, selection) {
      // `select` below overwrites the buffer of `selection`. The next adder still needs this selection, so a copy is put back at the end.
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

/** Counts the visits with a pageview of each page. For this, every visit is counted as if it had a visitor of its own. */
function sumPageVisits({ counted: { page } }: RowScope): Adder {
  const sums = makeSums();
  return {
    add(day, column, selection) {
      const again: Column = { terms: new Uint8Array(0), codes: new Uint8Array(day.totals.visits) };
      const strangers: Day = { ...day, column: (name) => (name === 'again' ? again : day.column(name)) };
      tallyHits(sums, strangers, column, selection, makeMatches(day, { page, event: PAGEVIEW }));
    },
    of: { visits: (term) => sums.visitors[term] ?? 0 },
  };
}

/** Adds up the seconds for which pages were visible, and counts the pageviews for which these seconds are known. */
function sumPageTimes({ counted }: RowScope): Adder {
  const { begin, end, of } = makeTermSums(2);
  return {
    add(day, column, selection) {
      const sums = begin(column);
      addTimes(sums, column, listTimedHits(day, selection, counted));
      end(column);
    },
    of: { seen: of(0), told: of(1) },
  };
}

type Adders = Partial<Record<SumName, (about: RowScope) => Adder>>;

const OF_VISITS: Adders = {
  visits: sumVisitNumbers,
  bounces: sumVisitNumbers,
  seconds: sumVisitNumbers,
  pageviews: sumVisitNumbers,
  conversions: sumConversions,
  converted: sumConversions,
};

const OF_PAGES: Adders = { visits: sumPageVisits, seen: sumPageTimes, told: sumPageTimes };

const ADDERS: Record<Counted, Adders> = {
  visits: OF_VISITS,
  pageviews: OF_PAGES,
  hits: {},
  events: {},
};
