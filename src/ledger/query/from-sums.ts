import type { SealedDay } from '../../catalog/sealed-days.ts';
import type { Breakdown } from '../../stats/dimensions.ts';
import { addTimes, addTotals, noTimes, noTotals, type Times, type Totals } from '../../stats/measured.ts';
import { listSpans, type Range } from '../../stats/question.ts';
import { listCounts } from '../count/breakdown.ts';
import type { Sums } from '../count/distinct.ts';
import { addCount, makeMoreSums, makeSums, mapNumbers, type RowCount } from '../count/term-counts.ts';
import type { Day } from '../day/day.ts';
import { takeLabels } from '../sealed/rollup.ts';
import type { SealedSums } from '../sealed/stored-sums.ts';
import type { DayReader } from './day-reader.ts';
import { negatives, type Part, scan, type Work } from './scan.ts';

type Asked = { sums: SealedSums; work: Work; ranges: readonly Range[] };

/** What rollups do not have. */
export const NOTHING: Pick<Part, 'times' | 'reached' | 'steps' | 'hours' | 'leftOut'> = {
  times: [],
  reached: [],
  steps: [],
  hours: [],
  leftOut: [],
};

/** What the ranges have of a span. */
const within = (span: Range, ranges: readonly Range[]): Range[] =>
  ranges
    .map(({ from, to }) => ({ from: Math.max(from, span.from), to: Math.min(to, span.to) }))
    .filter(({ from, to }) => from < to);

/** What the rollups of sealed days have of a breakdown, without filters. */
export function countsIn({ sums, work, ranges }: Asked, name: Breakdown): Sums {
  const counts = makeSums();
  for (const range of ranges) {
    for (const rollup of sums.rollups(name, range)) {
      addCount(counts, name === 'event_labels' ? takeLabels(rollup, work.event) : rollup);
    }
  }
  return counts;
}

/** The same with the sums of their rows. */
function rowsIn({ sums, ranges }: Asked, name: Breakdown, lacking: SealedDay[]): RowCount {
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

function totalsIn({ sums, ranges }: Asked, span: Range): Totals {
  const totals = noTotals();
  for (const range of within(span, ranges)) addTotals(totals, sums.totals(range));
  return totals;
}

function timesIn({ sums, ranges }: Asked, span: Range, lacking: SealedDay[]): Times {
  const times = noTimes();
  for (const range of within(span, ranges)) addTimes(times, sums.times(range, lacking));
  return times;
}

/** The days that have only totals and visitors are counted by their columns; those without any are left out, with their totals. */
function ofLacking(days: DayReader, { work, ranges }: Asked, lacking: readonly SealedDay[]): Part[] {
  if (lacking.length === 0) return [];
  const { siteId } = work.question;
  const ids = new Set(lacking.map(({ id }) => id));
  function* counted(): Generator<Day> {
    for (const { from, to } of ranges) yield* days.sealed(siteId, from, to, ids);
  }
  const withoutHits = new Set(ranges.flatMap(({ from, to }) => days.sumDays(siteId, from, to)));
  const rows = new Map(lacking.filter(({ day }) => withoutHits.has(day)).map((row) => [row.id, row]));
  const totals = listSpans(work.question).map(({ from, to }) => {
    const sums = noTotals();
    for (const row of rows.values()) if (row.day >= from && row.day < to) addTotals(sums, row);
    return negatives(sums);
  });
  const leftOut = [...new Set([...rows.values()].map(({ day }) => day))];
  return [{ ...scan(counted(), work), totals, aside: {}, leftOut }];
}

/** Those of some rows that have a 1. */
function rowsWhere({ terms, visitors, hits, more = {} }: RowCount, accepted: Uint8Array): RowCount {
  const own = Uint32Array.from(accepted.keys()).filter((i) => accepted[i] === 1);
  const pick = (list: ArrayLike<number>) => mapNumbers(own, (i) => list[i] ?? 0);
  const sums = Object.entries(more).map(([name, list]) => [name, pick(list)]);
  return { terms: pick(terms), visitors: pick(visitors), hits: pick(hits), more: Object.fromEntries(sums) };
}

/** The sealed days of a question that needs no column. */
export function sumRollups(days: DayReader, asked: Asked): [Part, ...Part[]] {
  const { question, needs, conditions } = asked.work;
  const { pages } = conditions;
  const lacking: SealedDay[] = [];
  const countIn = (name: Breakdown): RowCount => {
    const count = needs.sums.length === 0 ? listCounts(countsIn(asked, name), name) : rowsIn(asked, name, lacking);
    return pages ? rowsWhere(count, pages(count.terms)) : count;
  };
  const counts = Object.fromEntries(needs.counts.map((name) => [name, countIn(name)]));
  const spans = listSpans(question);
  const totals = spans.map((span) => totalsIn(asked, span));
  const times = needs.times ? spans.map((span) => timesIn(asked, span, lacking)) : [];
  const parts = ofLacking(days, asked, lacking);
  const left = new Set(parts.flatMap(({ leftOut }) => leftOut));
  const untouched = asked.sums.untouched.filter((day) => !left.has(day));
  return [{ ...NOTHING, totals, times, counts, aside: asked.sums.aside, untouched }, ...parts];
}
