// This file answers a query for sealed (past) days from stored sums, without reading hits. The sums are the totals of
// days, and rollups: the counts of each page, country and so on of a day or a month. Days also have other sums of these
// rows, such as the bounces of each country.
// Invariant: the counts equal those of a scan of the columns (test/stats/answers.test.ts).
//
// Example: a query is for January 10 to March 5. It reads the rollups of 22 days in January, of the month of February,
// and of 5 days in March. Their visitors are added up, because a visitor code is valid for one day only. Some older
// days have no sums such as bounces. Their columns are read instead. A day without hits has no columns, so it is named
// in `leftOut`.
// Called by measure.ts.
import type { SealedDay } from '../../catalog/sealed-days.ts';
import { addTimes, addTotals, noTimes, noTotals, type Times, type Totals } from '../../stats/aggregates.ts';
import type { Breakdown } from '../../stats/dimensions.ts';
import { listSpans, type Range } from '../../stats/query.ts';
import { listCounts } from '../count/breakdown.ts';
import type { DistinctSums } from '../count/distinct.ts';
import { addCount, makeMoreSums, makeSums, mapNumbers, type RowCount } from '../count/term-counts.ts';
import type { Day } from '../day/day.ts';
import { takeLabels } from '../sealed/rollup.ts';
import type { SealedSums } from '../sealed/stored-sums.ts';
import type { DayReader } from './day-reader.ts';
import { type DayPartial, negateSums, type ScanWork, scan } from './scan.ts';

type SumsScope = { sums: SealedSums; work: ScanWork; ranges: readonly Range[] };

/**
 * Empty lists for the counts that stored sums do not have, such as the steps of a funnel. Queries for these counts read
 * hits instead.
 */
export const NOTHING: Pick<DayPartial, 'times' | 'reached' | 'steps' | 'hours' | 'leftOut'> = {
  times: [],
  reached: [],
  steps: [],
  hours: [],
  leftOut: [],
};

/**
 * Answers a query for sealed (past) days from stored sums. The first result covers all days. The other results are
 * added to it. They correct the first result for days that lack some of the sums.
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
  const partials = countLacking(days, asked, lacking);
  const left = new Set(partials.flatMap(({ leftOut }) => leftOut));
  const untouched = asked.sums.untouched.filter((day) => !left.has(day));
  return [{ ...NOTHING, totals, times, counts, excluded: asked.sums.excluded, untouched }, ...partials];
}

/**
 * Adds up the stored counts (rollups) of one list, such as pages, over all days of the ranges. Rollups are not
 * filtered.
 */
export function sumCounts({ sums, work, ranges }: SumsScope, name: Breakdown): DistinctSums {
  const counts = makeSums();
  for (const range of ranges) {
    for (const rollup of sums.rollups(name, range)) {
      addCount(counts, name === 'event_labels' ? takeLabels(rollup, work.event) : rollup);
    }
  }
  return counts;
}

/** Gives the parts of `ranges` that lie in `span`. For example, days 1 to 10 and the span 8 to 20 give days 8 to 10. */
const cutRanges = (span: Range, ranges: readonly Range[]): Range[] =>
  ranges
    .map(({ from, to }) => ({ from: Math.max(from, span.from), to: Math.min(to, span.to) }))
    .filter(({ from, to }) => from < to);

/**
 * Adds up the stored counts (rollups) of a list such as countries. Also adds up other sums of its rows, such as
 * bounces. Days that do not store these sums are added to `lacking`. The caller then reads their columns.
 */
function sumRows({ sums, ranges }: SumsScope, name: Breakdown, lacking: SealedDay[]): RowCount {
  const counts = makeSums();
  const more = makeMoreSums();
  for (const range of ranges) {
    for (const row of sums.rows(name, range, lacking)) {
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

/**
 * Counts days that lack stored sums, by reading their columns. A totals-only day has no columns, so it is named in
 * `leftOut`. Its totals were added to the result before, so they are subtracted again.
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
  const leftOut = [...new Set([...rows.values()].map(({ day }) => day))];
  return [{ ...scan(counted(), work), totals, excluded: {}, leftOut }];
}

function keepRows({ terms, visitors, hits, more = {} }: RowCount, accepted: Uint8Array): RowCount {
  const own = Uint32Array.from(accepted.keys()).filter((i) => accepted[i] === 1);
  const pick = (list: ArrayLike<number>) => mapNumbers(own, (i) => list[i] ?? 0);
  const sums = Object.entries(more).map(([name, list]) => [name, pick(list)]);
  return { terms: pick(terms), visitors: pick(visitors), hits: pick(hits), more: Object.fromEntries(sums) };
}
