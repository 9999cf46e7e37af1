import { DAY } from '../lib/time.ts';
import type { Breakdown } from '../stats/dimensions.ts';
import { addTotals, LIVE_SECONDS, noTotals, type Totals } from '../stats/measured.ts';
import { type Of, type Question, type Range, spansOf } from '../stats/question.ts';
import { countOf } from './breakdowns.ts';
import { conditionsOf } from './conditions.ts';
import { addCount, labelsOf, newSums } from './counts.ts';
import type { Day } from './day.ts';
import type { DayReader } from './days.ts';
import { isLarge } from './large-day.ts';
import { mergeParts } from './merge.ts';
import { isFromRollups } from './needs.ts';
import { visitorsBetween } from './scan.ts';
import { isUnfiltered, type Part, scan, scanLarge, type Work, workOf } from './scan-days.ts';
import { select, selectWhere } from './select.ts';
import type { Sums } from './tally.ts';
import type { Texts } from './terms.ts';

/** What rollups do not have. */
const NOTHING: Pick<Part, 'times' | 'reached' | 'steps' | 'hours' | 'leftOut'> = {
  times: [],
  reached: [],
  steps: [],
  hours: [],
  leftOut: [],
};

/** The totals of those sealed days of a span that are in the ranges. */
function totalsIn(days: DayReader, siteId: number, span: Range, ranges: readonly Range[]): Totals {
  const totals = noTotals();
  for (const { from, to } of ranges) {
    const [first, end] = [Math.max(from, span.from), Math.min(to, span.to)];
    if (first < end) addTotals(totals, days.totals(siteId, first, end));
  }
  return totals;
}

/** What the rollups of sealed days have of a breakdown, without filters. */
function sumsOf(days: DayReader, { question, event }: Work, name: Breakdown, ranges: readonly Range[]): Sums {
  const sums = newSums();
  for (const { from, to } of ranges) {
    for (const rollup of days.rollups(question.siteId, name, from, to)) {
      addCount(sums, name === 'event_labels' ? labelsOf(rollup, event) : rollup);
    }
  }
  return sums;
}

/** The sealed days of a question that needs no column. */
function sumRollups(days: DayReader, work: Work, ranges: readonly Range[]): Part {
  const { question, needs } = work;
  const { siteId } = question;
  const counts = needs.counts.map((name) => [name, countOf(sumsOf(days, work, name, ranges), name)]);
  const totals = spansOf(question).map((span) => totalsIn(days, siteId, span, ranges));
  return { ...NOTHING, totals, counts: Object.fromEntries(counts) };
}

type InRanges = <One>(list: (siteId: number, from: number, to: number) => Iterable<One>) => Generator<One>;

/** The sealed days of other questions, by their columns; counts that their rollups have are taken from there. */
function scanSealed(days: DayReader, work: Work, ranges: readonly Range[], inRanges: InRanges): Part {
  const { needs, conditions } = work;
  const leftOut = [...inRanges(days.sumDays)];
  // Rollups are of days with sums only too, and of labels they do not have the hits.
  const known = isUnfiltered(conditions) && leftOut.length === 0 ? needs.counts : [];
  const counts = known
    .filter((name) => name !== 'event_labels')
    .map((name) => [name, sumsOf(days, work, name, ranges)] as const);
  const part = scan(inRanges(days.sealed), work, { totals: true, counts: Object.fromEntries(counts) });
  return { ...part, leftOut };
}

/** Measures parts of a question's range: sealed days from rollups if these have all of it, and all others by a scan of the columns. */
export function measurePart(days: DayReader, texts: Texts, question: Question, ranges: readonly Range[]): Part {
  const work = workOf(question, texts);
  function* inRanges<One>(list: (siteId: number, from: number, to: number) => Iterable<One>): Generator<One> {
    for (const { from, to } of ranges) yield* list(question.siteId, from, to);
  }
  const open = [...inRanges(days.open)];
  const sealed = isFromRollups(question) ? sumRollups(days, work, ranges) : scanSealed(days, work, ranges, inRanges);
  const parts = [
    ...open.flatMap((day) => (isLarge(day) ? scanLarge(day, work, days.checkpoint) : [])),
    scan(
      open.filter((day): day is Day => !isLarge(day)),
      work,
    ),
  ];
  return open.length === 0 ? sealed : mergeParts([sealed, ...parts]);
}

/** How many visitors were active in the last LIVE_SECONDS. Around midnight it adds those of two days, which share no visitors. */
export function countLive(days: DayReader, texts: Texts, { siteId, range, filters, now }: Of<'realtime'>): number {
  const conditions = conditionsOf(filters, texts);
  const [from, to] = [now - LIVE_SECONDS, now + 1];
  let visitors = 0;
  for (const { day, counts } of days.live(siteId, range, from)) {
    if (day.totals.visits === 0) continue;
    const start = day.day * DAY;
    const selection = selectWhere(select(day, conditions), counts);
    visitors += visitorsBetween(day, selection, conditions.narrowing, [from - start, to - start]);
  }
  return visitors;
}
