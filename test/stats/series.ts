import { date, daysOf, moment, SECONDS } from './days.ts';
import { type Counted, distinct, pageviewsIn } from './visits.ts';
import { beginOf, runningDay, shown, type Zones } from './zones.ts';

/** Kept, because the system takes long to say what clocks show. */
const hours = new Map<string, number>();

/** When the hour began that is running: on the full hour, or when the clocks were changed within it. */
export function hourOf(zone: string, at: number): number {
  const key = `${zone} ${at}`;
  const known = hours.get(key);
  if (known !== undefined) return known;
  const ahead = shown(zone, at) - at;
  let begin = at - (((shown(zone, at) % 3_600) + 3_600) % 3_600);
  while (shown(zone, begin) - begin !== ahead) begin += 60;
  hours.set(key, begin);
  return begin;
}

/** What clocks show at an instant, and by how much they are ahead of UTC. */
export function written(zone: string, at: number): string {
  const ahead = (shown(zone, at) - at) / 60;
  const [hour, minute] = [Math.floor(Math.abs(ahead) / 60), Math.abs(ahead) % 60].map((n) =>
    String(n).padStart(2, '0'),
  );
  return `${moment(at + ahead * 60).slice(0, 19)}${ahead < 0 ? '-' : '+'}${hour}:${minute}`;
}

/** The hours that begin or go on between two instants; none is shorter than a quarter. */
function hoursBetween(zone: string, from: number, to: number): number[] {
  const begins = new Set<number>();
  for (let at = from; at < to; at += 900) begins.add(hourOf(zone, at));
  return [...begins];
}

const sums = (name: string, within: readonly Counted[]) => ({
  date: name,
  visitors: distinct(within),
  pageviews: pageviewsIn(within).length,
});

function byHour(counted: readonly Counted[], zones: Zones, first: number, last: number) {
  const zone = zones.at(-1)?.zone ?? '';
  const hourOfHit = ({ hit }: Counted) => hourOf(zone, hit.day * SECONDS + hit.second);
  const ofHits = Map.groupBy(counted, hourOfHit);
  const all = new Set([...hoursBetween(zone, beginOf(zones, first), beginOf(zones, last + 1)), ...ofHits.keys()]);
  return [...all].sort((one, other) => one - other).map((hour) => sums(written(zone, hour), ofHits.get(hour) ?? []));
}

const NAMES: Record<string, (day: number) => string> = {
  day: date,
  // 5 January 1970 was a Monday.
  week: (day) => date(4 + Math.floor((day - 4) / 7) * 7),
  month: (day) => date(day).slice(0, 'YYYY-MM'.length),
};

/** What points of days, weeks or months are called. */
export const nameIn = (interval: string): ((day: number) => string) | undefined => NAMES[interval];

/** The points of a series over some days, none missing. */
export function seriesOf(
  counted: readonly Counted[],
  zones: Zones,
  [first, last]: readonly [first: number, last: number],
  asked: string | undefined,
) {
  const interval = asked ?? (last - first + 1 > 90 ? 'month' : 'day');
  const nameOf = NAMES[interval];
  if (!nameOf) return { interval, points: byHour(counted, zones, first, last) };
  const ofHits = Map.groupBy(counted, ({ hit }) => nameOf(hit.day));
  const names = new Set<string>();
  for (let day = first; day <= last; day++) names.add(nameOf(day));
  return { interval, points: [...names].map((name) => sums(name, ofHits.get(name) ?? [])) };
}

/** The same date a year before, or the 28th of February. */
function yearBefore(day: number): string {
  const [year = 0, ...rest] = date(day).split('-');
  return [Number(year) - 1, ...rest].join('-').replace('-02-29', '-02-28');
}

/** The days that a range is compared with; undefined where it is with none. */
function comparedDays(compare: string, first: number, last: number): [first: number, last: number] | undefined {
  if (compare === 'none') return undefined;
  if (compare === 'previous') return [first - (last - first + 1), first - 1];
  return daysOf(compare === 'year' ? `${yearBefore(first)}~${yearBefore(last)}` : compare, 0);
}

/** The first instant after the clocks of a zone show a time, found by trying. */
function after(zone: string, local: number): number {
  let quarter = Math.floor((local - 18 * 3_600) / 900) * 900;
  while (shown(zone, quarter + 900) < local) quarter += 900;
  while (shown(zone, quarter) < local) quarter++;
  return quarter + 1;
}

/**
 * The same, of the last of them only what came before the time of now where the range ends with the running day, or with a later one that
 * has begun elsewhere. Days that have not begun here are compared with none.
 */
export function comparedUntil(
  { compare = 'previous', compare_until: until }: Record<string, string | undefined>,
  [first, last]: readonly [first: number, last: number],
  zones: Zones,
  now: number,
  latest = runningDay(zones, now),
): [first: number, last: number, until?: number | undefined] | undefined {
  const days = comparedDays(compare, first, last);
  const today = runningDay(zones, now);
  if (!days || until === undefined || last < today || last > latest) return days;
  const [begin, end] = [days[0], days[1] - (last - today)];
  if (end < begin) return [begin, begin - 1];
  const zone = zones.at(-1)?.zone ?? '';
  return [begin, end, after(zone, shown(zone, now) + (end - today) * SECONDS)];
}
