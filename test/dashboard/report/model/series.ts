import type { Timeseries } from '../../../../src/api/answers.ts';

export const TODAY = '2026-03-10';
export const NOW = Date.parse('2026-03-10T13:30:00Z');

export const series = (from: string, to: string, dates: string[]): Timeseries => ({
  from: `${from}T00:00:00Z`,
  to: `${to}T23:59:59Z`,
  filters: {},
  interval: dates[0]?.length === 7 ? 'month' : 'day',
  points: dates.map((date, i) => ({ date, visitors: i + 1, pageviews: 10 * (i + 1) })),
});
