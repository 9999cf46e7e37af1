import { beginOf, type Zones } from './zones.ts';

export const SECONDS = 86_400;
export const dayOf = (time: number): number => Math.floor(time / SECONDS);
const dayNamed = (date: string): number => dayOf(Date.parse(`${date}T00:00:00Z`) / 1000);
export const moment = (time: number): string => new Date(time * 1000).toISOString().replace('.000Z', 'Z');
export const date = (day: number): string => moment(day * SECONDS).slice(0, 10);

/** First and last day of a range, which is asked for on a day. */
export function daysOf(range: string, today: number): [first: number, last: number] {
  const at = new Date(today * SECONDS * 1000);
  if (range === 'today') return [today, today];
  if (range === '7d') return [today - 6, today];
  if (range === '30d') return [today - 29, today];
  if (range === '12m') return [dayOf(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() - 11, 1) / 1000), today];
  const [first = '', last = ''] = range.split('~');
  return [dayNamed(first), dayNamed(last)];
}

/** Kept, because finding out when a day begins takes long. */
const periods = new WeakMap<Zones, Map<string, { from: string; to: string }>>();

/** The first and the last second of a range, which may end before an instant. */
export function period(
  zones: Zones,
  [first, last, until]: readonly [first: number, last: number, until?: number | undefined],
): { from: string; to: string } {
  const { from, to } = wholePeriod(zones, first, last);
  if (until === undefined) return { from, to };
  return { from, to: moment(Math.max(beginOf(zones, last) - 1, Math.min(Date.parse(to) / 1000, until - 1))) };
}

function wholePeriod(zones: Zones, first: number, last: number): { from: string; to: string } {
  const known = periods.get(zones) ?? new Map<string, { from: string; to: string }>();
  periods.set(zones, known);
  const key = `${first} ${last}`;
  const found = known.get(key) ?? {
    from: moment(beginOf(zones, first)),
    to: moment(beginOf(zones, last + 1) - 1),
  };
  known.set(key, found);
  return found;
}
