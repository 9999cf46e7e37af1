import type { Content } from '../engine.ts';
import { Refusal } from '../lib/errors.ts';
import { plural } from '../lib/plural.ts';
import { DAY, dayOf } from '../lib/time.ts';
import { isPipe } from '../logs/files.ts';
import type { ImportFile } from './import.ts';
import { type DaySums as PlausibleDay, readSums, type Sums } from './plausible-import.ts';
import { textList } from './text-list.ts';

async function read(path: string, today: number): Promise<Sums> {
  if (isPipe(path)) throw new Refusal('a zip is read from its end, so that it must be a file');
  return readSums(path, today);
}

/** A file of daily sums, as an engine takes it. */
function contentOf(days: readonly PlausibleDay[], today: number): Content {
  const { texts, placeOf } = textList();
  for (const { counts } of days) {
    for (const values of counts.values()) for (const { event, value } of values.values()) [event, value].map(placeOf);
  }
  const known = new Map(days.map((one) => [one.day, one]));
  return {
    today,
    texts,
    days: days.map(({ day }) => day),
    sumsOf(day) {
      const { totals, counts } = known.get(day) as PlausibleDay;
      return { day, totals, counts: new Map([...counts].map(([name, values]) => [name, [...values.values()]])) };
    },
  };
}

/** What a zip of Plausible brings: sums of days, without hits. */
export async function readPlausible(path: string, today: number): Promise<ImportFile> {
  const { days, taken, left } = await read(path, today);
  const sums = { visitors: 0, visits: 0, pageviews: 0, events: 0 };
  for (const { totals } of days)
    for (const name of Object.keys(sums) as (keyof typeof sums)[]) sums[name] += totals[name];
  const figures = Object.entries(sums).map(([name, sum]) => `${sum} ${name}`);
  const dates = days.map(({ day }) => dayOf(day * DAY));
  return {
    content: contentOf(days, today),
    what: `daily totals of ${plural(days.length, 'day')}`,
    lines: [
      `taken: ${figures.join(', ')}, ${dates[0] ?? 'no day'} to ${dates.at(-1) ?? ''}`,
      ...taken.map(([name, rows]) => `taken: ${rows} rows of ${name}`),
      ...left.map(([what, count]) => `left: ${count} ${what}`),
      'left: regions, cities, versions, utm_content, utm_term, scroll depths, which are not kept here',
    ],
    close() {},
  };
}
