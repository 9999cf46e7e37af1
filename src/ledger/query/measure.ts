import { addTimes, addTotals, noTimes, noTotals } from '../../stats/measured.ts';
import { findCut, type Question, type Range } from '../../stats/question.ts';
import { isUnfiltered } from '../count/filters.ts';
import { select } from '../count/select.ts';
import { sumTimes } from '../count/time-on-page.ts';
import { countTotals } from '../count/totals.ts';
import { dayUntil } from '../day/as-of.ts';
import type { Day } from '../day/day.ts';
import type { Texts } from '../rows/terms.ts';
import type { SealedSums } from '../sealed/stored-sums.ts';
import type { DayReader } from './day-reader.ts';
import { countsIn, NOTHING, sumRollups } from './from-sums.ts';
import { mergeParts } from './merge.ts';
import { isFromRollups } from './plan.ts';
import { type Part, scan, scanOpen, type Work, workOf } from './scan.ts';

type InRanges = <One>(list: (siteId: number, from: number, to: number) => Iterable<One>) => Generator<One>;

type Asked = { days: DayReader; sums: SealedSums; work: Work; ranges: readonly Range[] };

/** The sealed days of other questions, by their columns; counts that their rollups have are taken from there. */
function scanSealed({ days, sums, work, ranges }: Asked, inRanges: InRanges): Part {
  const { needs, conditions } = work;
  const leftOut = [...inRanges(days.sumDays)];
  // Rollups are of days with sums only too, and of labels they do not have the hits.
  const haveRollups = isUnfiltered(conditions) && leftOut.length + sums.pending.length === 0;
  const counts = (haveRollups ? needs.counts : [])
    .filter((name) => name !== 'event_labels')
    .map((name) => [name, countsIn({ sums, work, ranges }, name)] as const);
  const part = scan(inRanges(days.sealed), work, { totals: true, counts: Object.fromEntries(counts) });
  return { ...part, leftOut };
}

/** The day of which only a part is compared with. Its visits that are set aside are known from the whole day. */
function measureCut({ days, work, ranges }: Omit<Asked, 'sums'>): Part[] {
  const { question, needs, conditions, reducer } = work;
  const { siteId } = question;
  const cut = findCut(question);
  if (!cut || !ranges.some(({ from, to }) => cut.day >= from && cut.day < to)) return [];
  const [totals, times] = [noTotals(), noTimes()];
  for (const whole of days.days(siteId, cut.day, cut.day + 1)) {
    const day = dayUntil(reducer.reduce(whole).day, cut.until);
    const selection = select(day, conditions);
    addTotals(totals, countTotals(day, { selection, narrowing: conditions.narrowing }, needs.totals));
    if (needs.times) addTimes(times, sumTimes(day, selection, conditions.narrowing));
  }
  const before = { totals: [noTotals(), totals], times: [noTimes(), times] };
  return [
    { ...NOTHING, ...before, counts: {}, aside: {}, untouched: [] },
    ...wholeInPlaceOfCut({ days, work }, cut.day),
  ];
}

/** A day with sums only cannot be cut, and is compared with whole. Of others a scan says itself that they are left out. */
function wholeInPlaceOfCut({ days, work }: Pick<Asked, 'days' | 'work'>, day: number): Part[] {
  const { question } = work;
  const own: Range = { from: day, to: day + 1 };
  const isOfSums = isFromRollups(question) && [...days.sumDays(question.siteId, day, day + 1)].length > 0;
  if (!isOfSums || question.report !== 'overview') return [];
  const asked: Question = { ...question, range: { from: day, to: day }, compared: own };
  const sums = days.sums(question.siteId, [own], []);
  return sumRollups(days, { sums, work: { ...work, question: asked }, ranges: [own] });
}

/** Measures parts of a question's range: sealed days from rollups if these have all of it, and all others by a scan of the columns. */
export function measurePart(days: DayReader, texts: Texts, question: Question, ranges: readonly Range[]): Part {
  const { siteId } = question;
  const exclusions = days.exclusions(siteId);
  const work = workOf(question, texts, exclusions);
  const sums = days.sums(siteId, ranges, exclusions);
  function* inRanges<One>(list: (siteId: number, from: number, to: number) => Iterable<One>): Generator<One> {
    for (const { from, to } of ranges) yield* list(siteId, from, to);
  }
  const open = [...inRanges(days.open)];
  const reopened = open.flatMap((day) => day.reopened);
  // Of days with sums only no filter is known to hold.
  const isSummed =
    isFromRollups(question) && (isUnfiltered(work.conditions) || inRanges(days.sumDays).next().done === true);
  const pending = isSummed ? sums.pending : [];
  const asked = { days, sums, work, ranges };
  const [sealed, ...lacking]: [Part, ...Part[]] = isSummed ? sumRollups(days, asked) : [scanSealed(asked, inRanges)];
  function* counted(): Generator<Day> {
    yield* days.each(pending);
    yield* reopened;
  }
  const parts = [
    ...lacking,
    ...open.flatMap(({ own }) => scanOpen(own, work, days.checkpoint)),
    ...(reopened.length + pending.length === 0 ? [] : [scan(counted(), work)]),
    ...measureCut({ days, work, ranges }),
  ];
  return parts.length === 0 ? sealed : mergeParts([sealed, ...parts]);
}
