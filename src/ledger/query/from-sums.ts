// This file answers a query for sealed days from stored sums, without reading columns. The sums are totals, rollups of days and months, and
// sums of rows.
// Invariant: the counts equal those of a scan of the columns (test/stats/answers.test.ts).
//
// Example: a query is for January 10 to March 5. It reads the rollups of 22 days in January, of the month of February, and of 5 days in
// March. Their visitors are added up, because a visitor code is valid for one day only. Some older days have no sums of rows. Such days are
// scanned. If they are totals-only days, they are named in `leftOut` instead.
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

/** Empty lists for the counts that an answer from stored sums does not have. */
export const NOTHING: Pick<DayPartial, 'times' | 'reached' | 'steps' | 'hours' | 'leftOut'> = {
  times: [],
  reached: [],
  steps: [],
  hours: [],
  leftOut: [],
};

/**
 * Answers a query for sealed days from sums. The first result covers all days. The other results correct the first result for days without
 * the needed sums.
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

/** Adds up the rollups of a breakdown, without filters. */
export function sumCounts({ sums, work, ranges }: SumsScope, name: Breakdown): DistinctSums {
  const counts = makeSums();
  for (const range of ranges) {
    for (const rollup of sums.rollups(name, range)) {
      addCount(counts, name === 'event_labels' ? takeLabels(rollup, work.event) : rollup);
    }
  }
  return counts;
}

/** Gives the parts of `ranges` that lie in `span`. */
const cutRanges = (span: Range, ranges: readonly Range[]): Range[] =>
  ranges
    .map(({ from, to }) => ({ from: Math.max(from, span.from), to: Math.min(to, span.to) }))
    .filter(({ from, to }) => from < to);

/** Adds up the rollups of a breakdown, and other sums of their rows such as bounces. Days without these sums are added to `lacking`. */
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
 * Scans the columns of days that have no sums. Totals-only days have no columns, so they are listed in `leftOut`. The totals of all days
 * were added to the result before. So the totals of the totals-only days are subtracted again.
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
