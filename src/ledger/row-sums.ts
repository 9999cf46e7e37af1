import { BREAKDOWNS, type Breakdown, type Counted, DIMENSIONS } from '../stats/dimensions.ts';
import type { SumName } from '../stats/metrics.ts';
import { type ByVisit, bouncesByVisit, hitsByVisit, pageviewsByVisit, secondsByVisit } from './by-visit.ts';
import type { Column } from './columns.ts';
import { listOf, type MoreSums, newSums } from './counts.ts';
import type { Day } from './day.ts';
import { type HitTest, matchesOf, matchesOfAny, PAGEVIEW } from './hit-test.ts';
import { selectWhere } from './select.ts';
import { everyVisit, makeRoom, type Selection, tallyHits, tallyVisits } from './tally.ts';
import { tellingHits } from './times.ts';

/** Adds up something of days by the terms of a column. */
type Adder = {
  add(day: Day, column: Column, selection: Selection): void;
  of: Partial<Record<SumName, (term: number) => number>>;
};

/** What the sums are about: the hits that count, what reaches the goal, and which sums are needed. */
type About = {
  counted: HitTest;
  goal: readonly HitTest[];
  names: readonly SumName[];
  /** The numbers of the visits of the only day, where several breakdowns of it are added up. */
  numbers?: NumbersOf;
};

const FIRST_SIZE = 1024;

function withRoom(sums: Float64Array, { terms }: Column, width = 1): Float64Array {
  const largest = (terms[terms.length - 1] ?? 0) * width + width - 1;
  if (largest < sums.length) return sums;
  const larger = new Float64Array(2 ** Math.ceil(Math.log2(largest + 1)));
  larger.set(sums);
  return larger;
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
export type NumbersOf = (name: NumberName) => ByVisit;

/** Of all visits and hits. */
export function numbersOf(day: Day): NumbersOf {
  const made = new Map<NumberName, ByVisit>();
  return (name) => {
    const numbers = made.get(name) ?? NUMBERS[name](day, everyVisit(day), { counted: {}, goal: [], names: [] });
    made.set(name, numbers);
    return numbers;
  };
}

/**
 * Adds up numbers of visits. All in one pass, with the sums of a term side by side: to add to the same sum again has to wait for the
 * time before, so that a pass for each would take half as long again.
 */
function numbersOfVisits(about: About): Adder {
  let sums: Float64Array = new Float64Array(FIRST_SIZE);
  const ofVisit = (place: number) => (term: number) => sums[term * WIDTH + place] ?? 0;
  return {
    add(day, column, selection) {
      sums = withRoom(sums, column, WIDTH);
      const none = new Uint8Array(day.totals.visits);
      const numbers = about.numbers ?? ((name) => NUMBERS[name](day, selection, about));
      const listOf = (name: NumberName): ByVisit => (about.names.includes(name) ? numbers(name) : none);
      const [bounces, seconds, pageviews] = [listOf('bounces'), listOf('seconds'), listOf('pageviews')];
      const { terms, codes } = column;
      const { visits, count } = selection;
      for (let i = 0; i < count; i++) {
        const visit = visits[i] as number;
        const place = (terms[codes[visit] as number] as number) * WIDTH;
        sums[place] = (sums[place] as number) + 1;
        sums[place + 1] = (sums[place + 1] as number) + (bounces[visit] as number);
        sums[place + 2] = (sums[place + 2] as number) + (seconds[visit] as number);
        sums[place + 3] = (sums[place + 3] as number) + (pageviews[visit] as number);
      }
    },
    of: { visits: ofVisit(0), bounces: ofVisit(1), seconds: ofVisit(2), pageviews: ofVisit(3) },
  };
}

/** Counts the hits that reach the goal, and the visitors of the visits with one: one pass for both. */
function conversionsBy({ goal }: About): Adder {
  const sums = newSums();
  return {
    add(day, column, { visits, count }) {
      makeRoom(sums, column.terms);
      const { terms, codes } = column;
      const selection = { visits: visits.slice(0, count), count };
      const conversions = hitsByVisit(day, selection, matchesOfAny(day, goal));
      const converted = selectWhere(selection, (visit) => conversions[visit] !== 0);
      tallyVisits(sums, day, column, converted);
      for (let i = 0; i < converted.count; i++) {
        const visit = converted.visits[i] as number;
        const term = terms[codes[visit] as number] as number;
        sums.hits[term] = (sums.hits[term] as number) + (conversions[visit] as number);
      }
      sums.visitsBefore += day.totals.visits;
    },
    of: { conversions: (term) => sums.hits[term] ?? 0, converted: (term) => sums.visitors[term] ?? 0 },
  };
}

/** Counts the visits with a pageview of each page: they are the visitors if nobody comes again. */
function visitsOfPages({ counted: { page } }: About): Adder {
  const sums = newSums();
  return {
    add(day, column, selection) {
      makeRoom(sums, column.terms);
      const again: Column = { terms: new Uint8Array(0), codes: new Uint8Array(day.totals.visits) };
      const strangers: Day = { ...day, column: (name) => (name === 'again' ? again : day.column(name)) };
      tallyHits(sums, strangers, column, selection, matchesOf(day, { page, event: PAGEVIEW }));
      sums.visitsBefore += day.totals.visits;
    },
    of: { visits: (term) => sums.visitors[term] ?? 0 },
  };
}

/** Adds up for how many seconds pages were seen, and by how many pageviews this is known: one pass for both. */
function timesOfPages({ counted }: About): Adder {
  let seconds: Float64Array = new Float64Array(FIRST_SIZE);
  let pageviews: Float64Array = new Float64Array(FIRST_SIZE);
  return {
    add(day, column, selection) {
      seconds = withRoom(seconds, column);
      pageviews = withRoom(pageviews, column);
      const { terms, codes } = column;
      const { hits, size, seen } = tellingHits(day, selection, counted);
      for (let i = 0; i < size; i++) {
        const hit = hits[i] as number;
        const term = terms[codes[hit] as number] as number;
        seconds[term] = (seconds[term] as number) + (seen[hit] as number);
        pageviews[term] = (pageviews[term] as number) + 1;
      }
    },
    of: { seen: (term) => seconds[term] ?? 0, told: (term) => pageviews[term] ?? 0 },
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
