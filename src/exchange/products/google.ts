// Imports daily totals from Google Analytics 4.
//
// A day is imported only if the file has its visitors, visits and pageviews. Breakdowns of all other days are skipped,
// because they have no totals. A file is refused if it has a total, or a value such as a country, twice for one day.
// Without this check, both numbers would be added up.
//
// Example: a table with the columns Date, Country ID and Active users adds to the breakdown "countries". A table with
// Date, Country ID and City is skipped, because it has two dimensions. ../day-sums.ts calls `readGoogle`.

import { Refusal } from '../../lib/errors.ts';
import { writeInLine } from '../../lib/printable.ts';
import { DAY, DAY_MS, formatDay, isDay } from '../../lib/time.ts';
import type { SumSite } from '../format.ts';
import { type CsvRow, findRepeatedName, TWICE } from '../reading/csv.ts';
import { excerpt, lineRefusal } from '../reading/lines.ts';
import {
  AUTOMATIC,
  DAY_COLUMNS,
  DIMENSIONS,
  type GoogleMetric,
  METRIC_NAMES,
  METRICS,
  NEEDED,
  NONE,
  type ReportPlace,
  SOURCES_WITH_MEDIUM,
} from './google-names.ts';
import { type GoogleTable, readGoogleTables } from './google-tables.ts';
import { GOOGLE_TABLES } from './google-values.ts';
import { addRow, CHANNELS_NOTE } from './plausible-import.ts';
import type { PlausibleTable } from './plausible-tables.ts';
import { assertPast, type DaySums, type ImportedSums, makeDay, sortDays } from './sum-days.ts';

export async function readGoogle(path: string, today: number, site: SumSite): Promise<ImportedSums> {
  const { days, skipped, skip, leaveIncomplete, addTotals, addValue } = collector(site);
  const accepted: ImportedSums['accepted'] = [];
  const inFile = new Set<string>();
  const tables = (await readGoogleTables(path)).map((table) => ({ table, about: classifyTable(table) }));

  function read(table: GoogleTable, add: (entry: Entry) => string | undefined): void {
    let rows = 0;
    const repeated = findRepeatedName(table.names);
    if (repeated !== undefined) throw lineRefusal(table.rows[0]?.line ?? 1, repeated, TWICE);
    for (const { row, line } of table.rows) {
      const day = readDay(table, row, line);
      const reason = day >= today ? 'rows of days that are not over' : add({ row, line, day });
      if (reason === undefined) rows++;
      else skip(reason);
    }
    accepted.push([writeInLine(table.names.join(', ')), rows]);
    for (const name of listUnread(table)) skip(`column that is not imported: ${writeInLine(name)}`);
  }

  // The totals decide which days are imported. They are read first, even if they are at the end of the file.
  for (const { table, about } of tables) if (about === 'totals') read(table, addTotals);
  leaveIncomplete();
  const first = findFirstPlaces(tables.map(({ about }) => about));
  for (const { table, about } of tables) {
    if (about === 'totals') continue;
    const reason = 'reason' in about ? about.reason : first.get(about.breakdown) === about ? undefined : OTHER_TABLE;
    if ('reason' in about || reason !== undefined) {
      skip(writeInLine(`rows of a table ${reason}: ${table.names.join(', ')}`), table.rows.length);
      continue;
    }
    // `inFile` lists the breakdowns of the file. With events in this list, each day without rows of events would count
    // 0 events. But the file may lack some days of events, so `markEventDays` finds the days with known events.
    if (about.breakdown !== 'events') inFile.add(about.breakdown);
    read(table, (entry) => addValue(entry, about));
  }
  markEventDays(days);
  const notes = first.get('channels') === SOURCES_WITH_MEDIUM ? [CHANNELS_NOTE] : [];
  return { days: sortDays(days), inFile, accepted, skipped: [...skipped], notes };
}

/**
 * Marks the days whose events are known: all days between the first and the last day with rows of events. A marked day
 * without such rows had no events. Google's explorations cover at most 14 months, so an export of events often has
 * fewer days than the totals.
 */
function markEventDays(days: ReadonlyMap<number, DaySums>): void {
  const found = sortDays(days).filter(({ known }) => known.has('events'));
  const [first, last] = [found[0]?.day ?? 0, found.at(-1)?.day ?? -1];
  for (const { day, known } of days.values()) if (day >= first && day <= last) known.add('events');
}

const OTHER_TABLE = 'whose counts another table has too';

/**
 * Chooses one dimension of Google for each breakdown. With two dimensions, a visitor would count twice: once with the
 * language `de-at`, and once with the language `German`.
 */
function findFirstPlaces(tables: readonly ColumnMeaning[]): Map<string, ReportPlace> {
  const first = new Map<string, ReportPlace>();
  for (const place of DIMENSIONS.values()) {
    if (tables.includes(place) && !first.has(place.breakdown)) first.set(place.breakdown, place);
  }
  return first;
}

function readDay({ names, start }: GoogleTable, row: CsvRow, line: number): number {
  const name = names.find((one) => DAY_COLUMNS.includes(one)) ?? '';
  const text = row[name] ?? '';
  const isCounted = name.startsWith('N') || name.startsWith('n');
  const from = isCounted ? start : text;
  const date = from?.replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3') ?? '';
  const after = isCounted ? Number(text) : 0;
  if (!isDay(date) || !Number.isInteger(after) || text.trim() === '') {
    const help = isCounted
      ? 'needs "# Start date: 20260131" above, and a whole number'
      : 'must be a day such as 20260131';
    throw lineRefusal(line, name, `${help}, not ${excerpt(text)}`);
  }
  return assertPast(Date.parse(`${date}T00:00:00Z`) / DAY_MS + after, { line, name, text });
}

function readMetric(row: CsvRow, metric: GoogleMetric, line: number): number | undefined {
  const name = METRICS[metric].find((one) => one in row);
  // An empty cell means that the number is unknown. It must not count as 0.
  if (name === undefined || row[name]?.trim() === '') return undefined;
  const number = Number(row[name]);
  if (number >= 0 && (metric === 'average' || Number.isSafeInteger(number))) return number;
  throw lineRefusal(line, name, `must be a whole number, not ${excerpt(row[name])}`);
}

/**
 * Reads the sums of a row, and gives them Plausible's names. The imports of Google and Plausible share the code that
 * adds sums, which expects these names. A visit that Google does not call engaged counts as a bounce.
 */
function readRowSums(row: CsvRow, line: number): Partial<Record<string, string>> {
  const { visits, engaged, average, ...sums } = Object.fromEntries(
    METRIC_NAMES.map((metric) => [metric, readMetric(row, metric, line)]),
  );
  const all = {
    ...sums,
    visits,
    bounces: visits === undefined || engaged === undefined ? undefined : Math.max(0, visits - engaged),
    visit_duration: visits === undefined || average === undefined ? undefined : Math.round(visits * average),
  };
  return Object.fromEntries(
    Object.entries(all).flatMap(([name, sum]) => (sum === undefined ? [] : [[name, `${sum}`]])),
  );
}

/** What a table has: daily totals, or one dimension by day. A table that is skipped has a reason instead. */
type ColumnMeaning = 'totals' | ReportPlace | { reason: string };

const METRIC_COLUMNS = new Set<string>(Object.values(METRICS).flat());

/** Lists the columns before the first metric: the day, and the dimensions of the table, such as the country. */
const listDimensions = ({ names }: GoogleTable): readonly string[] =>
  names.slice(
    0,
    Math.max(
      0,
      names.findIndex((name) => METRIC_COLUMNS.has(name)),
    ),
  );

const hasMetric = ({ names }: GoogleTable, metric: GoogleMetric): boolean =>
  METRICS[metric].some((name) => names.includes(name));

function classifyTable(table: GoogleTable): ColumnMeaning {
  const dimensions = listDimensions(table);
  const [dimension, second] = dimensions.filter((name) => !DAY_COLUMNS.includes(name));
  if (!dimensions.some((name) => DAY_COLUMNS.includes(name))) return { reason: 'that is not by day' };
  if (second !== undefined) return { reason: `with a second dimension, ${second}` };
  if (dimension === undefined) return 'totals';
  const where = DIMENSIONS.get(dimension);
  if (!where) return { reason: `of a dimension that is not stored, ${dimension}` };
  const { hits } = GOOGLE_TABLES[where.table] as PlausibleTable;
  const needed: GoogleMetric[] = ['visitors', ...(hits ? [hits as GoogleMetric] : [])];
  const missing = needed.find((metric) => !hasMetric(table, metric));
  return missing ? { reason: `without ${METRICS[missing][0]}` } : where;
}

/** Lists the columns of figures that are not imported. The output of the import names them. */
function listUnread(table: GoogleTable): string[] {
  const read = METRIC_NAMES.map((metric) => METRICS[metric].find((name) => table.names.includes(name)));
  return table.names.slice(listDimensions(table).length).filter((name) => name !== '' && !read.includes(name as never));
}

const narrowTable = ({ table, breakdown }: ReportPlace): PlausibleTable => {
  const { counts = {}, totals, hits } = GOOGLE_TABLES[table] as PlausibleTable;
  const read = counts[breakdown];
  return {
    texts: [],
    ...(read && { counts: { [breakdown]: read } }),
    ...(totals && { totals }),
    ...(hits && { hits }),
  };
};

/**
 * Makes a function that refuses a second number for one total or value on one day. For example, a file may consist of
 * two exports, and both exports may contain 5 May. Without this check, the visitors of 5 May would count double.
 */
function refuseRepeats() {
  const seen = new Set<string>();
  return (key: string, line: number, words = key): void => {
    if (seen.has(key)) throw lineRefusal(line, `${excerpt(words)} is in the file twice. Leave out one of the exports`);
    seen.add(key);
  };
}

type Entry = { row: CsvRow; line: number; day: number };

function collector(site: SumSite) {
  const days = new Map<number, DaySums>();
  const skipped = new Map<string, number>();
  const refuseTwice = refuseRepeats();
  const skip = (what: string, rows = 1): void => void skipped.set(what, (skipped.get(what) ?? 0) + rows);

  return {
    days,
    skipped,
    skip,
    addTotals({ row, line, day }: Entry): undefined {
      const sums = readRowSums(row, line);
      for (const name of NEEDED.filter((one) => sums[one] !== undefined)) {
        refuseTwice(`${METRICS[name][0]} of ${formatDay(day * DAY)}`, line);
      }
      const daySums = days.get(day) ?? makeDay(day);
      days.set(day, daySums);
      addRow(daySums, { table: GOOGLE_TABLES.visitors as PlausibleTable, row: sums as CsvRow, line, site });
    },
    /** Removes days that lack a required total, which would count as 0. Throws if all days of the file lack it. */
    leaveIncomplete(): void {
      const all = [...days.values()];
      const missing = NEEDED.filter((name) => !all.some(({ known }) => known.has(name)));
      if (missing.length > 0) {
        const names = missing.map((name) => METRICS[name][0]).join(', ');
        throw new Refusal(`the file has no daily totals of ${names}. Export them by Date`);
      }
      for (const { day, known } of all) {
        const lacking = NEEDED.find((name) => !known.has(name));
        if (lacking === undefined) continue;
        days.delete(day);
        skip(`days without ${METRICS[lacking][0]}`);
      }
    },
    /** Adds the value of a row to the sums of its day. Returns the reason if the row is skipped. */
    addValue({ row, line, day }: Entry, { column, names = {}, ...where }: ReportPlace): string | undefined {
      const name = Object.keys(row).find((one) => DIMENSIONS.has(one)) ?? '';
      const value = row[name] ?? '';
      const ours = NONE.includes(value) ? '' : value;
      const sums = days.get(day);
      if (!sums) return 'rows of days without totals';
      sums.known.add(where.breakdown);
      if (where.breakdown === 'events' && AUTOMATIC.includes(value))
        return 'rows of automatic events, such as page_view';
      if (ours === '' && column.endsWith('page')) return 'rows without a page';
      const own = readRowSums(row, line);
      if (own.visitors === undefined) return `rows without ${METRICS.visitors[0]}`;
      const date = formatDay(day * DAY);
      // Two columns may fill one breakdown, such as "Page path" and `pagePath`. For this reason, a repeated value is
      // recognised by its breakdown and not by its column.
      refuseTwice(`${where.breakdown} ${value} of ${date}`, line, `${name} ${value} of ${date}`);
      const read = { ...own, [column]: Object.hasOwn(names, ours) ? names[ours] : ours } as CsvRow;
      addRow(sums, { table: narrowTable({ column, ...where }), row: read, line, site });
      return undefined;
    },
  };
}
