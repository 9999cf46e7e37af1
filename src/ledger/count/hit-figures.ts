// Counts row figures of hits. Row figures are sums for each value of a column, such as the visits and the seconds of
// each page.
//
// Invariant: the sums of several days can be added up. Only hits that pass the test `counted` are included. This test
// comes from the query's filters on hits, such as "host name is shop.example".
//
// Example: page /a has three pageviews in two visits. The page was visible for 12 s, for 30 s, and for an unknown time.
// The page has 2 visits, and 42 s in 2 pageviews with known seconds (`told`). row-figures.ts has the figures of visits,
// and calls this file.
import type { SumName } from '../../stats/metrics.ts';
import type { Column } from '../column/packing.ts';
import type { Day, Selection } from '../day/day.ts';
import { tallyHits } from './distinct.ts';
import { type HitTest, makeMatches, PAGEVIEW } from './hit-filter.ts';
import { addRevenue, type RevenueIn } from './revenue.ts';
import { makeSums } from './term-counts.ts';
import { makeTermSums } from './term-sums.ts';
import { listToldHits, type ToldHits } from './time-on-page.ts';

/** Adds up sums of several days by term. After the last day, `of.bounces(12)` returns the bounces of term 12. */
export type Adder = {
  add(day: Day, column: Column, selection: Selection): void;
  of: Partial<Record<SumName, (term: number) => number>>;
};

type HitScope = { counted: HitTest; revenue?: RevenueIn | undefined };
type HitAdders = Partial<Record<SumName, (about: HitScope) => Adder>>;

const sumPageVisits = (about: HitScope): Adder => sumVisitsWithHit(about, PAGEVIEW);
const sumHitVisits = (about: HitScope): Adder => sumVisitsWithHit(about, undefined);

/**
 * Counts the visits with at least one hit of each value, such as a pageview of each page. `tallyHits` counts visitors.
 * The column `again` has a 1 for a visit whose visitor had an earlier visit. Here, `again` is replaced by zeros. Each
 * visit then looks like a visitor of its own, so `tallyHits` counts visits.
 */
function sumVisitsWithHit({ counted: { where } }: HitScope, event: HitTest['event']): Adder {
  const sums = makeSums();
  return {
    add(day, column, selection) {
      const again: Column = { terms: new Uint8Array(0), codes: new Uint8Array(day.totals.visits) };
      const strangers: Day = { ...day, column: (name) => (name === 'again' ? again : day.column(name)) };
      tallyHits(sums, strangers, column, selection, makeMatches(day, { where, event }));
    },
    of: { visits: (term) => sums.visitors[term] ?? 0 },
  };
}

/** Counts the pageviews among the hits of each value, such as each host name. */
function sumPageviewsOfHits({ counted: { where } }: HitScope): Adder {
  const sums = makeSums();
  return {
    add: (day, column, selection) =>
      tallyHits(sums, day, column, selection, makeMatches(day, { where, event: PAGEVIEW })),
    of: { pageviews: (term) => sums.hits[term] ?? 0 },
  };
}

/** Adds up the revenue of the hits of each value, such as each event, in one currency. */
function sumHitRevenue({ counted, revenue }: HitScope): Adder {
  const { begin, end, of } = makeTermSums(1);
  return {
    add(day, column, selection) {
      if (!revenue) return;
      const sums = begin(column);
      addRevenue(sums, 'hits', day, column, selection, { ...revenue, test: counted });
      end(column);
    },
    of: { revenue: of(0) },
  };
}

/** Adds up the visible seconds of each page (`seen`), and counts the pageviews with known seconds (`told`). */
function sumPageTimes({ counted }: HitScope): Adder {
  const { begin, end, of } = makeTermSums(2);
  return {
    add(day, column, selection) {
      const sums = begin(column);
      addTold(sums, column, listToldHits(day, selection, counted, 'engaged'));
      end(column);
    },
    of: { seen: of(0), told: of(1) },
  };
}

/**
 * Adds up the depths of each page in percent (`depth`), and counts the pageviews with a known depth (`scrolled`). The
 * column has each depth plus one, so the count is subtracted from the sum.
 */
function sumPageDepths({ counted }: HitScope): Adder {
  const { begin, end, of } = makeTermSums(2);
  const [packed, scrolled] = [of(0), of(1)];
  return {
    add(day, column, selection) {
      const sums = begin(column);
      addTold(sums, column, listToldHits(day, selection, counted, 'scroll'));
      end(column);
    },
    of: { depth: (term) => packed(term) - scrolled(term), scrolled },
  };
}

export const OF_PAGEVIEWS: HitAdders = {
  visits: sumPageVisits,
  seen: sumPageTimes,
  told: sumPageTimes,
  depth: sumPageDepths,
  scrolled: sumPageDepths,
};

export const OF_ANY_HITS: HitAdders = { visits: sumHitVisits, pageviews: sumPageviewsOfHits, revenue: sumHitRevenue };

/**
 * Adds up one figure of the pageviews of each page, such as their visible seconds, and counts these pageviews. `sums`
 * has two entries for each page: the sum and the count.
 */
function addTold(sums: Float64Array, { codes }: Column, { hits, size, numbers }: ToldHits): void {
  for (let i = 0; i < size; i++) {
    const hit = hits[i] as number;
    const place = (codes[hit] as number) * 2;
    sums[place] = (sums[place] as number) + (numbers[hit] as number);
    sums[place + 1] = (sums[place + 1] as number) + 1;
  }
}
