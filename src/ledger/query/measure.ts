// Counts some ranges of days for a query. For sealed days, stored sums are read, if they have everything that the query
// needs. All other days are scanned.
//
// Invariant: each visit of the ranges counts once, whether its day is open, reopened or sealed
// (test/stats/answers.long.test.ts).
//
// Example: an unfiltered query of a week reads the sums of six days, and scans today. A query with a filter by country
// scans all seven days. work/tasks.ts calls this file, in up to four threads for one query. all-sites.ts and
// day-status.ts call it too.
import { addTimes, addTotals, noTimes, noTotals } from '../../stats/aggregates.ts';
import { isStored } from '../../stats/dimensions.ts';
import { findCut, type Query, type Range } from '../../stats/query.ts';
import { type Amounts, addAmounts } from '../../stats/revenue.ts';
import { isFromTotalsOnly } from '../../stats/sums.ts';
import { isUnfiltered } from '../count/conditions.ts';
import { sumRevenue } from '../count/revenue.ts';
import { select } from '../count/select.ts';
import { sumTimes } from '../count/time-on-page.ts';
import { countTotals } from '../count/totals.ts';
import { dayUntil } from '../day/as-of.ts';
import type { Day } from '../day/day.ts';
import type { Texts } from '../rows/terms.ts';
import type { SealedSums } from '../sealed/stored-sums.ts';
import type { DayReader } from './day-reader.ts';
import { NOTHING, sumCounts, sumRollups } from './from-sums.ts';
import { mergePartials } from './merge.ts';
import { isFromRollups } from './needs.ts';
import { type DayPartial, prepareWork, type ScanWork, scan } from './scan.ts';
import { scanOpen } from './scan-open.ts';

type InRanges = <One>(list: (siteId: number, from: number, to: number) => Iterable<One>) => Generator<One>;

type MeasureScope = { days: DayReader; sums: SealedSums; work: ScanWork; ranges: readonly Range[] };

export function measurePartial(days: DayReader, texts: Texts, query: Query, ranges: readonly Range[]): DayPartial {
  const { siteId } = query;
  const exclusions = days.exclusions(siteId);
  const work = prepareWork(query, texts, exclusions);
  const sums = days.sums(siteId, ranges, exclusions);
  function* inRanges<One>(list: (siteId: number, from: number, to: number) => Iterable<One>): Generator<One> {
    for (const { from, to } of ranges) yield* list(siteId, from, to);
  }
  const open = [...inRanges(days.open)];
  const reopened = open.flatMap((day) => day.reopened);
  // A totals-only day has no hits, so filters cannot be applied to it. `isFromRollups` is true for one kind of query
  // with filters: pages with no other filter than by page. If such a query covers a totals-only day, all sealed days
  // are scanned. The answer then lists the totals-only day as left out.
  const isSummed =
    isFromRollups(query) && (isUnfiltered(work.conditions) || inRanges(days.sumDays).next().done === true);
  const pending = isSummed ? sums.pending : [];
  const asked = { days, sums, work, ranges };
  const [sealed, ...lacking]: [DayPartial, ...DayPartial[]] = isSummed
    ? sumRollups(days, asked)
    : [scanSealed(asked, inRanges), ...sumTotalsOnly(asked, inRanges)];
  function* counted(): Generator<Day> {
    yield* days.each(pending);
    yield* reopened;
  }
  const partials = [
    ...lacking,
    ...open.flatMap(({ own }) => scanOpen(own, work, days.checkpoint)),
    ...(reopened.length + pending.length === 0 ? [] : [scan(counted(), work)]),
    ...measureCut({ days, work, ranges }),
  ];
  return partials.length === 0 ? sealed : mergePartials([sealed, ...partials], query);
}

/** Scans sealed days. If stored rollups have the counts of a breakdown, the scan does not count this breakdown. */
function scanSealed({ days, sums, work, ranges }: MeasureScope, inRanges: InRanges): DayPartial {
  const { needs, conditions } = work;
  const sumDays = [...inRanges(days.sumDays)];
  // The totals come from the scan, so rollups may be used only if they cover the scanned days and no other days. There
  // are two obstacles. A totals-only day (`sumDays`) has rollups, but is not scanned. A day with stale sums (`pending`)
  // is scanned, but has no current rollups. With a day of either kind, the scan counts the breakdowns too.
  const haveRollups = isUnfiltered(conditions) && sumDays.length + sums.pending.length === 0;
  const counts = (haveRollups ? needs.counts : [])
    .filter(isStored)
    // Event labels and property values are always scanned, because rollups lack some counts. Rollups do not have the
    // number of hits of a label. They also lack the number of hits that have both a property value and a certain event.
    .filter((name) => name !== 'event_labels' && name !== 'property_values')
    .map((name) => [name, sumCounts({ sums, work, ranges }, name)] as const);
  const partial = scan(inRanges(days.sealed), work, { totals: true, counts: Object.fromEntries(counts) });
  return { ...partial, leftOut: isFromTotalsOnly(work.query) ? [] : sumDays };
}

/** Counts the totals-only days of a query whose other days are scanned. */
function sumTotalsOnly({ days, work }: MeasureScope, inRanges: InRanges): DayPartial[] {
  const { query } = work;
  const own = isFromTotalsOnly(query) ? [...inRanges(days.sumDays)].map((day) => ({ from: day, to: day + 1 })) : [];
  if (own.length === 0) return [];
  return sumRollups(days, { sums: days.sums(query.siteId, own, days.exclusions(query.siteId)), work, ranges: own });
}

/**
 * Counts a day only until a time of day. For example, at 15:00, today is compared with an earlier day until 15:00.
 * Exclusions are applied to the whole earlier day first, as in other reports. Later hits may decide whether a visit is
 * excluded, for example by its number of pageviews.
 */
function measureCut({ days, work, ranges }: Omit<MeasureScope, 'sums'>): DayPartial[] {
  const { query, needs, conditions, reducer, revenue } = work;
  const { siteId } = query;
  const cut = findCut(query);
  if (!cut || !ranges.some(({ from, to }) => cut.day >= from && cut.day < to)) return [];
  const [totals, times] = [noTotals(), noTimes()];
  const amounts: Amounts = {};
  for (const whole of days.days(siteId, cut.day, cut.day + 1)) {
    const day = dayUntil(reducer.reduce(whole).day, cut.until);
    const selection = select(day, conditions);
    addTotals(totals, countTotals(day, { selection, narrowing: conditions.narrowing }, needs.totals));
    if (needs.times) addTimes(times, sumTimes(day, selection, conditions.narrowing));
    if (revenue) addAmounts(amounts, sumRevenue(day, selection, conditions.narrowing, revenue.read));
  }
  const before = { totals: [noTotals(), totals], times: [noTimes(), times], revenue: [{}, amounts] };
  return [{ ...NOTHING, ...before, counts: {}, excluded: {}, untouched: [] }, ...measureWhole({ days, work }, cut.day)];
}

/**
 * Counts a totals-only day that should count only until a time of day. For example, today until 15:00 is compared with
 * this day until 15:00. A totals-only day has no hits, so only the whole day can be counted. If stored sums can answer
 * the query, returns the counts of the whole day. Otherwise, returns an empty list.
 */
function measureWhole({ days, work }: Pick<MeasureScope, 'days' | 'work'>, day: number): DayPartial[] {
  const { query } = work;
  const own: Range = { from: day, to: day + 1 };
  const isOfSums = isFromRollups(query) && [...days.sumDays(query.siteId, day, day + 1)].length > 0;
  if (!isOfSums || query.report !== 'overview') return [];
  const asked: Query = { ...query, range: { from: day, to: day }, compared: own };
  const sums = days.sums(query.siteId, [own], days.exclusions(query.siteId));
  const partials = sumRollups(days, { sums, work: { ...work, query: asked }, ranges: [own] });
  // Both are empty here, because `measurePartial` has already counted the day's excluded visits.
  return partials.map((partial) => ({ ...partial, excluded: {}, untouched: [] }));
}
