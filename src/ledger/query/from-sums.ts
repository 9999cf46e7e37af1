// Answers a query for sealed days from stored sums: totals, rollups and row sums.
//
// Invariant: the counts equal the counts of a scan (test/stats/answers.long.test.ts).
//
// Example: a query for January 10 to March 5 reads 28 rollups: of 22 days in January, of February, and of 5 days in
// March. If a day has no row sums, its columns are read instead. A totals-only day has no columns, so it is listed in
// `leftOut`. measure.ts calls this file.
import type { SealedDay } from '../../catalog/sealed-days.ts';
import {
  addExcluded,
  addTimes,
  addTotals,
  type ExcludedVisits,
  noTimes,
  noTotals,
  type Times,
  type Totals,
} from '../../stats/aggregates.ts';
import type { Breakdown } from '../../stats/dimensions.ts';
import { noKeyCounts } from '../../stats/key-counts.ts';
import { listRevenueSpans, listSpans, type Range } from '../../stats/query.ts';
import { type Amounts, addAmounts } from '../../stats/revenue.ts';
import { listCounts, type TermCounts } from '../count/breakdown.ts';
import type { DistinctSums } from '../count/distinct.ts';
import { addCount, makeMoreSums, makeSums, mapNumbers, type RowCount } from '../count/term-counts.ts';
import type { Day } from '../day/day.ts';
import { type StoredRollup, takeRowsOf } from '../sealed/rollup.ts';
import type { SealedSums } from '../sealed/stored-sums.ts';
import type { DayReader } from './day-reader.ts';
import { type DayPartial, type ScanWork, scan } from './scan.ts';
import { negateSums } from './scan-open.ts';

type SumsScope = { sums: SealedSums; work: ScanWork; ranges: readonly Range[] };

/** Empty values for those counts of a partial that the caller does not make, such as the steps of a funnel. */
export const NOTHING: Pick<
  DayPartial,
  'times' | 'revenue' | 'reached' | 'steps' | 'earned' | 'hours' | 'vitals' | 'journeys' | 'leftOut'
> = {
  times: [],
  revenue: [],
  reached: [],
  steps: [],
  earned: [],
  hours: [],
  vitals: noKeyCounts(),
  journeys: noKeyCounts(),
  leftOut: [],
};

/**
 * Answers a query for sealed days from stored sums. The first result covers all days. Further results correct the
 * counts of days that lack some of the sums. The caller must add these results to the first one.
 */
export function sumRollups(days: DayReader, asked: SumsScope): [DayPartial, ...DayPartial[]] {
  const { query, needs, conditions } = asked.work;
  const { pages } = conditions;
  const lacking: SealedDay[] = [];
  const countIn = (name: Breakdown): RowCount => {
    const count = needs.sums.length === 0 ? listCounts(sumCounts(asked, name), name) : sumRows(asked, name, lacking);
    return pages ? keepRows(count, pages(count.terms)) : count;
  };
  const counts = Object.fromEntries(needs.counts.map((name) => [name, countIn(name)]));
  const spans = listSpans(query);
  const totals = spans.map((span) => addUpTotals(asked, span));
  const times = needs.times ? spans.map((span) => addUpTimes(asked, span, lacking)) : [];
  const revenue = listRevenueSpans(query).map((span) => addUpRevenue(asked, span));
  const partials = countLacking(days, asked, lacking);
  const left = new Set(partials.flatMap(({ leftOut }) => leftOut));
  const untouched = asked.sums.untouched.filter((day) => !left.has(day));
  return [{ ...NOTHING, totals, times, revenue, counts, excluded: asked.sums.excluded, untouched }, ...partials];
}

export function sumCounts({ sums, work, ranges }: SumsScope, name: Breakdown): DistinctSums {
  const counts = makeSums();
  for (const range of ranges) {
    for (const rollup of sums.rollups(name, range)) {
      addCount(counts, takeOwn(rollup, name, work));
    }
  }
  return counts;
}

/**
 * Returns the rows that the query asks for. A rollup of event labels has the rows of all events. A rollup of property
 * values has the rows of all properties.
 */
const takeOwn = (rollup: StoredRollup, name: Breakdown, { event, property }: ScanWork): TermCounts => {
  if (name === 'event_labels') return takeRowsOf(rollup, event);
  return name === 'property_values' ? takeRowsOf(rollup, property) : rollup;
};

/**
 * Returns the parts of `ranges` that lie in `span`. For example, the days 1 to 10 and the span 8 to 20 give the days 8
 * to 10.
 */
const cutRanges = (span: Range, ranges: readonly Range[]): Range[] =>
  ranges
    .map(({ from, to }) => ({ from: Math.max(from, span.from), to: Math.min(to, span.to) }))
    .filter(({ from, to }) => from < to);

/**
 * Adds up the rollups and the row sums of a breakdown. Days without row sums are added to `lacking`, and the caller
 * then reads their columns.
 */
function sumRows({ sums, work, ranges }: SumsScope, name: Breakdown, lacking: SealedDay[]): RowCount {
  const counts = makeSums();
  const more = makeMoreSums();
  for (const range of ranges) {
    for (const row of sums.rows(name, work.needs.sums, range, lacking)) {
      addCount(counts, row);
      more.add(row);
    }
  }
  const count = listCounts(counts, name);
  return { ...count, more: more.of(count.terms) };
}

function addUpTotals({ sums, ranges }: SumsScope, span: Range): Totals {
  const totals = noTotals();
  for (const range of cutRanges(span, ranges)) addTotals(totals, sums.totals(range));
  return totals;
}

function addUpTimes({ sums, ranges }: SumsScope, span: Range, lacking: SealedDay[]): Times {
  const times = noTimes();
  for (const range of cutRanges(span, ranges)) addTimes(times, sums.times(range, lacking));
  return times;
}

function addUpRevenue({ sums, ranges }: SumsScope, span: Range): Amounts {
  const amounts: Amounts = {};
  for (const range of cutRanges(span, ranges)) addAmounts(amounts, sums.revenue(range));
  return amounts;
}

/**
 * Counts the days of `lacking` from their columns, because they lack some stored sums. A totals-only day has no
 * columns, so the answer leaves it out and lists it in `leftOut`. The caller has already added the totals and the
 * excluded visits of all days. For each totals-only day in `lacking`, this function subtracts these sums again.
 */
function countLacking(days: DayReader, { work, ranges }: SumsScope, lacking: readonly SealedDay[]): DayPartial[] {
  if (lacking.length === 0) return [];
  const { siteId } = work.query;
  const ids = new Set(lacking.map(({ id }) => id));
  function* counted(): Generator<Day> {
    for (const { from, to } of ranges) yield* days.sealed(siteId, from, to, ids);
  }
  const withoutHits = new Set(ranges.flatMap(({ from, to }) => days.sumDays(siteId, from, to)));
  const rows = new Map(lacking.filter(({ day }) => withoutHits.has(day)).map((row) => [row.id, row]));
  const totals = listSpans(work.query).map(({ from, to }) => {
    const sums = noTotals();
    for (const row of rows.values()) if (row.day >= from && row.day < to) addTotals(sums, row);
    return negateSums(sums);
  });
  const excluded: ExcludedVisits = {};
  for (const row of rows.values()) addExcluded(excluded, row.excluded ?? {});
  const leftOut = [...new Set([...rows.values()].map(({ day }) => day))];
  const subtracted = negateSums(excluded as Record<number, number>);
  return [{ ...scan(counted(), work), totals, excluded: subtracted, leftOut }];
}

function keepRows({ terms, visitors, hits, more = {} }: RowCount, accepted: Uint8Array): RowCount {
  const own = Uint32Array.from(accepted.keys()).filter((i) => accepted[i] === 1);
  const pick = (list: ArrayLike<number>) => mapNumbers(own, (i) => list[i] ?? 0);
  const sums = Object.entries(more).map(([name, list]) => [name, pick(list)]);
  return { terms: pick(terms), visitors: pick(visitors), hits: pick(hits), more: Object.fromEntries(sums) };
}
