// This file counts the hours of a day in a time zone. Each hour has visitors, arrivals and pageviews.
// Invariant: a visitor counts once in each hour with a hit. An arrival is a visitor's first hit of the day. So all
// arrivals of a day add up to its visitors.
//
// Example: a visitor has hits at 09:10, 09:50 and 11:05. Hours 9 and 11 get a visitor each, and hour 9 gets the
// arrival. With a filter, only hits of the selected visits count.
//
// A sealed day is a past day that never changes, with sums by quarter hour (quarter-hour-sums.ts). For this day, a
// query without filters reads these sums and no column. query/scan.ts calls `countHours` for each day.
import type { HourLists } from '../../stats/aggregates.ts';
import type { Numbers } from '../column/packing.ts';
import { type Day, findFirstVisit, findStarts, type Selection } from '../day/day.ts';
import { type HitTest, makeMatches } from './hit-filter.ts';
import { assignSlots, type Hours, type Slots } from './hour-buckets.ts';
import { isEqual } from './match.ts';
import { addQuarters, makeTallies, type Tallies } from './quarter-hour-sums.ts';
import { QUARTERS } from './quarter-hours.ts';

/**
 * The hits that count: those of the visits that passed the filters. If `narrowing` has a test for pages, only hits that
 * pass this test count. `starts` has the index of the first hit of each visit.
 */
type CountedHits = { day: Day; selection: Selection; narrowing: HitTest; starts: Uint32Array };

export function countHours(day: Day, selection: Selection, narrowing: HitTest, hours: Hours): HourLists {
  const isAll = selection.count === day.totals.visits && narrowing.page === undefined;
  const found = isAll ? countFromQuarters(day, hours) : undefined;
  if (found) return found;
  const hits = { day, selection, narrowing, starts: findStarts(day) };
  const own = timeHits(hits, hours);
  return makeHourLists(day, own.slots, tallyHours(hits, own), hours.last ? findLast(hits) : 0);
}

/**
 * Finds the moments of the first and the last hit of the selected visits. `moments` has the quarter hour or the second
 * of each hit. The hits of a visit are sorted by time. So only the first and the last hit of each visit are read.
 */
function findSpan(
  { selection: { visits, count }, starts }: CountedHits,
  moments: Numbers,
): [first: number, last: number] {
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let i = 0; i < count; i++) {
    const visit = visits[i] as number;
    const begin = moments[starts[visit] as number] as number;
    const end = moments[(starts[visit + 1] as number) - 1] as number;
    if (begin < first) first = begin;
    if (end > last) last = end;
  }
  return [first, last];
}

/**
 * `moments` has the quarter hour, or the second, of each hit. `slots` says to which hour each of these moments belongs.
 */
type Timed = { moments: Numbers; slots: Slots };

/**
 * Gives the moment of each hit, and says to which hour each moment belongs. A moment is a quarter hour if every hour of
 * the time zone begins with one. Otherwise a moment is a second. The seconds of a past day are packed and slow to read.
 */
function timeHits(hits: CountedHits, hours: Hours): Timed {
  const { day } = hits;
  const { codes: quarters } = day.quarters?.() ?? {};
  if (quarters?.length) {
    const slots = assignSlots(day.day, findSpan(hits, quarters), hours, QUARTERS);
    if (slots) return { moments: quarters, slots };
  }
  const { codes: seconds } = day.column('second');
  return {
    moments: seconds,
    slots: assignSlots(day.day, findSpan(hits, seconds), hours, { unit: 1, from: 0 }) as Slots,
  };
}

/**
 * Counts the visitors, arrivals and pageviews of all hours in one loop. Hits are sorted by visitor and then by time. So
 * the loop remembers only the latest hour of the current visitor.
 */
function tallyHours(
  { day, selection: { visits, count }, narrowing, starts }: CountedHits,
  { moments, slots }: Timed,
): Tallies {
  const { start, length, ranks } = slots;
  const tallies = makeTallies(slots);
  const { visitors, arrivals, pageviews } = tallies;
  const again = day.column('again').codes;
  const { terms, codes: events } = day.column('event');
  // A pageview has an empty event name, which has the number 0. Numbers in `terms` ascend, so pageviews have the code
  // 0, the first place. If the day has only events, `pageview` becomes a code that no hit has.
  const pageview = terms[0] === 0 ? 0 : terms.length;
  const [pageMatch] = makeMatches(day, narrowing);
  // Multiplying by `perUnit` is faster than dividing by `length` for each hit. But a rounding error could then move the
  // first moment of an hour into the hour before. Moments are whole numbers, so 0.5 is added below. This moves each
  // moment away from the border of its hour, further than any rounding error.
  const perUnit = 1 / length;
  let latestVisit = -1;
  /** The latest hour in which the current visitor was counted. It is -1 if the visitor was not counted yet. */
  let latest = -1;
  for (let i = 0; i < count; i++) {
    const visit = visits[i] as number;
    if (again[visit] === 0 || findFirstVisit(again, visit) > latestVisit) latest = -1;
    latestVisit = visit;
    const end = starts[visit + 1] as number;
    for (let hit = starts[visit] as number; hit < end; hit++) {
      if (pageMatch && pageMatch.codes[hit] !== pageMatch.code) continue;
      const rank = ranks[(((moments[hit] as number) - start + 0.5) * perUnit) | 0] as number;
      pageviews[rank] = (pageviews[rank] as number) + isEqual(events[hit] as number, pageview);
      // `isLater` is 1 if this hour comes after the visitor's latest hour. So each hour counts a visitor once. When clocks
      // go back, an hour comes twice. Both times have one place, so `isLater` is 0 for a visitor seen in both.
      const isLater = (latest - rank) >>> 31;
      visitors[rank] = (visitors[rank] as number) + isLater;
      arrivals[rank] = (arrivals[rank] as number) + (isLater & (latest >>> 31));
      latest += (rank - latest) & -isLater;
    }
  }
  return tallies;
}

/**
 * Finds the time of the latest hit of the selected visits, in seconds of the day. With a filter by page, only hits on
 * its pages count.
 */
function findLast({ day, selection: { visits, count }, narrowing, starts }: CountedHits): number {
  const { codes: seconds } = day.column('second');
  const [pageMatch] = makeMatches(day, narrowing);
  let last = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < count; i++) {
    const visit = visits[i] as number;
    const end = starts[visit + 1] as number;
    for (let hit = starts[visit] as number; hit < end; hit++) {
      if (pageMatch && pageMatch.codes[hit] !== pageMatch.code) continue;
      last = Math.max(last, seconds[hit] as number);
    }
  }
  return last;
}

function listHours(
  numbers: readonly number[],
  { visitors, arrivals, pageviews }: Record<keyof Tallies, ArrayLike<number>>,
): Omit<HourLists, 'day' | 'last'> {
  const ranks = [...numbers.keys()].filter((rank) => visitors[rank] !== 0);
  const pick = (of: ArrayLike<number>): number[] => ranks.map((rank) => of[rank] ?? 0);
  return {
    hour: pick(numbers),
    visitors: pick(visitors),
    arrivals: pick(arrivals),
    pageviews: pick(pageviews),
  };
}

const makeHourLists = ({ day }: Day, { numbers }: Slots, tallies: Tallies, last: number): HourLists => ({
  day,
  last,
  ...listHours(numbers, tallies),
});

/**
 * Counts the hours of a past day from its stored sums by quarter hour, without reading hits. Gives undefined if the day
 * has no stored sums. Also gives undefined if an hour of the time zone begins in the middle of a quarter hour.
 */
function countFromQuarters(day: Day, hours: Hours): HourLists | undefined {
  const sums = day.quarterSums?.();
  if (!sums) return undefined;
  const span = [sums.quarters[0] ?? 0, sums.quarters.at(-1) ?? 0] as const;
  const slots = assignSlots(day.day, span, hours, QUARTERS);
  const tallies = slots && addQuarters(sums, slots);
  return tallies && makeHourLists(day, slots, tallies, hours.last ? sums.last : 0);
}

/** Adds up the hours of several parts of a day. If two parts have the same hour, the result has this hour once. */
function addUp(all: readonly HourLists[]): Omit<HourLists, 'day' | 'last'> {
  const numbers = [...new Set(all.flatMap(({ hour }) => hour))].sort((a, b) => a - b);
  const ranks = new Map(numbers.map((hour, rank) => [hour, rank]));
  const addUpFigure = (name: keyof Tallies) => {
    const sums = numbers.map(() => 0);
    for (const one of all) {
      for (const [i, hour] of one.hour.entries()) {
        const rank = ranks.get(hour) as number;
        sums[rank] = (sums[rank] as number) + (one[name][i] as number);
      }
    }
    return sums;
  };
  const [visitors, arrivals, pageviews] = [addUpFigure('visitors'), addUpFigure('arrivals'), addUpFigure('pageviews')];
  return listHours(numbers, { visitors, arrivals, pageviews });
}

/**
 * Gives one list of hours for each day. A large day is stored in several parts with a list of hours each. A visitor is
 * in one part only, so the lists of a day can be added.
 */
export const mergeHours = (all: readonly HourLists[]): HourLists[] =>
  [...Map.groupBy(all, ({ day }) => day)]
    .map(([day, slices]) => {
      const [first] = slices;
      if (first && slices.length === 1) return first;
      return { day, last: Math.max(...slices.map(({ last }) => last)), ...addUp(slices) };
    })
    .sort((a, b) => a.day - b.day);
