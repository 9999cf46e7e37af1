// Imports daily totals from GoatCounter's JSON export.
//
// The file hit_stats has counts by hour, path and source. Each hour counts for its day in the site's time zone, and a
// day without hits is not imported. All other statistics are by day in UTC, as GoatCounter stores them.
//
// GoatCounter counts a person once for each path, and calls this count "visits". Its export has no number of persons,
// sessions or page loads. For this reason, the count of a page becomes its visitors, its visits and its pageviews.
// GoatCounter leaves bots out of the export.
//
// Example: the page /a has 4 visits from Google at 23:00 UTC on 5 March. For a site in Berlin, they count for 6 March,
// and the source is google.com. ../day-sums.ts calls `readGoatcounter`.
//
// An import is refused if it has more than 3,000,000 values of breakdowns, such as pages or countries. A value counts
// once for each day. An import is also refused if its lists of pages, sources and so on have more than 1,000,000 names
// or 256 MB. Without these limits, a zip that unpacks to gigabytes would fill the memory.

import { isRegion } from '../../classify/place.ts';
import { findScreen } from '../../classify/screen.ts';
import { cached } from '../../lib/cache.ts';
import { writeInLine } from '../../lib/printable.ts';
import { DAY_MS, isDay } from '../../lib/time.ts';
import { findSiteDay, UTC } from '../../lib/zone.ts';
import { QUARTER, type SumSite } from '../format.ts';
import type { JsonObject } from '../reading/json-objects.ts';
import { excerpt, lineRefusal } from '../reading/lines.ts';
import { parseSecond } from '../reading/moment.ts';
import type { ZippedFile } from '../reading/zip.ts';
import { type Lists, type Named, type NameLimits, readNames } from './goatcounter-names.ts';
import {
  assertComplete,
  findNamed,
  isKnownFile,
  listFiles,
  readCount,
  readLines,
  readText,
} from './goatcounter-zip.ts';
import {
  addCount,
  assertPast,
  type DaySums,
  type ImportedSums,
  MOST_VALUES,
  makeDay,
  sortDays,
  valueLimit,
} from './sum-days.ts';

type Limits = NameLimits & { values: number };
const LIMITS: Limits = { values: MOST_VALUES, names: 1_000_000, bytes: 256 * 1024 * 1024 };

export async function readGoatcounter(
  path: string,
  today: number,
  site: SumSite,
  limits: Partial<Limits> = {},
): Promise<ImportedSums> {
  const { values, ...ofNames } = { ...LIMITS, ...limits };
  await assertComplete(path);
  const { lists, createdAt } = await readNames(path, site, ofNames);
  // The day of the export was not over yet, so its counts are incomplete and not imported.
  const sums = collector(site, Math.min(today, findSiteDay(site, createdAt)), valueLimit(values));
  const accepted: ImportedSums['accepted'] = [];
  const inFile = new Set(['pages', 'events', ...REFERRERS]);

  async function read(
    file: ZippedFile,
    onRow: (fields: JsonObject, line: number) => string | undefined,
  ): Promise<void> {
    let rows = 0;
    await readLines(file, (fields, line) => {
      const reason = onRow(fields, line);
      if (reason === undefined) rows++;
      else sums.skip(reason);
    });
    accepted.push([writeInLine(file.name), rows]);
  }

  // The counts by hour decide which days are imported. They are read first, although they are at the end of the zip.
  for await (const { base, file } of listFiles(path)) {
    if (base === 'hit_stats.jsonl') await read(file, sums.hitReader(lists));
  }
  for await (const { base, file } of listFiles(path)) {
    const statistics = Object.hasOwn(BY_DAY, base) ? BY_DAY[base] : undefined;
    if (!statistics) {
      if (!isKnownFile(base)) sums.skipFile(file.name);
      continue;
    }
    for (const breakdown of statistics.breakdowns) inFile.add(breakdown);
    await read(file, sums.dayReader(lists, statistics.find));
  }
  const days = sortDays(sums.days);
  return {
    ...{ days, inFile, accepted, skipped: [...sums.skipped], quarters: sums.quarters },
    notes: describe(days, site),
    countsByPage: true,
  };
}

const REFERRERS = ['referrers', 'utm_source'];

/**
 * Finds the country and the region of a row. A country has two letters. A region adds a hyphen and a code to them, such
 * as DE-BW.
 */
const findPlaces = cached(
  (place): Named => [
    ['countries', /^([A-Z]{2})(?:-|$)/.exec(place)?.[1] ?? ''],
    ['regions', isRegion(place) ? place : ''],
  ],
  { size: 10_000 },
);

/**
 * Finds the language of a row. GoatCounter has codes of three letters, such as deu. daybook stores the shorter codes
 * that browsers send, such as de.
 */
const findLanguage = cached(
  (code): Named => {
    const isCode = /^[a-z]{3}$/.test(code) && code !== 'und';
    return [['languages', isCode ? (Intl.getCanonicalLocales(code)[0]?.split('-')[0] ?? '') : '']];
  },
  { size: 10_000 },
);

type FindNamed = (lists: Lists, fields: JsonObject, line: number) => Named;

/** The statistics by day. `find` returns the values to which a row adds its count. */
const BY_DAY: Readonly<Record<string, { breakdowns: readonly string[]; find: FindNamed }>> = {
  'browser_stats.jsonl': {
    breakdowns: ['browsers', 'browser_versions'],
    find: ({ browsers }, fields, line) => findNamed(browsers, 'browsers', { fields, name: 'browser_id', line }),
  },
  'system_stats.jsonl': {
    breakdowns: ['operating_systems', 'os_versions'],
    find: ({ systems }, fields, line) => findNamed(systems, 'systems', { fields, name: 'system_id', line }),
  },
  'location_stats.jsonl': {
    breakdowns: ['countries', 'regions'],
    find: (_, fields, line) => findPlaces(readText(fields, 'location', line)),
  },
  'language_stats.jsonl': {
    breakdowns: ['languages'],
    find: (_, fields, line) => findLanguage(readText(fields, 'language', line)),
  },
  'size_stats.jsonl': {
    breakdowns: ['screens'],
    // GoatCounter writes 0 for a width that it does not know.
    find: (_, fields, line) => [['screens', findScreen(readCount(fields, 'width', line) || undefined)]],
  },
};

/** The most skipped files that `daybook import` names. Further files are counted together as "other files". */
const MOST_NAMED = 20;

type ReadRow = (fields: JsonObject, line: number) => string | undefined;

/**
 * Adds rows to the sums of days. `hitReader` and `dayReader` make functions that add one row. If such a function skips
 * the row, it returns the reason.
 */
function collector(site: SumSite, end: number, limit: (added: number, line: number) => void) {
  const days = new Map<number, DaySums>();
  const quarters = new Set<number>();
  const skipped = new Map<string, number>();
  const skip = (what: string): void => void skipped.set(what, (skipped.get(what) ?? 0) + 1);

  function addAll(sums: DaySums, named: Named, count: { visitors: number; hits?: number }, line: number): void {
    for (const [breakdown, value] of named) limit(addCount(sums, { breakdown, value, ...count }), line);
  }

  return {
    days,
    quarters,
    skipped,
    skip,
    skipFile: (name: string): void =>
      skip(skipped.size < MOST_NAMED ? `file that is not a known table: ${writeInLine(name)}` : 'other files'),
    hitReader({ paths, refs }: Lists): ReadRow {
      const readHour = momentReader('hour', 'a time such as 2026-03-05T19:00:00Z', parseSecond);
      return (fields, line) => {
        const second = readHour(fields, line);
        const path = findNamed(paths, 'paths', { fields, name: 'path_id', line });
        const referrer = findNamed(refs, 'refs', { fields, name: 'ref_id', line });
        const visitors = readCount(fields, 'count', line);
        const day = assertPast(findSiteDay(site, second), { line, name: 'hour', text: `${fields.hour}` });
        if (day >= end) return 'rows of days that were not over';
        const sums = days.get(day) ?? makeCountedDay(day);
        days.set(day, sums);
        quarters.add(Math.floor(second / QUARTER));
        addAll(sums, path, { visitors, hits: visitors }, line);
        if (isEvent(path)) sums.totals.events += visitors;
        else {
          for (const total of ['visitors', 'visits', 'pageviews'] as const) sums.totals[total] += visitors;
          addAll(sums, referrer, { visitors }, line);
        }
        return undefined;
      };
    },
    dayReader(lists: Lists, find: FindNamed): ReadRow {
      const readDay = momentReader('day', 'a day such as 2026-03-05', parseDay);
      return (fields, line) => {
        const day = readDay(fields, line);
        const path = findNamed(lists.paths, 'paths', { fields, name: 'path_id', line });
        const named = find(lists, fields, line);
        const visitors = readCount(fields, 'count', line);
        const sums = days.get(day);
        if (day >= end) return 'rows of days that were not over';
        if (!sums) return 'rows of days without hits';
        if (isEvent(path)) return EVENT_ROWS;
        addAll(sums, named, { visitors }, line);
        return undefined;
      };
    },
  };
}

const EVENT_ROWS = 'rows of events in the statistics of browsers, systems, countries, languages and screens';

const isEvent = ([first]: Named): boolean => first?.[0] === 'events';

/** Makes an empty day. Bounces and seconds stay unknown, because the file does not have them. */
function makeCountedDay(day: number): DaySums {
  const sums = makeDay(day);
  for (const total of ['visitors', 'visits', 'pageviews', 'events']) sums.known.add(total);
  return sums;
}

const parseDay = (text: string): number => (isDay(text) ? Date.parse(`${text}T00:00:00Z`) / DAY_MS : Number.NaN);

/**
 * Makes a reader of times that must never go back. GoatCounter writes its rows in the order of time. If somebody joined
 * two exports into one file, days in both exports would count twice. Where the second export begins, the time goes
 * back, and the file is refused.
 */
function momentReader(name: string, must: string, parse: (text: string) => number) {
  let latest = { text: '', moment: Number.NEGATIVE_INFINITY };
  return (fields: JsonObject, line: number): number => {
    const text = readText(fields, name, line);
    if (text === latest.text) return latest.moment;
    const moment = parse(text);
    if (Number.isNaN(moment)) throw lineRefusal(line, name, `must be ${must}, not ${excerpt(text)}`);
    if (moment < latest.moment) {
      const help = 'If the file was joined from two exports, import each of them separately';
      throw lineRefusal(line, name, `must not be before ${latest.text} of a line above. ${help}`);
    }
    latest = { text, moment };
    return moment;
  };
}

/** Explains why GoatCounter shows other totals than daybook. Also names the statistics whose days are days in UTC. */
function describe(days: readonly DaySums[], { timeZone }: SumSite): string[] {
  const sum = (total: 'visits' | 'events') => days.reduce((all, { totals }) => all + totals[total], 0);
  const [visits, events] = [sum('visits'), sum('events')];
  return [
    `GoatCounter shows these days as ${visits + events} visits, or ${visits} without events. It counts a person once for each page, and does not export the number of persons`,
    ...(timeZone === UTC
      ? []
      : [
          `browsers, systems, countries, languages and screens: by days in UTC, as GoatCounter counts them. All else is by days in ${timeZone}`,
        ]),
  ];
}
