import type { Content } from '../engine.ts';
import { Refusal } from '../lib/errors.ts';
import { plural } from '../lib/plural.ts';
import { DAY, dayOf } from '../lib/time.ts';
import { isPipe } from '../logs/files.ts';
import type { ImportFile, SumFormat, SumSite } from './format.ts';
import { type DaySums as PlausibleDay, readSums, type Sums } from './plausible-import.ts';
import { textList } from './text-list.ts';

async function read(path: string, today: number, site: SumSite): Promise<Sums> {
  if (isPipe(path)) throw new Refusal('a zip is read from its end, so it must be a file and not a pipe');
  return readSums(path, today, site);
}

function contentOf(days: readonly PlausibleDay[], today: number, timeZone: string): Content {
  const { texts, indexOf } = textList();
  for (const { counts } of days) {
    for (const values of counts.values()) for (const { event, value } of values.values()) [event, value].map(indexOf);
  }
  const byDay = new Map(days.map((one) => [one.day, one]));
  return {
    today,
    timeZone,
    texts,
    days: days.map(({ day }) => day),
    sumsOf(day) {
      const { totals, counts } = byDay.get(day) as PlausibleDay;
      return { day, totals, counts: new Map([...counts].map(([name, values]) => [name, [...values.values()]])) };
    },
  };
}

async function readPlausible(path: string, today: number, site: SumSite): Promise<ImportFile> {
  const { days, accepted, skipped } = await read(path, today, site);
  const sums = { visitors: 0, visits: 0, pageviews: 0, events: 0 };
  for (const { totals } of days)
    for (const name of Object.keys(sums) as (keyof typeof sums)[]) sums[name] += totals[name];
  const figures = Object.entries(sums).map(([name, sum]) => `${sum} ${name}`);
  const dates = days.map(({ day }) => dayOf(day * DAY));
  return {
    content: contentOf(days, today, site.timeZone),
    name: `daily totals of ${plural(days.length, 'day')}`,
    lines: [
      `accepted: ${figures.join(', ')}, ${dates[0] ?? 'no day'} to ${dates.at(-1) ?? ''}`,
      ...accepted.map(([name, rows]) => `accepted: ${rows} rows of ${name}`),
      ...skipped.map(([what, count]) => `skipped: ${count} ${what}`),
      'skipped: regions, cities, versions, utm_content, utm_term and scroll depths, which daybook does not store',
    ],
    close() {},
  };
}

export const PLAUSIBLE: SumFormat = {
  help: 'its zip, which has daily totals and no hits',
  readSums: readPlausible,
};
