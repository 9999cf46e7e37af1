// Scans days: selects the visits that pass the filters, and then counts what the query needs, from the columns.
//
// Invariant: the counts of days and shards can be added up. A visitor code is valid for one day, and each visitor is in
// one shard.
//
// Example: the filter "country is Spain" selects 300 of 1,000 visits of a day. For a report of pages, the pageviews of
// these 300 visits are counted by page. measure.ts and from-sums.ts call this file. scan-open.ts calls it to count an
// open day.

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
import { type Breakdown, type DerivedBreakdown, isStored } from '../../stats/dimensions.ts';
import { type KeyCounts, listKeyCounts } from '../../stats/key-counts.ts';
import { findTableCut, listSpans, type Query, type Range } from '../../stats/query.ts';
import type { Amounts } from '../../stats/revenue.ts';
import type { Exclusion } from '../../store/sites/exclusions.ts';
import { addDay, listCounts } from '../count/breakdown.ts';
import { type ReadValues, readBreakdown } from '../count/breakdown-columns.ts';
import { type Conditions, hasOnlyPages, isUnfiltered } from '../count/conditions.ts';
import { type DistinctSums, emptySums } from '../count/distinct.ts';
import { makeReducer, type Reducer } from '../count/exclude.ts';
import { addHitTests, makeConditions, makeHitTests } from '../count/filters.ts';
import { addSteps, makeStep, type Step } from '../count/funnel.ts';
import type { HitTest } from '../count/hit-filter.ts';
import { countHours } from '../count/hours.ts';
import { countJourneys, type JourneyWork, prepareJourneys } from '../count/journeys.ts';
import { makeRevenueReader, type RevenueIn } from '../count/revenue.ts';
import { rowSums } from '../count/row-figures.ts';
import { select } from '../count/select.ts';
import { addCount, makeSums, type RowCount } from '../count/term-counts.ts';
import { only, UNKNOWN_TERM } from '../count/term-filter.ts';
import { sumTimes } from '../count/time-on-page.ts';
import { addReached, countTotals, selectForFunnel } from '../count/totals.ts';
import { countVitals } from '../count/vitals.ts';
import { dayUntil } from '../day/as-of.ts';
import { type Day, type Selection, selectAll } from '../day/day.ts';
import type { Texts } from '../rows/terms.ts';
import { listNeeds, type Needs } from './needs.ts';
import { makeRevenueCounter } from './revenue-counter.ts';
import type { TableCount } from './table-count.ts';
import { makeTableCounter } from './table-counter.ts';

/**
 * The counts of some days. Threads return partials, which are added up at the end. Rows have terms in place of texts.
 */
export type DayPartial = {
  totals: Totals[];
  times: Times[];
  /** The revenue of each span, by currency. */
  revenue: Amounts[];
  counts: Partial<Record<Breakdown, RowCount>>;
  /**
   * Visitors and hits of each goal that stored sums cannot count (`needsHits`). For example, the goal /blog/* stands
   * for many pages. If the visitors of these pages were added up, some visitors would count twice. All other goals are
   * read from `counts`.
   */
  reached: { visitors: number; hits: number }[];
  steps: number[];
  /**
   * For goals, the revenue of each goal. For a funnel, one amount: the revenue of the hits that reached its last step.
   */
  earned: number[];
  hours: HourLists[];
  vitals: KeyCounts;
  journeys: KeyCounts;
  /** The rows of a table. Set only if the query asks for a table. */
  table?: TableCount;
  leftOut: number[];
  excluded: ExcludedVisits;
  untouched: number[];
};

/** A query that is ready for scanning, with terms in place of texts. */
export type ScanWork = {
  query: Query;
  needs: Needs;
  event: number;
  /** The term of the property whose values are counted. */
  property: number;
  /**
   * Reads the columns with the values of the breakdowns to count. There is one entry for each name in `needs.counts`.
   */
  readValues: readonly ReadValues[];
  conditions: Conditions;
  steps: Step[];
  /**
   * Tests for conversions. A hit that passes one of these tests is a conversion. Empty if the query does not ask for
   * conversions.
   */
  goal: HitTest[];
  /**
   * The conditions of visits with a hit on the first step of a funnel. A visitor without such a visit reaches no step.
   * Undefined if the query asks for no funnel, has filters, or asks for revenue.
   */
  firstStep: Conditions | undefined;
  /** Selects the visits that reach the goal of a breakdown or table. Used only for the conversions of each row. */
  converted: Conditions;
  /** One test for each goal in `reached`, such as /blog/*. */
  goals: HitTest[];
  /** One test for each goal whose revenue the query asks for. */
  earning: HitTest[];
  /** The currency of the revenue. Undefined if the query does not ask for revenue. */
  revenue: RevenueIn | undefined;
  /**
   * How to count what visits saw after the root, or before the root. The root is the page or event at which a journey
   * begins. Undefined if the query does not ask for journeys.
   */
  journeys: JourneyWork | undefined;
  reducer: Reducer;
  texts: Texts;
};

/** Counts what a query needs. `known` has counts from stored sums, which are not counted again. */
export function scan(days: Iterable<Day>, work: ScanWork, known = OF_DAYS): DayPartial {
  const { query, needs, readValues, conditions, steps, firstStep, goal, converted, goals, revenue } = work;
  const { narrowing } = conditions;
  const counted = findCounted(work);
  const counts = needs.counts.map((name, i) => ({
    ...{ name, read: readValues[i] as ReadValues, hasMore: needs.sums.length > 0 },
    ...{ isKnown: known.counts[name] !== undefined, sums: known.counts[name] ?? makeSums() },
    more: rowSums(name, needs.sums, { counted, goal, converted, revenue }),
  }));
  const spans = listSpans(query);
  const [totals, times] = [spans.map(noTotals), spans.map(noTimes)];
  const money = makeRevenueCounter(work);
  const [stepsReached, goalSums] = [steps.map(() => 0), goals.map(() => emptySums(1))];
  const hours: HourLists[] = [];
  const [vitals, journeys] = [new Map<number, number>(), new Map<number, number>()];
  const table = startTable(work, counted);
  const excluded: ExcludedVisits = {};
  const haveTotals = known.totals && isUnfiltered(conditions);
  // If pages are the only filter, every visit with a hit on these pages is selected. All pageviews of these pages then
  // count, so `countTotals` adds them up without reading visits.
  const pages = hasOnlyPages(conditions) ? conditions.pages : undefined;

  function scanDay(whole: Day): void {
    const { day, excluded: ofDay } = reduceDay(work, whole);
    addExcluded(excluded, ofDay);
    const selection = firstStep ? selectForFunnel(day, firstStep) : select(day, conditions);
    if (selection.count === 0) return;
    if (spans.length > 0) {
      const isKnown = haveTotals && day === whole;
      const sums = isKnown ? day.totals : countTotals(day, { selection, narrowing, pages }, needs.totals);
      addToSpans(totals, spans, day.day, sums, addTotals);
    }
    if (needs.times) addToSpans(times, spans, day.day, sumTimes(day, selection, narrowing), addTimes);
    const isAll = day === whole && isUnfiltered(conditions);
    for (const rows of counts) addRows(rows, day, { selection, counted, isAll });
    addReached(goalSums, day, selection, goals);
    const listLastHits = addSteps(day, selection, steps, stepsReached);
    money.add(day, selection, listLastHits);
    if (needs.vitals) countVitals(vitals, day, selection, { narrowing, by: needs.vitals });
    if (work.journeys) countJourneys(journeys, day, selection, work.journeys);
    table?.add(day, selection);
    if (needs.hours) hours.push(countHours(day, selection, narrowing, needs.hours));
  }

  for (const day of days) scanDay(day);
  return {
    totals,
    times,
    revenue: money.revenue,
    counts: Object.fromEntries(counts.map(listRowCount)),
    reached: goalSums.map(listReached),
    steps: stepsReached,
    earned: money.earned,
    hours,
    vitals: listKeyCounts(vitals),
    journeys: listKeyCounts(journeys),
    ...(table && { table: table.list() }),
    leftOut: [],
    excluded,
    untouched: [],
  };
}

type CountedRows = {
  name: Breakdown;
  read: ReadValues;
  isKnown: boolean;
  sums: DistinctSums;
  hasMore: boolean;
  more: ReturnType<typeof rowSums>;
};

/** Adds a day to the rows of a breakdown. `isAll` is true if all visits of the day count. */
function addRows(
  { name, read, isKnown, sums, hasMore, more }: CountedRows,
  day: Day,
  { selection, counted, isAll }: { selection: Selection; counted: HitTest; isAll: boolean },
): void {
  const isCounted = isKnown || (isAll && !isStored(name) && addKept(sums, day, name, read));
  if (isCounted && !hasMore) return;
  for (const { column, where = [] } of read(day)) {
    const own = where.length === 0 ? counted : { ...counted, where: [...(counted.where ?? []), ...where] };
    if (!isCounted) addDay(sums, day, { breakdown: name, column }, selection, own);
    more.add(day, column, selection);
  }
}

/**
 * Adds the counts of all visits of a day to a derived breakdown, such as channels. A derived breakdown is computed from
 * other columns, and has no stored sums. For this reason, its counts for a sealed day are cached. Returns false, and
 * adds nothing, for a day without this cache, such as an open day.
 */
function addKept(sums: DistinctSums, day: Day, breakdown: DerivedBreakdown, read: ReadValues): boolean {
  const kept = day.derived?.(breakdown, () => {
    const own = makeSums();
    for (const { column } of read(day)) addDay(own, day, { breakdown, column }, selectAll(day));
    return listCounts(own, breakdown);
  });
  if (kept) addCount(sums, kept);
  return kept !== undefined;
}

/** Leaves out excluded visits. If a table counts its last day only until a certain time, also leaves out later hits. */
function reduceDay({ query, reducer }: ScanWork, whole: Day): ReturnType<Reducer['reduce']> {
  const { day, excluded } = reducer.reduce(whole);
  const cut = findTableCut(query);
  return { day: cut?.day === day.day ? dayUntil(day, cut.until) : day, excluded };
}

/**
 * Returns the test that a hit must pass to count. In most reports, a filter by page also limits which hits count. A
 * breakdown of one event counts only hits of this event. The report of goals counts all hits of a selected visit. For
 * example, with the filter "page is /home", a hit on the goal /buy counts.
 */
function findCounted({ query, conditions: { narrowing }, event }: ScanWork): HitTest {
  if (query.report === 'goals') return {};
  return query.report === 'breakdown' && query.event !== undefined ? { ...narrowing, event: only(event) } : narrowing;
}

function startTable({ query, needs, goal, converted, revenue, texts }: ScanWork, counted: HitTest) {
  if (query.report !== 'table') return undefined;
  return makeTableCounter(query, needs.sums, { counted, goal, converted, revenue }, texts);
}

const listReached = ({ visitors, hits }: DistinctSums) => ({ visitors: visitors[0] ?? 0, hits: hits[0] ?? 0 });

function listRowCount({ name, sums, more }: Pick<CountedRows, 'name' | 'sums' | 'more'>): [Breakdown, RowCount] {
  const count = listCounts(sums, name);
  return [name, { ...count, more: more.of(count.terms) }];
}

export function prepareWork(query: Query, texts: Texts, exclusions: readonly Exclusion[] = []): ScanWork {
  const needs = listNeeds(query);
  const { event = '', property = '' } = query.report === 'breakdown' ? query : {};
  const target = query.report === 'breakdown' || query.report === 'table' ? query.goal : undefined;
  const conditions = makeConditions(query.filters, texts);
  const [first] = needs.steps;
  const goal = target ? makeHitTests([target], texts) : [];
  return {
    query,
    needs,
    event: texts.findTerm(event) ?? UNKNOWN_TERM,
    property: texts.findTerm(property) ?? UNKNOWN_TERM,
    readValues: needs.counts.map((name) => readBreakdown(name, property, texts)),
    conditions,
    steps: needs.steps.map((step) => makeStep(step, texts)),
    goal,
    // With `firstStep`, a scan of a funnel skips visits that cannot reach a step. A query for revenue reads all visits,
    // because a notice names every other currency in which visits have revenue.
    firstStep:
      first && query.currency === undefined && isUnfiltered(conditions)
        ? addHitTests(conditions, makeHitTests([first], texts), first)
        : undefined,
    converted: addHitTests(conditions, goal, target),
    goals: needs.reached.flatMap((one) => makeHitTests([one], texts)),
    earning: needs.earning.flatMap((one) => makeHitTests([one], texts)),
    revenue: query.currency === undefined ? undefined : { read: makeRevenueReader(texts), currency: query.currency },
    journeys: query.report === 'journeys' ? prepareJourneys(query, conditions, texts) : undefined,
    reducer: makeReducer(exclusions, texts),
    texts,
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
 * What is already known, so that a scan need not count it. `totals` is true if the stored totals of a day can be used.
 * `counts` has the counts of breakdowns from stored sums.
 */
export type Known = { totals: boolean; counts: Partial<Record<Breakdown, DistinctSums>> };
const OF_DAYS: Known = { totals: true, counts: {} };
