// Reads the export of Google's Search Console. The export is a zip with tables of search terms (Google calls them
// queries), pages, countries, devices and days. A single table with a column of days can be read too.
//
// In a zip, only the table of days has days. The rows of all other tables are about all days together. Google leaves
// out rare search terms, so the sum of the search terms is less than the sum of the days. The column of the click rate
// is not read, because daybook computes the rate.
//
// Invariant: a row with a position of at most three decimals is stored exactly.
//
// Example: a zip of May has the row `shoes,12,340,3.53%,4.2`. The row gives 12 clicks and 340 impressions from 1 to 31
// May. The figure `places` is the position in thousandths, times the impressions: 4,200 × 340 = 1,428,000.
// ../formats.ts lists SEARCH_CONSOLE.

import { createReadStream } from 'node:fs';
import { isOnSite } from '../../classify/host.ts';
import { keepPage, type PageRules } from '../../classify/page.ts';
import { coded } from '../../lang/coded.ts';
import { Refusal, USAGE } from '../../lib/errors.ts';
import { DAY, formatDay, isDay, parseDay } from '../../lib/time.ts';
import { isPipe, openLog } from '../../logs/files.ts';
import { SEARCH_KINDS, SEARCH_ROWS_PER_SITE, type SearchFigures, type SearchKind } from '../../store/sites/searches.ts';
import type { SearchFile, SearchFormat } from '../format.ts';
import { type CsvRow, csvReader } from '../reading/csv.ts';
import { excerpt, lineRefusal } from '../reading/lines.ts';
import { listZipped } from '../reading/zip.ts';
import {
  findSearchKind,
  findSearchMetric,
  nameCountry,
  nameDevice,
  SEARCH_METRICS,
  type SearchMetric,
} from './search-names.ts';

type SearchSite = { domain: string } & PageRules;

export const SEARCH_CONSOLE: SearchFormat = {
  help: "the zip of Google's Search Console, or a CSV with a column Date",
  readSearches: async (path, site) => {
    if (isPipe(path)) throw new Refusal('searches cannot be read from a pipe. Name a file', USAGE);
    const table = collect(site);
    if (await isZip(path)) {
      for await (const { name, bytes } of listZipped(path)) {
        if (!name.endsWith('.csv')) continue;
        await feed(bytes(), table.makeReader(name));
      }
    } else {
      const file = openLog(path);
      await feed(file.bytes(0), table.makeReader(path)).finally(file.close);
    }
    return table.finish(path);
  },
};

async function isZip(path: string): Promise<boolean> {
  for await (const bytes of createReadStream(path, { end: 3 }))
    return (bytes as Buffer).toString('latin1') === 'PK\u0003\u0004';
  return false;
}

async function feed(
  chunks: AsyncIterable<Buffer> | Iterable<Buffer>,
  reader: ReturnType<typeof csvReader>,
): Promise<void> {
  for await (const chunk of chunks) reader.feed(chunk);
  reader.end();
}

type Columns = { name: string | undefined; kind: SearchKind; day: string | undefined } & Record<SearchMetric, string>;

/**
 * The largest figure of one row: clicks, impressions or `places`. A larger figure is refused. A report adds up all rows
 * of a site, and SQLite can add up whole numbers only below 2 ** 63. Example: 10,000,000,000 impressions at position 9
 * are allowed, because their `places` are 90,000,000,000,000. At position 10, they are refused.
 */
const MOST_FIGURE = 2 ** 63 / SEARCH_ROWS_PER_SITE - 1;

/** `day` is undefined if the row is about all days of the file. */
type ReadRow = SearchFigures & { kind: SearchKind; name: string; day: number | undefined };

function collect(site: SearchSite) {
  const rows = new Map<string, ReadRow>();
  const skipped = { count: 0 };

  function add(row: ReadRow, line: number): void {
    const key = `${row.kind} ${row.day ?? ''} ${row.name}`;
    const known = rows.get(key);
    // All rows are in memory, so a file is refused at the first row above the limit of a site.
    if (!known && rows.size >= SEARCH_ROWS_PER_SITE) throw new Refusal(writeTooMany(site.domain));
    // Two URLs of Google may be one page of daybook, so their figures are added up.
    const sums = known ? { ...row, ...addFigures(known, row) } : row;
    if (Math.max(sums.clicks, sums.impressions, sums.places) > MOST_FIGURE)
      throw lineRefusal(line, 'the impressions and the position are too large');
    rows.set(key, sums);
  }

  /**
   * Makes the reader of one table. If a table has none of the known columns, such as a table of filters, its rows are
   * ignored.
   */
  function makeReader(file: string) {
    let columns: Columns | undefined;
    return csvReader({
      required: [],
      header(names) {
        columns = findColumns(names, file);
        return names;
      },
      onRow(row, line) {
        const read = columns && readRow(row, columns, site, line);
        if (read) add(read, line);
        else if (columns) skipped.count++;
      },
    });
  }

  return { makeReader, finish: (path: string) => finish(path, [...rows.values()], skipped.count) };
}

const addFigures = (one: SearchFigures, other: SearchFigures): SearchFigures => ({
  clicks: one.clicks + other.clicks,
  impressions: one.impressions + other.impressions,
  places: one.places + other.places,
});

function findColumns(names: readonly string[], file: string): Columns | undefined {
  const dimensions = names.flatMap((name) => {
    const kind = findSearchMetric(name) === undefined ? findSearchKind(name) : undefined;
    return kind === undefined ? [] : [{ name, kind }];
  });
  if (dimensions.length === 0) return undefined;
  const [named, ...more] = dimensions.filter(({ kind }) => kind !== 'day');
  if (more.length > 0)
    throw new Refusal(`${file}: it has several of query, page, country and device. Export one of them with the day`);
  const day = dimensions.find(({ kind }) => kind === 'day')?.name;
  const metrics = SEARCH_METRICS.map((metric) => {
    const column = names.find((name) => findSearchMetric(name) === metric);
    if (column === undefined)
      throw new Refusal(`${file}: it has no column of ${metric}. Export it without a comparison`);
    return [metric, column];
  });
  return {
    name: named?.name,
    kind: named?.kind ?? 'day',
    day,
    ...(Object.fromEntries(metrics) as Record<SearchMetric, string>),
  };
}

function readRow(row: CsvRow, columns: Columns, site: SearchSite, line: number): ReadRow | undefined {
  const cell = (column: string): string => (row[column] ?? '').trim();
  const name = columns.name === undefined ? '' : readName(cell(columns.name), columns.kind, site);
  if (name === undefined) return undefined;
  const impressions = readCount(cell(columns.impressions), columns.impressions, line);
  const position = impressions === 0 ? 0 : readThousandths(cell(columns.position), columns.position, line);
  return {
    ...{ kind: columns.kind, name, impressions, places: position * impressions },
    clicks: readCount(cell(columns.clicks), columns.clicks, line),
    day: columns.day === undefined ? undefined : readDay(cell(columns.day), columns.day, line),
  };
}

const LONGEST_NAME = 1_024;

/** Reads the name of a row. Returns undefined for a page of another website, and for an empty name. */
function readName(text: string, kind: SearchKind, site: SearchSite): string | undefined {
  if (kind === 'page') {
    const url = URL.parse(text);
    if (!url || !isOnSite(site, url.hostname)) return undefined;
    return keepPage({ pathname: url.pathname, search: url.search, hash: '' }, site);
  }
  const name = kind === 'country' ? nameCountry(text) : kind === 'device' ? nameDevice(text) : text;
  return name.slice(0, LONGEST_NAME) || undefined;
}

/** Reads a whole number. In some languages, Google separates thousands: 1,234 or 1.234 or 1 234. */
function readCount(text: string, column: string, line: number): number {
  const digits = text.replaceAll(/[\s\u00a0\u202f.,'’](?=\d{3}(?!\d))/g, '');
  if (!/^\d{1,12}$/.test(digits)) throw lineRefusal(line, `${column} must be a whole number, not ${excerpt(text)}`);
  return Number(digits);
}

/** Reads a position such as 4.25 or 4,25, in thousandths. Further decimals are rounded. */
function readThousandths(text: string, column: string, line: number): number {
  if (!/^\d{1,6}(?:[.,]\d+)?$/.test(text)) throw lineRefusal(line, `${column} must be a number, not ${excerpt(text)}`);
  return Math.round(Number(text.replace(',', '.')) * 1_000);
}

function readDay(text: string, column: string, line: number): number {
  if (!isDay(text)) throw lineRefusal(line, `${column} must be a day such as 2026-03-10, not ${excerpt(text)}`);
  return parseDay(text);
}

/**
 * The most days from the first to the last day of a file. A file with more days is refused. cli/import-searches.ts
 * lists each of these days in memory, so a file about centuries would need a lot of memory. An export of Google has
 * only the last 16 months.
 */
const MOST_DAYS = 5 * 366;

function finish(path: string, read: readonly ReadRow[], skipped: number): SearchFile {
  const left = skipped === 0 ? [] : [coded('sheet_left_searches', { rows: skipped })];
  if (read.length === 0) return { rows: [], sheet: left };
  const days = [...new Set(read.flatMap(({ day }) => day ?? []))];
  if (days.length === 0) throw new Refusal(`${path} has no days. Import the whole zip, with its table of days`);
  const [first, last] = [Math.min(...days), Math.max(...days)];
  if (last - first >= MOST_DAYS) {
    const span = `${formatDay(first * DAY)} to ${formatDay(last * DAY)}`;
    throw new Refusal(`${path} has days from ${span}. Five years is the most that one file can have`);
  }
  const rows = read.map(({ day, ...row }) => ({ ...row, firstDay: day ?? first, lastDay: day ?? last }));
  const counts = SEARCH_KINDS.flatMap((kind) => {
    const count = rows.filter((row) => row.kind === kind).length;
    return count === 0 ? [] : [coded(`kind_search_${kind}`, { count })];
  });
  const said = { kinds: counts, from: formatDay(first * DAY), to: formatDay(last * DAY) };
  return { rows, sheet: [coded('sheet_searches', said), ...left] };
}

export const writeTooMany = (domain: string): string =>
  `${domain} can have at most ${SEARCH_ROWS_PER_SITE} rows of searches. Nothing was imported.`;
