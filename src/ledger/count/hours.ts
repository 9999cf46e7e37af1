// This file counts the hours of a day in a time zone. Each hour has visitors, arrivals and pageviews.
// Invariant: a visitor counts once in each hour with a hit. An arrival is a visitor's first hit of the day. So all arrivals of a day add up
// to its visitors.
//
// Example: a visitor has hits at 09:10, 09:50 and 11:05. Hours 9 and 11 get a visitor each, and hour 9 gets the arrival. With a filter,
// only hits of the selected visits count.
//
// For a sealed day, a query without filters reads stored sums by quarter hour (quarter-hour-sums.ts) and no column. query/scan.ts calls
// `countHours` for each day.
import type { HourLists } from '../../stats/aggregates.ts';
import type { Numbers } from '../column/packing.ts';
import { type Day, findFirstVisit, findStarts, type Selection } from '../day/day.ts';
import { type HitTest, makeMatches } from './hit-filter.ts';
import { assignSlots, type Hours, type Slots } from './hour-buckets.ts';
import { isEqual } from './match.ts';
import { addQuarters, makeTallies, type Tallies } from './quarter-hour-sums.ts';
import { QUARTERS } from './quarter-hours.ts';

/**
 * The hits of the selected visits. If `narrowing` has a page test, only hits that pass the test count. `starts` has the index of the first
 * hit of each visit.
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
 * Finds the first and the last moment of the selected visits. The hits of a visit are sorted by time, so only two hits of each visit are
 * read.
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

/** `moments` has the moment of each hit. `slots` has the hours to which these moments belong. */
type Timed = { moments: Numbers; slots: Slots };

/**
 * Gives the moment of each hit and the hours of the day. If every hour begins with a quarter hour, a moment is a quarter hour. Otherwise a
 * moment is a second, and the seconds of a sealed day are slow to read.
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

/** Counts all hours in one loop. This is possible because hits are sorted by visitor and then by time. */
function tallyHours(
  { day, selection: { visits, count }, narrowing, starts }: CountedHits,
  { moments, slots }: Timed,
): Tallies {
  const { start, length, ranks } = slots;
  const tallies = makeTallies(slots);
  const { visitors, arrivals, pageviews } = tallies;
  const again = day.column('again').codes;
  const { terms, codes: events } = day.column('event');
  // A pageview has an empty event name, which is term 0. If the day has pageviews, term 0 has code 0. If the day has only events,
  // `pageview` becomes a code that no hit has.
  const pageview = terms[0] === 0 ? 0 : terms.length;
  const [pageMatch] = makeMatches(day, narrowing);
  // A multiplication is faster than a division. Half a unit is added, so that a rounding error cannot move a hit into another hour.
  const perUnit = 1 / length;
  let latestVisit = -1;
  /** The latest hour in which the current visitor was counted, or -1 if there is none. */
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
      // When clocks go back, hits may return to an hour that was counted before. `isLater` is then 0, so the visitor counts once in that
      // hour.
      const isLater = (latest - rank) >>> 31;
      visitors[rank] = (visitors[rank] as number) + isLater;
      arrivals[rank] = (arrivals[rank] as number) + (isLater & (latest >>> 31));
      latest += (rank - latest) & -isLater;
    }
  }
  return tallies;
}

/** Finds the time of the latest hit that counts, in seconds of the day. */
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
 * Counts all hits of a sealed day from its sums by quarter hour. Gives undefined if the day has no such sums, or if an hour begins in the
 * middle of a quarter.
 */
function countFromQuarters(day: Day, hours: Hours): HourLists | undefined {
  const sums = day.quarterSums?.();
  if (!sums) return undefined;
  const span = [sums.quarters[0] ?? 0, sums.quarters.at(-1) ?? 0] as const;
  const slots = assignSlots(day.day, span, hours, QUARTERS);
  const tallies = slots && addQuarters(sums, slots);
  return tallies && makeHourLists(day, slots, tallies, hours.last ? sums.last : 0);
}

/** Adds up the hours of several lists. Hours with equal numbers become one. */
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

/** Gives one list of hours for each day. A day may have several shards or slices, whose hours are added. */
export const mergeHours = (all: readonly HourLists[]): HourLists[] =>
  [...Map.groupBy(all, ({ day }) => day)]
    .map(([day, slices]) => {
      const [first] = slices;
      if (first && slices.length === 1) return first;
      return { day, last: Math.max(...slices.map(({ last }) => last)), ...addUp(slices) };
    })
    .sort((a, b) => a.day - b.day);
