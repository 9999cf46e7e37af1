// Counts visitors, arrivals and pageviews of each hour of a day, in a time zone. A moment is the time of a hit, as a
// number of seconds or of quarter hours (hour-buckets.ts).
//
// Invariant: a visitor counts once in each hour with a hit. An arrival is a visitor's first hit of the day. The sum of
// all arrivals is therefore the number of visitors of the day.
//
// Example: a visitor has hits at 09:10, 09:50 and 11:05. The visitor counts in the hours 9 and 11, and the arrival
// counts in hour 9. query/scan.ts calls `countHours` for each day. Without filters, a sealed day answers from its
// quarter-hour sums (quarter-hour-sums.ts).
import type { HourLists } from '../../stats/aggregates.ts';
import type { Column, Numbers } from '../column/packing.ts';
import { type Day, findFirstVisit, findStarts, type Selection } from '../day/day.ts';
import { type HitTest, isNarrow, makeNarrowing } from './hit-filter.ts';
import { assignSlots, type Hours, type Slots } from './hour-buckets.ts';
import { isEqual } from './match.ts';
import { addQuarters, makeTallies, type Tallies } from './quarter-hour-sums.ts';
import { QUARTERS } from './quarter-hours.ts';

/**
 * The hits that count: hits of selected visits that pass `narrowing`, the query's test for hits. `starts` has the index
 * of the first hit of each visit.
 */
type CountedHits = { day: Day; selection: Selection; narrowing: HitTest; starts: Uint32Array };

export function countHours(day: Day, selection: Selection, narrowing: HitTest, hours: Hours): HourLists {
  const isAll = selection.count === day.totals.visits && !isNarrow(narrowing);
  const found = isAll ? countFromQuarters(day, hours) : undefined;
  if (found) return found;
  const hits = { day, selection, narrowing, starts: findStarts(day) };
  const own = timeHits(day, hours, (moments) => findSpan(hits, moments));
  return makeHourLists(day, own.slots, tallyHours(hits, own), hours.last ? findLast(hits) : 0);
}

/**
 * Finds the first and the last moment of the selected visits. `moments` has the moment of each hit. The hits of a visit
 * are sorted by time, so only its first and last hit are read.
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

/** Makes a column with the hour of each hit of the day. `hours.numberOf` gives the numbers of the hours. */
export function readHours(day: Day, hours: Hours): Column {
  if (day.totals.visits === 0) return { terms: new Uint8Array(0), codes: new Uint8Array(0) };
  const { moments, slots } = timeHits(day, hours, findWholeSpan);
  const { start, length, ranks, numbers } = slots;
  const codes = new Uint8Array(moments.length);
  for (let hit = 0; hit < codes.length; hit++) {
    codes[hit] = ranks[Math.floor(((moments[hit] as number) - start) / length)] as number;
  }
  return { terms: Float64Array.from(numbers), codes };
}

function findWholeSpan(moments: Numbers): [first: number, last: number] {
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let hit = 0; hit < moments.length; hit++) {
    const moment = moments[hit] as number;
    if (moment < first) first = moment;
    if (moment > last) last = moment;
  }
  return [first, last];
}

type Timed = { moments: Numbers; slots: Slots };

/**
 * Returns the moment of each hit, and the hour of each moment. Moments are quarter hours if the day is sealed, and if
 * its hours in the zone begin together with quarter hours of UTC. This is so in nearly all zones. Otherwise, moments
 * are seconds, which are slow to read on a sealed day.
 */
function timeHits(day: Day, hours: Hours, findSpanOf: (moments: Numbers) => [first: number, last: number]): Timed {
  const { codes: quarters } = day.quarters?.() ?? {};
  if (quarters?.length) {
    const slots = assignSlots(day.day, findSpanOf(quarters), hours, QUARTERS);
    if (slots) return { moments: quarters, slots };
  }
  const { codes: seconds } = day.column('second');
  return {
    moments: seconds,
    slots: assignSlots(day.day, findSpanOf(seconds), hours, { unit: 1, from: 0 }) as Slots,
  };
}

/**
 * Counts all hours in one loop. Hits are sorted by visitor and then by time. So the loop only needs to remember the
 * latest hour of the current visitor.
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
  // A pageview has the event term 0. Terms are ascending, so the code of term 0 is 0. If the day has only events,
  // `pageview` becomes a code that no hit has.
  const pageview = terms[0] === 0 ? 0 : terms.length;
  const narrow = makeNarrowing(day, narrowing);
  // Multiplying by `perUnit` is faster than dividing by `length`. But a rounding error could move the first moment of
  // an hour into the previous hour. So the loop adds 0.5 to each moment, which is more than any rounding error.
  const perUnit = 1 / length;
  let latestVisit = -1;
  /** The latest hour in which the current visitor counted, or -1. */
  let latest = -1;
  for (let i = 0; i < count; i++) {
    const visit = visits[i] as number;
    if (again[visit] === 0 || findFirstVisit(again, visit) > latestVisit) latest = -1;
    latestVisit = visit;
    const end = starts[visit + 1] as number;
    for (let hit = starts[visit] as number; hit < end; hit++) {
      if (narrow && narrow.codes[hit] !== narrow.code) continue;
      const rank = ranks[(((moments[hit] as number) - start + 0.5) * perUnit) | 0] as number;
      pageviews[rank] = (pageviews[rank] as number) + isEqual(events[hit] as number, pageview);
      // `isLater` is 1 if this hour comes after the visitor's latest hour, so a visitor counts once in each hour. When
      // clocks go back, the hour 02:00 comes twice. If both count as one hour (`byClock`), a visitor with hits in both
      // counts once.
      const isLater = (latest - rank) >>> 31;
      visitors[rank] = (visitors[rank] as number) + isLater;
      arrivals[rank] = (arrivals[rank] as number) + (isLater & (latest >>> 31));
      latest += (rank - latest) & -isLater;
    }
  }
  return tallies;
}

function findLast({ day, selection: { visits, count }, narrowing, starts }: CountedHits): number {
  const { codes: seconds } = day.column('second');
  const narrow = makeNarrowing(day, narrowing);
  let last = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < count; i++) {
    const visit = visits[i] as number;
    const end = starts[visit + 1] as number;
    for (let hit = starts[visit] as number; hit < end; hit++) {
      if (narrow && narrow.codes[hit] !== narrow.code) continue;
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
 * Counts hours from the stored quarter-hour sums, without reading hits. Returns undefined if the day has no such sums.
 * Also returns undefined if an hour of the zone begins in the middle of a quarter hour.
 */
function countFromQuarters(day: Day, hours: Hours): HourLists | undefined {
  const sums = day.quarterSums?.();
  if (!sums) return undefined;
  const span = [sums.quarters[0] ?? 0, sums.quarters.at(-1) ?? 0] as const;
  const slots = assignSlots(day.day, span, hours, QUARTERS);
  const tallies = slots && addQuarters(sums, slots);
  return tallies && makeHourLists(day, slots, tallies, hours.last ? sums.last : 0);
}

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
 * Joins all lists of a day into one list. A large day has a list for each slice or shard. Each visitor is in only one
 * of these lists, so the lists can be added up.
 */
export const mergeHours = (all: readonly HourLists[]): HourLists[] =>
  [...Map.groupBy(all, ({ day }) => day)]
    .map(([day, slices]) => {
      const [first] = slices;
      if (first && slices.length === 1) return first;
      return { day, last: Math.max(...slices.map(({ last }) => last)), ...addUp(slices) };
    })
    .sort((a, b) => a.day - b.day);
