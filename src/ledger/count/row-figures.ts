import { BREAKDOWNS, type Breakdown, type Counted, DIMENSIONS } from '../../stats/dimensions.ts';
import type { SumName } from '../../stats/metrics.ts';
import type { Column } from '../column/column.ts';
import { type Day, type Selection, selectAll } from '../day/day.ts';
import { type Sums, tallyHits, tallyVisits } from './distinct.ts';
import type { Conditions } from './filters.ts';
import { type HitTest, makeMatches, matchesOfAny, PAGEVIEW } from './hit-filter.ts';
import { type ByVisit, bouncesByVisit, hitsByVisit, pageviewsByVisit, secondsByVisit } from './per-visit.ts';
import { NO_VISITS, select } from './select.ts';
import { listOf, type MoreSums, newSums } from './term-counts.ts';
import { tellingHits } from './time-on-page.ts';

/** Adds up something of days by the terms of a column. */
type Adder = {
  add(day: Day, column: Column, selection: Selection): void;
  of: Partial<Record<SumName, (term: number) => number>>;
};

/** What the sums are about: the hits that count, what reaches the goal, and which sums are needed. */
type About = {
  counted: HitTest;
  goal: readonly HitTest[];
  /** The conditions of a visit that reaches it. */
  converted?: Conditions;
  names: readonly SumName[];
  /** The numbers of the visits of the only day, where several breakdowns of it are added up. */
  numbers?: ReadNumbers;
};

const FIRST_SIZE = 1024;

/*
 * What loops over rows or terms stands outside of what is made for a question: V8 drops the compiled code of a function when the last
 * one of its kind is gone, and until it is compiled again it takes several times as long.
 */

function addToTerms(sums: Float64Array, { terms }: Column, ofDay: Float64Array, width: number): void {
  for (let i = 0, code = 0; code < terms.length; code++) {
    const first = (terms[code] as number) * width;
    for (let place = 0; place < width; place++, i++) {
      sums[first + place] = (sums[first + place] as number) + (ofDay[i] as number);
    }
  }
}

/** Adds up some numbers of the selected visits by code, beside how many visits there are. */
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

/** Adds hits of the selected visits to those of their terms. */
function addHits({ hits }: Sums, { terms, codes }: Column, { visits, count }: Selection, ofVisit: ByVisit): void {
  for (let i = 0; i < count; i++) {
    const visit = visits[i] as number;
    const term = terms[codes[visit] as number] as number;
    hits[term] = (hits[term] as number) + (ofVisit[visit] as number);
  }
}

/** Adds up by code for how many seconds hits were seen, and how many hits these are. */
function addTimes(sums: Float64Array, { codes }: Column, { hits, size, seen }: ReturnType<typeof tellingHits>): void {
  for (let i = 0; i < size; i++) {
    const hit = hits[i] as number;
    const place = (codes[hit] as number) * 2;
    sums[place] = (sums[place] as number) + (seen[hit] as number);
    sums[place + 1] = (sums[place + 1] as number) + 1;
  }
}

/** Some sums of each term, side by side; those of a day are added up by code first, as in tally.ts. */
function sumsOfTerms(width: number) {
  let sums = new Float64Array(FIRST_SIZE);
  let ofDay = new Float64Array(0);

  function makeRoom(terms: Column['terms']): void {
    const size = ((terms[terms.length - 1] ?? 0) + 1) * width;
    if (size <= sums.length) return;
    const larger = new Float64Array(2 ** Math.ceil(Math.log2(size)));
    larger.set(sums);
    sums = larger;
  }

  return {
    /** Zeros for the codes of a day. */
    begin({ terms }: Column): Float64Array {
      const size = terms.length * width;
      if (size > ofDay.length) ofDay = new Float64Array(2 * size);
      return ofDay.fill(0, 0, size);
    },
    end(column: Column): void {
      makeRoom(column.terms);
      addToTerms(sums, column, ofDay, width);
    },
    of: (place: number) => (term: number) => sums[term * width + place] ?? 0,
  };
}

/** The numbers of visits that are added up, beside how many visits there are. */
const NUMBERS = {
  bounces: bouncesByVisit,
  seconds: secondsByVisit,
  pageviews: (day, selection, { counted }) => pageviewsByVisit(day, selection, counted),
} satisfies Partial<Record<SumName, (day: Day, selection: Selection, about: About) => ByVisit>>;
type NumberName = keyof typeof NUMBERS;
const WIDTH = 4;

/** Numbers of the visits of a day, each made once. */
export type ReadNumbers = (name: NumberName) => ByVisit;

/** Of all visits and hits. */
export function readNumbers(day: Day): ReadNumbers {
  const made = new Map<NumberName, ByVisit>();
  return (name) => {
    const numbers = made.get(name) ?? NUMBERS[name](day, selectAll(day), { counted: {}, goal: [], names: [] });
    made.set(name, numbers);
    return numbers;
  };
}

/**
 * Adds up numbers of visits. All in one pass, because to add to the same sum again has to wait for the time before, so that a pass for
 * each would take half as long again.
 */
function numbersOfVisits(about: About): Adder {
  const names = (Object.keys(NUMBERS) as NumberName[]).filter((name) => about.names.includes(name));
  const { begin, end, of } = sumsOfTerms(WIDTH);
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

/** Counts the hits that reach the goal, and the visitors of the visits with one. */
function conversionsBy({ goal, converted }: About): Adder {
  const sums = newSums();
  return {
    add(day, column, selection) {
      // Another selection takes its buffer, which whoever comes next still reads.
      const before = selection.visits.slice(0, selection.count);
      const own = converted ? select(day, converted) : NO_VISITS;
      const conversions = hitsByVisit(day, own, matchesOfAny(day, goal));
      tallyVisits(sums, day, column, own);
      addHits(sums, column, own, conversions);
      selection.visits.set(before);
    },
    of: { conversions: (term) => sums.hits[term] ?? 0, converted: (term) => sums.visitors[term] ?? 0 },
  };
}

/** Counts the visits with a pageview of each page: they are the visitors if nobody comes again. */
function visitsOfPages({ counted: { page } }: About): Adder {
  const sums = newSums();
  return {
    add(day, column, selection) {
      const again: Column = { terms: new Uint8Array(0), codes: new Uint8Array(day.totals.visits) };
      const strangers: Day = { ...day, column: (name) => (name === 'again' ? again : day.column(name)) };
      tallyHits(sums, strangers, column, selection, makeMatches(day, { page, event: PAGEVIEW }));
    },
    of: { visits: (term) => sums.visitors[term] ?? 0 },
  };
}

/** Adds up for how many seconds pages were seen, and by how many pageviews this is known: one pass for both. */
function timesOfPages({ counted }: About): Adder {
  const { begin, end, of } = sumsOfTerms(2);
  return {
    add(day, column, selection) {
      const sums = begin(column);
      addTimes(sums, column, tellingHits(day, selection, counted));
      end(column);
    },
    of: { seen: of(0), told: of(1) },
  };
}

type Adders = Partial<Record<SumName, (about: About) => Adder>>;

const OF_VISITS: Adders = {
  visits: numbersOfVisits,
  bounces: numbersOfVisits,
  seconds: numbersOfVisits,
  pageviews: numbersOfVisits,
  conversions: conversionsBy,
  converted: conversionsBy,
};

const OF_PAGES: Adders = { visits: visitsOfPages, seen: timesOfPages, told: timesOfPages };

const ADDERS: Record<Counted, Adders> = {
  visits: OF_VISITS,
  pageviews: OF_PAGES,
  hits: {},
  events: {},
};

/** Adds up the sums that the rows of a breakdown need beside visitors and hits. */
export function rowSums(breakdown: Breakdown, names: readonly SumName[], given: Omit<About, 'names'>) {
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
      Object.fromEntries(names.flatMap((name) => (read[name] ? [[name, listOf(terms, read[name])]] : []))),
  };
}
