export const SECONDS = 86_400;
export const dayOf = (time: number): number => Math.floor(time / SECONDS);
const dayNamed = (date: string): number => dayOf(Date.parse(`${date}T00:00:00Z`) / 1000);
export const moment = (time: number): string => new Date(time * 1000).toISOString().replace('.000Z', 'Z');
export const date = (day: number): string => moment(day * SECONDS).slice(0, 10);

/** First and last day of a range. */
export function daysOf(range: string, now: number): [first: number, last: number] {
  const today = dayOf(now);
  const at = new Date(now * 1000);
  if (range === 'today') return [today, today];
  if (range === '7d') return [today - 6, today];
  if (range === '30d') return [today - 29, today];
  if (range === '12m') return [dayOf(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() - 11, 1) / 1000), today];
  const [first = '', last = ''] = range.split('~');
  return [dayNamed(first), dayNamed(last)];
}

export const period = (first: number, last: number) => ({
  from: `${date(first)}T00:00:00Z`,
  to: `${date(last)}T23:59:59Z`,
});
