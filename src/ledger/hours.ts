import { DAY, HOUR } from '../lib/time.ts';
import type { Zone } from '../lib/zone.ts';
import type { DayHours, Hour } from '../stats/measured.ts';
import { type Day, startsOf } from './day.ts';
import { type HitTest, matchesOf, PAGEVIEW } from './hit-test.ts';
import { firstOf, type Selection } from './tally.ts';

/** Hours of a zone, and how they are numbered: two of the same number count as one. */
export type Hours = { zone: Zone; numberOf(begin: number): number };

/** An hour that comes twice is one. */
export const byClock = (zone: Zone): Hours => ({ zone, numberOf: (begin) => Math.floor(zone.localAt(begin) / HOUR) });

/** An hour that comes twice is two. */
export const byInstant = (zone: Zone): Hours => ({ zone, numberOf: (begin) => begin });

const inOrder = (hours: Iterable<Hour>): Hour[] => [...hours].sort((a, b) => a.hour - b.hour);

/** Finds the hour of a second of a day among those in which it has hits. */
function hourFinder({ day, column }: Day, { zone, numberOf }: Hours) {
  let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  const { codes } = column('second');
  for (let hit = 0; hit < codes.length; hit++) {
    const second = codes[hit] as number;
    if (second < from) from = second;
    if (second > to) to = second;
  }
  const begins = zone.hoursBetween(day * DAY + from, day * DAY + to + 1);
  const ends = Float64Array.from([...begins.slice(1), Number.POSITIVE_INFINITY], (end) => end - day * DAY);
  const [first = 0] = begins;
  const start = first - day * DAY;
  return {
    numbers: Float64Array.from(begins, numberOf),
    /** All hours but those in which clocks are changed are of one length, so that the guess is seldom too small, and never too large. */
    at(second: number): number {
      let hour = Math.floor((second - start) / HOUR);
      while (second >= (ends[hour] as number)) hour++;
      return hour;
    },
  };
}

/** One pass is enough, because hits are sorted by visitor and time. */
export function hoursOf(day: Day, { visits, count }: Selection, narrowing: HitTest, hours: Hours): DayHours {
  const { numbers, at } = hourFinder(day, hours);
  const [visitors, arrivals, pageviews] = [0, 0, 0].map(() => new Uint32Array(numbers.length)) as Tallies;
  const starts = startsOf(day);
  const again = day.column('again').codes;
  const second = day.column('second').codes;
  const [pageMatch] = matchesOf(day, narrowing);
  const [viewMatch] = matchesOf(day, { event: PAGEVIEW });
  let last = Number.NEGATIVE_INFINITY;
  let latestVisit = -1;
  /** The number of the latest hour in which the visitor was counted. */
  let latest = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < count; i++) {
    const visit = visits[i] as number;
    if (again[visit] === 0 || firstOf(again, visit) > latestVisit) latest = Number.NEGATIVE_INFINITY;
    latestVisit = visit;
    const end = starts[visit + 1] as number;
    for (let hit = starts[visit] as number; hit < end; hit++) {
      if (pageMatch && pageMatch.codes[hit] !== pageMatch.code) continue;
      const time = second[hit] as number;
      const hour = at(time);
      if (time > last) last = time;
      if (viewMatch && viewMatch.codes[hit] === viewMatch.code) pageviews[hour] = (pageviews[hour] as number) + 1;
      // Where an hour comes twice, a visitor may come in it, in the next and in it again.
      if ((numbers[hour] as number) <= latest) continue;
      visitors[hour] = (visitors[hour] as number) + 1;
      if (latest === Number.NEGATIVE_INFINITY) arrivals[hour] = (arrivals[hour] as number) + 1;
      latest = numbers[hour] as number;
    }
  }
  const counted = Array.from(numbers, (hour, i) => ({
    ...{ hour, visitors: visitors[i] ?? 0, arrivals: arrivals[i] ?? 0, pageviews: pageviews[i] ?? 0 },
  }));
  return { day: day.day, hours: added(counted), last };
}

type Tallies = [visitors: Uint32Array, arrivals: Uint32Array, pageviews: Uint32Array];

/** Adds up hours of the same number, in order. */
function added(all: readonly Hour[]): Hour[] {
  const hours = new Map<number, Hour>();
  for (const { hour, visitors, arrivals, pageviews } of all) {
    const sums = hours.get(hour) ?? { hour, visitors: 0, arrivals: 0, pageviews: 0 };
    sums.visitors += visitors;
    sums.arrivals += arrivals;
    sums.pageviews += pageviews;
    hours.set(hour, sums);
  }
  return inOrder(hours.values()).filter(({ visitors }) => visitors > 0);
}

/** By day; the parts of a large day add up. */
export const mergeHours = (all: readonly DayHours[]): DayHours[] =>
  [...Map.groupBy(all, ({ day }) => day)]
    .map(([day, parts]) => ({
      day,
      hours: added(parts.flatMap(({ hours }) => hours)),
      last: Math.max(...parts.map(({ last }) => last)),
    }))
    .sort((a, b) => a.day - b.day);
