import type { Dimension } from '../ledger/dimensions.ts';
import { ROLLUPS, type Rollup } from '../ledger/rollups.ts';
import { summed } from '../ledger/sum-days.ts';
import { Refusal } from '../lib/errors.ts';
import { dayOf } from '../lib/time.ts';
import { counted } from '../lib/words.ts';
import { isPipe } from '../logs/files.ts';
import type { Content } from './bring.ts';
import { type DaySums, readSums, type Sums } from './plausible-import.ts';

const DAY = 86_400;

async function read(path: string, today: number): Promise<Sums> {
  if (isPipe(path)) throw new Refusal('a zip is read from its end, so that it must be a file');
  return readSums(path, today);
}

/** Texts by their places in a list; the empty one has the first. */
function placing() {
  const texts = [''];
  const places = new Map([['', 0]]);
  return {
    texts,
    placeOf(text: string): number {
      const known = places.get(text);
      if (known !== undefined) return known;
      places.set(text, texts.length);
      return texts.push(text) - 1;
    },
  };
}

function rollupOf({ counts }: DaySums, name: Dimension, termOf: (text: string) => number): Rollup {
  const rows = [...(counts.get(name)?.values() ?? [])]
    .map(({ event, value, visitors, hits }) => ({ event: termOf(event), term: termOf(value), visitors, hits }))
    .sort((one, other) => one.event - other.event || one.term - other.term);
  return {
    events: rows.map(({ event }) => event),
    terms: rows.map(({ term }) => term),
    visitors: rows.map(({ visitors }) => visitors),
    hits: rows.map(({ hits }) => hits),
  };
}

/** What a zip of Plausible brings: sums of days, without hits. */
export async function sumsIn(path: string, today: number): Promise<Content> {
  const { days, taken, left } = await read(path, today);
  const { texts, placeOf } = placing();
  for (const { counts } of days) {
    for (const values of counts.values()) for (const { event, value } of values.values()) [event, value].map(placeOf);
  }
  const sums = { visitors: 0, visits: 0, pageviews: 0, events: 0 };
  for (const { totals } of days)
    for (const name of Object.keys(sums) as (keyof typeof sums)[]) sums[name] += totals[name];
  const figures = Object.entries(sums).map(([name, sum]) => `${sum} ${name}`);
  const dates = days.map(({ day }) => dayOf(day * DAY));
  return {
    days: days.map(({ day }) => day),
    what: `daily totals of ${counted(days.length, 'day')}`,
    lines: [
      `taken: ${figures.join(', ')}, ${dates[0] ?? 'no day'} to ${dates.at(-1) ?? ''}`,
      ...taken.map(([name, rows]) => `taken: ${rows} rows of ${name}`),
      ...left.map(([what, count]) => `left: ${count} ${what}`),
      'left: regions, cities, versions, utm_content, utm_term, scroll depths, which are not kept here',
    ],
    brought: {
      today,
      texts,
      past: days.length,
      *days(terms) {
        const termOf = (text: string): number => terms[placeOf(text)] as number;
        for (const day of days) {
          const rollups = Object.fromEntries(ROLLUPS.map((name) => [name, rollupOf(day, name, termOf)]));
          yield summed(day.day, day.totals, rollups as Record<Dimension, Rollup>);
        }
      },
    },
    close() {},
  };
}
