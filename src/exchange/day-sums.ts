// Imports daily totals: files with the sums of each day, and without single hits. Three formats are of this kind: the
// zips of Plausible and GoatCounter, and exports of Google Analytics.
//
// A day has totals and the counts of breakdowns. If a file lacks a sum, the sum of the day is unknown, and never 0.
//
// Example: if no column of a file has bounces, the bounce rate of the day is null. `daybook import` prints which sums
// were accepted, unknown and skipped (src/cli/import.ts).

import type { ImportContent } from '../engine/import-content.ts';
import { coded } from '../lang/coded.ts';
import { Refusal } from '../lib/errors.ts';
import { plural } from '../lib/plural.ts';
import { DAY, formatDay } from '../lib/time.ts';
import { isPipe } from '../logs/files.ts';
import { PERSONS } from '../stats/aggregates.ts';
import { type Breakdown, isStored, REVENUE } from '../stats/dimensions.ts';
import { listSumsOff } from '../stats/dimensions-off.ts';
import type { ImportFile, SumFormat, SumSite } from './format.ts';
import { readGoatcounter } from './products/goatcounter-sums.ts';
import { readGoogle } from './products/google.ts';
import { readSums } from './products/plausible-import.ts';
import type { ImportedSums, DaySums as ReadDay } from './products/sum-days.ts';
import { codePart } from './reading/sheet.ts';
import { textList } from './reading/text-list.ts';
import { describeDropped, describeUnknown, listUnknown } from './unknown-sums.ts';

type Read = (path: string, today: number, site: SumSite) => Promise<ImportedSums>;

const readZip =
  (readAll: Read): Read =>
  async (path, today, site) => {
    if (isPipe(path)) throw new Refusal('a zip must be a file, not a pipe, because it is read from its end');
    return readAll(path, today, site);
  };

function buildContent(
  { days, inFile, countsByPage = false }: ImportedSums,
  today: number,
  timeZone: string,
): ImportContent {
  const { texts, indexOf } = textList();
  for (const { counts } of days) {
    // Channels are stored as numbers from a fixed list (classify/channel.ts). So their names are not added to the texts
    // of the import.
    const own = [...counts].filter(([name]) => isStored(name as Breakdown));
    for (const [, values] of own) for (const { event, value } of values.values()) [event, value].map(indexOf);
  }
  const byDay = new Map(days.map((one) => [one.day, one]));
  return {
    today,
    timeZone,
    texts,
    days: days.map(({ day }) => day),
    readSums(day) {
      const one = byDay.get(day) as ReadDay;
      const { totals, counts } = one;
      const isOfPages = countsByPage && totals.visitors > 0;
      const unknown = [...listUnknown(one, inFile), ...(isOfPages ? [PERSONS] : []), REVENUE] as const;
      return {
        day,
        totals,
        unknown,
        counts: new Map([...counts].map(([name, values]) => [name, [...values.values()]])),
      };
    },
  };
}

const makeSumReader =
  (readAll: Read, leftOut: string): SumFormat['readSums'] =>
  async (path, today, site): Promise<ImportFile> => {
    const read = await readAll(path, today, site);
    const missing = describeUnknown(read);
    const dropped = dropBreakdowns(read, listSumsOff(site.dimensionsOff));
    const { days, accepted, skipped } = read;
    const sums = { visitors: 0, visits: 0, pageviews: 0, events: 0 };
    for (const { totals } of days)
      for (const name of Object.keys(sums) as (keyof typeof sums)[]) sums[name] += totals[name];
    const dates = days.map(({ day }) => formatDay(day * DAY));
    return {
      content: buildContent(read, today, site.timeZone),
      name: `daily totals of ${plural(days.length, 'day')}`,
      sheet: [
        coded('sheet_sums', { ...sums, from: dates[0] ?? 'no day', to: dates.at(-1) ?? '' }),
        ...accepted.map(([table, rows]) => coded('sheet_rows', { rows, table })),
        ...(read.notes ?? []).map((text) => coded('other_text', { text })),
        ...missing,
        ...skipped.map(([what, count]) => coded('sheet_skipped_rows', { count, reason: [codePart(what)] })),
        ...describeDropped(dropped).map((what) => coded('sheet_left', { what: [what] })),
        coded('sheet_left_sums', { what: [codePart(leftOut)] }),
      ],
      ...(read.quarters && { quarters: read.quarters }),
      close() {},
    };
  };

/**
 * Removes the breakdowns that a site does not keep, so that they count as unknown. Returns the removed breakdowns that
 * had values.
 */
function dropBreakdowns({ days, inFile }: ImportedSums, off: readonly Breakdown[]): Breakdown[] {
  const found = new Set<Breakdown>();
  for (const { counts, known } of days) {
    for (const name of off) {
      known.delete(name);
      if ([...(counts.get(name)?.values() ?? [])].some(({ value }) => value !== '')) found.add(name);
      counts.delete(name);
    }
  }
  for (const name of off) inFile.delete(name);
  return [...found];
}

export const PLAUSIBLE: SumFormat = {
  help: 'its zip, which has daily totals and no hits',
  readSums: makeSumReader(
    readZip(readSums),
    'cities (Plausible writes only numbers for them), scroll depths and times on page',
  ),
};

export const GOATCOUNTER_SUMS: SumFormat = {
  help: 'its zip of JSON files, which has daily totals and no hits',
  readSums: makeSumReader(readZip(readGoatcounter), 'page titles'),
};

export const GOOGLE: SumFormat = {
  help: 'CSV exports or runReport answers of Google Analytics 4 with daily totals',
  readSums: makeSumReader(readGoogle, 'other dimensions and metrics of Google Analytics'),
};
