// A scan counts days by their columns. A scan selects visits by the filters, then counts what the plan needs.
// Invariant: the counts of days and shards add up. A visitor code is valid for one day, and each visitor is in one
// shard.
// Example: a shard of 25,000 visits was counted, and 20 hits have come since. Their visitors had 12 visits before and
// have 20 visits now. The stored counts are used again. Only the 12 old visits are scanned and subtracted, and the 20
// new visits are scanned and added.
// Called by measure.ts and from-sums.ts.

import {
  addExcluded,
  addTimes,
  addTotals,
  type ExcludedVisits,
  type HourLists,
  noTimes,
  noTotals,
  type Times,
  type Totals,
} from '../../stats/aggregates.ts';
import type { Breakdown } from '../../stats/dimensions.ts';
import { listSpans, type Query, type Range } from '../../stats/query.ts';
import type { Exclusion } from '../../store/sites/exclusions.ts';
import { addDay, listCounts } from '../count/breakdown.ts';
import { type DistinctSums, emptySums } from '../count/distinct.ts';
import { makeReducer, type Reducer } from '../count/exclude.ts';
import {
  addHitTests,
  type Conditions,
  hasOnlyPages,
  isUnfiltered,
  makeConditions,
  makeHitTests,
} from '../count/filters.ts';
import { addSteps, makeStep, type Step } from '../count/funnel.ts';
import type { HitTest } from '../count/hit-filter.ts';
import { countHours } from '../count/hours.ts';
import { rowSums } from '../count/row-figures.ts';
import { select } from '../count/select.ts';
import { makeSums, type RowCount } from '../count/term-counts.ts';
import { only, UNKNOWN_TERM } from '../count/term-filter.ts';
import { sumTimes } from '../count/time-on-page.ts';
import { addReached, countTotals, selectForFunnel } from '../count/totals.ts';
import type { Day } from '../day/day.ts';
import { findChanges, type OpenDay } from '../open/open-day.ts';
import type { Texts } from '../rows/terms.ts';
import { type Needs, planNeeds } from './plan.ts';

/**
 * The counts of some days. Threads return partials, which are added up at the end. Rows have terms in place of texts.
 */
export type DayPartial = {
  totals: Totals[];
  times: Times[];
  counts: Partial<Record<Breakdown, RowCount>>;
  /**
   * Visitors and hits of each goal that stands for many pages, such as /blog/*. Goals for one page are read from
   * `counts`.
   */
  reached: { visitors: number; hits: number }[];
  steps: number[];
  hours: HourLists[];
  leftOut: number[];
  excluded: ExcludedVisits;
  untouched: number[];
};

/** A query that is ready for scanning, with terms in place of texts. */
export type ScanWork = {
  query: Query;
  needs: Needs;
  event: number;
  conditions: Conditions;
  steps: Step[];
  /** A hit that passes one of these tests is a conversion. Empty if the query does not ask for conversions. */
  goal: HitTest[];
  /**
   * Selects the visits with a hit on the first step of a funnel, because other visitors reach no step. Undefined if the
   * query has filters.
   */
  firstStep: Conditions | undefined;
  /** Selects the visits that reach the goal. Used only for the conversions of each row. */
  converted: Conditions;
  /** One test for each goal that stands for many pages, such as /blog/*. */
  goals: HitTest[];
  reducer: Reducer;
};

/** Counts what a query needs. `known` has counts from stored sums, which are not counted again. */
export function scan(days: Iterable<Day>, work: ScanWork, known = OF_DAYS): DayPartial {
  const { query, needs, conditions, steps, firstStep, goal, converted, goals, reducer } = work;
  const { narrowing } = conditions;
  // In most reports, a filter by page also limits which hits count. The report of goals counts all hits of a selected
  // visit. With the filter "page is /home", a hit on the goal /buy counts.
  const counted = query.report === 'goals' ? {} : { ...narrowing, event: only(work.event) };
  const counts = needs.counts.map((name) => ({
    name,
    isKnown: known.counts[name] !== undefined,
    sums: known.counts[name] ?? makeSums(),
    more: rowSums(name, needs.sums, { counted, goal, converted }),
  }));
  const spans = listSpans(query);
  const totals = spans.map(noTotals);
  const times = spans.map(noTimes);
  const stepsReached = steps.map(() => 0);
  const goalSums = goals.map(() => emptySums(1));
  const hours: HourLists[] = [];
  const excluded: ExcludedVisits = {};
  const haveTotals = known.totals && isUnfiltered(conditions);
  // If pages are the only filter, every visit with a hit on these pages is selected. So all pageviews of these pages
  // count, and no visit needs to be read.
  const pages = hasOnlyPages(conditions) ? conditions.pages : undefined;

  function scanDay(whole: Day): void {
    const { day, excluded: ofDay } = reducer.reduce(whole);
    addExcluded(excluded, ofDay);
    const selection = firstStep ? selectForFunnel(day, firstStep) : select(day, conditions);
    if (selection.count === 0) return;
    if (spans.length > 0) {
      const isKnown = haveTotals && day === whole;
      const sums = isKnown ? day.totals : countTotals(day, { selection, narrowing, pages }, needs.totals);
      addToSpans(totals, spans, day.day, sums, addTotals);
    }
    if (needs.times) addToSpans(times, spans, day.day, sumTimes(day, selection, narrowing), addTimes);
    for (const { name, isKnown, sums, more } of counts) {
      if (!isKnown) addDay(sums, day, name, selection, counted);
      more.add(day, selection);
    }
    addReached(goalSums, day, selection, goals);
    addSteps(day, selection, steps, stepsReached);
    if (needs.hours) hours.push(countHours(day, selection, narrowing, needs.hours));
  }

  for (const day of days) scanDay(day);
  const countFor = ({ name, sums, more }: (typeof counts)[number]): [Breakdown, RowCount] => {
    const count = listCounts(sums, name);
    return [name, { ...count, more: more.of(count.terms) }];
  };
  return {
    totals,
    times,
    counts: Object.fromEntries(counts.map(countFor)),
    reached: goalSums.map(({ visitors, hits }) => ({ visitors: visitors[0] ?? 0, hits: hits[0] ?? 0 })),
    steps: stepsReached,
    hours,
    leftOut: [],
    excluded,
    untouched: [],
  };
}

/**
 * Counts an open day. Each shard is counted once, and its counts are kept. The next query subtracts the visits of
 * visitors with new hits as they were before (`lost`). Then it adds their visits as they are now (`found`).
 */
export function scanOpen(large: OpenDay, work: ScanWork, checkpoint: () => void): DayPartial[] {
  const { lost, found } = findChanges(large);
  const counted = countShards(large, work, checkpoint);
  forgetOld(large);
  const changed = found.length === 0 ? [] : [negateCounts(scan(lost, work, NOTHING)), scan(found, work, NOTHING)];
  return [...counted, ...changed];
}

export function prepareWork(query: Query, texts: Texts, exclusions: readonly Exclusion[] = []): ScanWork {
  const needs = planNeeds(query);
  const { event = '', goal: target = undefined } = query.report === 'breakdown' ? query : {};
  const conditions = makeConditions(query.filters, texts);
  const [first] = needs.steps;
  const goal = target ? makeHitTests([target], texts) : [];
  return {
    query,
    needs,
    event: texts.findTerm(event) ?? UNKNOWN_TERM,
    conditions,
    steps: needs.steps.map((step) => makeStep(step, texts)),
    goal,
    firstStep:
      first && isUnfiltered(conditions) ? addHitTests(conditions, makeHitTests([first], texts), first) : undefined,
    converted: addHitTests(conditions, goal, target),
    goals: needs.reached.flatMap((one) => makeHitTests([one], texts)),
    reducer: makeReducer(exclusions, texts),
  };
}

function addToSpans<Sum>(
  sums: Sum[],
  spans: readonly Range[],
  day: number,
  more: Sum,
  add: (sum: Sum, more: Sum) => void,
): void {
  for (const [i, { from, to }] of spans.entries()) {
    if (day >= from && day < to) add(sums[i] as Sum, more);
  }
}

/**
 * What a scan need not count. `totals` is true if the stored totals of a day can be used. `counts` has breakdowns from
 * stored sums.
 */
type Known = { totals: boolean; counts: Partial<Record<Breakdown, DistinctSums>> };
const OF_DAYS: Known = { totals: true, counts: {} };
const NOTHING: Known = { totals: false, counts: {} };

export const negateSums = <Sums extends Record<string, number>>(sums: Sums): Sums =>
  Object.fromEntries(Object.entries(sums).map(([name, sum]) => [name, -sum])) as Sums;

/** Changes the sign of all counts, so that adding them subtracts. */
function negateCounts({ totals, times, counts, reached, steps, hours, excluded }: DayPartial): DayPartial {
  const less = (list: ArrayLike<number>): number[] => Array.from(list, (count) => -count);
  const named = Object.entries(counts).map(([name, { terms, visitors, hits, more = {} }]) => [
    name,
    {
      terms,
      visitors: less(visitors),
      hits: less(hits),
      more: Object.fromEntries(Object.entries(more).map(([sum, list]) => [sum, less(list)])),
    },
  ]);
  return {
    totals: totals.map(negateSums),
    times: times.map(negateSums),
    counts: Object.fromEntries(named),
    reached: reached.map(negateSums),
    steps: less(steps),
    hours: hours.map((one) => ({
      ...one,
      visitors: less(one.visitors),
      arrivals: less(one.arrivals),
      pageviews: less(one.pageviews),
    })),
    leftOut: [],
    excluded: negateSums(excluded as Record<number, number>),
    untouched: [],
  };
}

/**
 * An open day keeps counts for later queries (see `countShards`). Over all queries together, these are at most
 * 3,000,000 numbers, and at most 16 for each visit of the day. Beyond that, the oldest queries are forgotten.
 */
const MAX_KEPT = 3_000_000;
const PER_VISIT = 16;
/**
 * The counts of one shard for one query count as at least this many numbers. Otherwise thousands of queries with few
 * counts would take too much memory.
 */
const LEAST = 2_000;

function estimateSize({ counts }: DayPartial): number {
  const lists = Object.values(counts).map(({ terms, more = {} }) => terms.length * (3 + Object.keys(more).length));
  return lists.reduce((sum, size) => sum + size, LEAST);
}

/**
 * Counts each shard of an open day without its delta. `answers` keeps the counts for later queries. If this query is
 * stopped, the counted shards stay, so the next try is faster.
 */
function countShards({ day, shards, answers }: OpenDay, work: ScanWork, checkpoint: () => void): DayPartial[] {
  const key = JSON.stringify([work.reducer.nameExclusions(day), work.query]);
  const known = answers.get(key) ?? new Map<number, unknown>();
  answers.delete(key);
  answers.set(key, known);
  const counted = shards.map(({ id, delta }) => {
    checkpoint();
    const partial = (known.get(id) as DayPartial | undefined) ?? scan([delta.base], work);
    known.set(id, partial);
    return partial;
  });
  const ids = new Set(shards.map(({ id }) => id));
  for (const id of known.keys()) if (!ids.has(id)) known.delete(id);
  return counted;
}

/**
 * Deletes the counts of the queries that were asked longest ago, to limit the memory. Test:
 * test/ledger/open/open-day.test.ts.
 */
function forgetOld({ shards, answers }: OpenDay): void {
  const visits = shards.reduce((sum, { delta }) => sum + delta.base.totals.visits, 0);
  let kept = 0;
  for (const [key, known] of [...answers].reverse()) {
    for (const partial of known.values()) kept += estimateSize(partial as DayPartial);
    if (kept > Math.min(MAX_KEPT, visits * PER_VISIT)) answers.delete(key);
  }
}
