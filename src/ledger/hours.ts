import { DAY, HOUR } from '../lib/time.ts';
import type { Zone } from '../lib/zone.ts';
import type { DayHours, Hour } from '../stats/measured.ts';
import { type Day, startsOf } from './day.ts';
import { type HitTest, matchesOf } from './hit-test.ts';
import { isEqual } from './select.ts';
import { firstOf, type Selection } from './tally.ts';

/** Hours of a zone, and how they are numbered: two of the same number count as one. */
export type Hours = { zone: Zone; numberOf(begin: number): number };

/** An hour that comes twice is one. */
export const byClock = (zone: Zone): Hours => ({ zone, numberOf: (begin) => Math.floor(zone.localAt(begin) / HOUR) });

/** An hour that comes twice is two. */
export const byInstant = (zone: Zone): Hours => ({ zone, numberOf: (begin) => begin });

const inOrder = (hours: Iterable<Hour>): Hour[] => [...hours].sort((a, b) => a.hour - b.hour);

/**
 * The hours in which a day has hits, from the second `start` of it on. They are cut into pieces of one length, because a division is faster than
 * a search; `ranks` are the places of their numbers in `numbers`.
 */
type Slots = { start: number; length: number; ranks: Int32Array; numbers: number[] };

const greatestDivisor = (one: number, other: number): number =>
  other === 0 ? one : greatestDivisor(other, one % other);

function spanOf({ column }: Day): [first: number, last: number] {
  const { codes: seconds } = column('second');
  let first = seconds[0] ?? 0;
  let last = first;
  for (let hit = 0; hit < seconds.length; hit++) {
    const second = seconds[hit] as number;
    if (second < first) first = second;
    else if (second > last) last = second;
  }
  return [first, last];
}

function slotsOf(day: Day, { zone, numberOf }: Hours): Slots {
  const midnight = day.day * DAY;
  const [first, last] = spanOf(day);
  const begins = zone.hoursBetween(midnight + first, midnight + last + 1);
  const [begin = 0] = begins;
  // A whole hour, but where clocks are changed within one.
  const length = begins.reduce((divisor, hour) => greatestDivisor(divisor, hour - begin), HOUR);
  const all = begins.map(numberOf);
  const numbers = [...new Set(all)].sort((a, b) => a - b);
  const ranks = new Int32Array(Math.floor((midnight + last - begin) / length) + 1);
  for (const [i, hour] of begins.entries()) ranks.fill(numbers.indexOf(all[i] as number), (hour - begin) / length);
  return { start: begin - midnight, length, ranks, numbers };
}

/** What is counted of a day, by the rank of an hour. */
type Tallies = Record<'visitors' | 'arrivals' | 'pageviews', Uint32Array>;

/** One pass is enough, because hits are sorted by visitor and time. Returns the latest second that was counted. */
function tallyHours(
  { visitors, arrivals, pageviews }: Tallies,
  day: Day,
  { visits, count }: Selection,
  narrowing: HitTest,
  { start, length, ranks }: Slots,
): number {
  const starts = startsOf(day);
  const again = day.column('again').codes;
  const seconds = day.column('second').codes;
  const { terms, codes: events } = day.column('event');
  // A pageview has no event, whose term is the smallest; a code that no hit has stands for it on a day with events only.
  const pageview = terms[0] === 0 ? 0 : terms.length;
  const [pageMatch] = matchesOf(day, narrowing);
  // A product is faster than a quotient, and half a second keeps it away from the next hour.
  const perSecond = 1 / length;
  let last = start;
  let latestVisit = -1;
  /** The latest hour in which the visitor was counted, or -1. */
  let latest = -1;
  for (let i = 0; i < count; i++) {
    const visit = visits[i] as number;
    if (again[visit] === 0 || firstOf(again, visit) > latestVisit) latest = -1;
    latestVisit = visit;
    const end = starts[visit + 1] as number;
    for (let hit = starts[visit] as number; hit < end; hit++) {
      if (pageMatch && pageMatch.codes[hit] !== pageMatch.code) continue;
      const second = seconds[hit] as number;
      if (second > last) last = second;
      const rank = ranks[((second - start + 0.5) * perSecond) | 0] as number;
      pageviews[rank] = (pageviews[rank] as number) + isEqual(events[hit] as number, pageview);
      // Where an hour comes twice, a visitor may come in it, in the next and in it again.
      const isLater = (latest - rank) >>> 31;
      visitors[rank] = (visitors[rank] as number) + isLater;
      arrivals[rank] = (arrivals[rank] as number) + (isLater & (latest >>> 31));
      latest += (rank - latest) & -isLater;
    }
  }
  return last;
}

export function hoursOf(day: Day, selection: Selection, narrowing: HitTest, hours: Hours): DayHours {
  const slots = slotsOf(day, hours);
  const { numbers } = slots;
  const none = (): Uint32Array => new Uint32Array(numbers.length);
  const tallies: Tallies = { visitors: none(), arrivals: none(), pageviews: none() };
  const last = tallyHours(tallies, day, selection, narrowing, slots);
  const { visitors, arrivals, pageviews } = tallies;
  const sums = numbers.map((hour, rank) => ({
    ...{ hour, visitors: visitors[rank] ?? 0, arrivals: arrivals[rank] ?? 0, pageviews: pageviews[rank] ?? 0 },
  }));
  return { day: day.day, hours: sums.filter(({ visitors }) => visitors > 0), last };
}

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
