import type { HourLists } from '../../stats/measured.ts';
import type { Numbers } from '../column/packing.ts';
import { type Day, findFirstVisit, findStarts, type Selection } from '../day/day.ts';
import { type HitTest, makeMatches } from './hit-filter.ts';
import { assignSlots, type Hours, type Slots } from './hour-buckets.ts';
import { isEqual } from './match.ts';
import { addQuarters, emptyTallies, type Tallies } from './quarter-hour-sums.ts';
import { QUARTERS } from './quarter-hours.ts';

/** The hits of the selected visits of a day that count, with the first hit of each visit. */
type Hits = { day: Day; selection: Selection; narrowing: HitTest; starts: Uint32Array };

/** The first and the last moment of the selected visits, whose hits are in order of time. */
function spanOf({ selection: { visits, count }, starts }: Hits, moments: Numbers): [first: number, last: number] {
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

/** When each hit came, and the hours of these moments. */
type Timed = { moments: Numbers; slots: Slots };

/** Seconds, which are slow to read of a sealed day, are needed only where it has no quarters, or an hour begins within one. */
function timed(hits: Hits, hours: Hours): Timed {
  const { day } = hits;
  const { codes: quarters } = day.quarters?.() ?? {};
  if (quarters?.length) {
    const slots = assignSlots(day.day, spanOf(hits, quarters), hours, QUARTERS);
    if (slots) return { moments: quarters, slots };
  }
  const { codes: seconds } = day.column('second');
  return { moments: seconds, slots: assignSlots(day.day, spanOf(hits, seconds), hours, { unit: 1, from: 0 }) as Slots };
}

/** One pass is enough, because hits are sorted by visitor and time. */
function tallyHours(
  { day, selection: { visits, count }, narrowing, starts }: Hits,
  { moments, slots }: Timed,
): Tallies {
  const { start, length, ranks } = slots;
  const tallies = emptyTallies(slots);
  const { visitors, arrivals, pageviews } = tallies;
  const again = day.column('again').codes;
  const { terms, codes: events } = day.column('event');
  // A pageview has no event, whose term is the smallest; a code that no hit has stands for it on a day with events only.
  const pageview = terms[0] === 0 ? 0 : terms.length;
  const [pageMatch] = makeMatches(day, narrowing);
  // A product is faster than a quotient, and half a unit keeps it away from the next hour.
  const perUnit = 1 / length;
  let latestVisit = -1;
  /** The latest hour in which the visitor was counted, or -1. */
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
      // Where an hour comes twice, a visitor may come in it, in the next and in it again.
      const isLater = (latest - rank) >>> 31;
      visitors[rank] = (visitors[rank] as number) + isLater;
      arrivals[rank] = (arrivals[rank] as number) + (isLater & (latest >>> 31));
      latest += (rank - latest) & -isLater;
    }
  }
  return tallies;
}

/** The latest second of the hits that count. */
function lastOf({ day, selection: { visits, count }, narrowing, starts }: Hits): number {
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

/** The hours of those ranks that had visitors. */
function listsOf(
  numbers: readonly number[],
  { visitors, arrivals, pageviews }: Record<keyof Tallies, ArrayLike<number>>,
): Omit<HourLists, 'day' | 'last'> {
  const ranks = [...numbers.keys()].filter((rank) => visitors[rank] !== 0);
  const listOf = (of: ArrayLike<number>): number[] => ranks.map((rank) => of[rank] ?? 0);
  return {
    hour: listOf(numbers),
    visitors: listOf(visitors),
    arrivals: listOf(arrivals),
    pageviews: listOf(pageviews),
  };
}

const dayHours = ({ day }: Day, { numbers }: Slots, tallies: Tallies, last: number): HourLists => ({
  day,
  last,
  ...listsOf(numbers, tallies),
});

/** All hits of a sealed day, where hours begin with quarters; undefined elsewhere. */
function hoursOfAll(day: Day, hours: Hours): HourLists | undefined {
  const sums = day.quarterSums?.();
  if (!sums) return undefined;
  const span = [sums.quarters[0] ?? 0, sums.quarters.at(-1) ?? 0] as const;
  const slots = assignSlots(day.day, span, hours, QUARTERS);
  const tallies = slots && addQuarters(sums, slots);
  return tallies && dayHours(day, slots, tallies, hours.last ? sums.last : 0);
}

export function countHours(day: Day, selection: Selection, narrowing: HitTest, hours: Hours): HourLists {
  const isAll = selection.count === day.totals.visits && narrowing.page === undefined;
  const found = isAll ? hoursOfAll(day, hours) : undefined;
  if (found) return found;
  const hits = { day, selection, narrowing, starts: findStarts(day) };
  const own = timed(hits, hours);
  return dayHours(day, own.slots, tallyHours(hits, own), hours.last ? lastOf(hits) : 0);
}

/** Adds up hours of the same number, in order. */
function added(all: readonly HourLists[]): Omit<HourLists, 'day' | 'last'> {
  const numbers = [...new Set(all.flatMap(({ hour }) => hour))].sort((a, b) => a - b);
  const ranks = new Map(numbers.map((hour, rank) => [hour, rank]));
  const sumsOf = (name: keyof Tallies) => {
    const sums = numbers.map(() => 0);
    for (const one of all) {
      for (const [i, hour] of one.hour.entries()) {
        const rank = ranks.get(hour) as number;
        sums[rank] = (sums[rank] as number) + (one[name][i] as number);
      }
    }
    return sums;
  };
  const [visitors, arrivals, pageviews] = [sumsOf('visitors'), sumsOf('arrivals'), sumsOf('pageviews')];
  return listsOf(numbers, { visitors, arrivals, pageviews });
}

/** By day; the parts of a large day add up. */
export const mergeHours = (all: readonly HourLists[]): HourLists[] =>
  [...Map.groupBy(all, ({ day }) => day)]
    .map(([day, parts]) => {
      const [first] = parts;
      if (first && parts.length === 1) return first;
      return { day, last: Math.max(...parts.map(({ last }) => last)), ...added(parts) };
    })
    .sort((a, b) => a.day - b.day);
