// An import of daily totals from the zip that Plausible exports.
//
// The zip has CSV files, each with one table. The table imported_visitors decides which days count. Rows of all other
// days and of today are skipped. If two files of a table have the same day, the import is refused: the day would count
// double. At most 3,000,000 values are in memory together.
//
// ../day-sums.ts calls `readSums`. google.ts calls `addRow` for its rows too.

import { copyText } from '../../lib/copy-text.ts';
import { Refusal } from '../../lib/errors.ts';
import { writeInLine } from '../../lib/printable.ts';
import { DAY, DAY_MS, formatDay, isDay } from '../../lib/time.ts';
import { UNKNOWN_TOTALS } from '../../stats/aggregates.ts';
import { BREAKDOWN_NAMES, BREAKDOWNS, DIMENSIONS } from '../../stats/dimensions.ts';
import type { SumSite } from '../format.ts';
import { type CsvRow, csvReader } from '../reading/csv.ts';
import { excerpt, lineRefusal } from '../reading/lines.ts';
import { listZipped, type ZippedFile } from '../reading/zip.ts';
import { findTable, type PlausibleTable, readEvent, TABLES, type Totals } from './plausible-tables.ts';

/** A value of a breakdown with its counts. Only the label of an event has a text in `event`: the name of the event. */
type ImportedCount = { event: string; value: string; visitors: number; hits: number };

/**
 * The sums of one day. `known` lists the totals and breakdowns that the file has for the day. All others are unknown,
 * and not 0.
 */
export type DaySums = {
  day: number;
  totals: Totals;
  counts: Map<string, Map<string, ImportedCount>>;
  known: Set<string>;
};

/**
 * What a file has. `inFile` lists its breakdowns. `accepted` and `skipped` say how many rows were read, and how many
 * were not, with the reason.
 */
export type ImportedSums = {
  days: DaySums[];
  inFile: Set<string>;
  accepted: [name: string, rows: number][];
  skipped: [what: string, rows: number][];
};

const NUMBER = /^\d{1,9}$/;

/** Breakdowns that have no row for the empty value: visits without a campaign are not listed as a campaign. */
const WITHOUT_EMPTY: readonly string[] = BREAKDOWN_NAMES.filter((name) => !DIMENSIONS[BREAKDOWNS[name]].keepsEmpty);

/**
 * The most breakdown values that one import may have, such as pages or countries. A value counts again on each day. All
 * are in memory, and a million take 600 MB. With more, the import is refused.
 */
const MOST_VALUES = 3_000_000;

/**
 * The largest number of skipped files that the output names. Further files are only counted, so that the output stays
 * short.
 */
const MOST_NAMED = 20;

/** Days are numbered from 1970, and daybook stores no day with a negative number. */
export function assertPast(day: number, { line, name, text }: { line: number; name: string; text: string }): number {
  if (day >= 0) return day;
  throw lineRefusal(line, name, `must be from 1970 on, not ${excerpt(text)}`);
}

export function makeDay(day: number): DaySums {
  const totals = { visitors: 0, visits: 0, pageviews: 0, events: 0, bounces: 0, seconds: 0 };
  return { day, totals, counts: new Map(), known: new Set() };
}

export function addRow(sums: DaySums, { table: { counts = {}, totals = {}, hits }, row, line, site }: Read): void {
  for (const [total, name] of Object.entries(totals)) {
    // An optional total without a value stays unknown. For any other total, `readNumber` throws if the value is empty.
    if (row[name] === undefined || (row[name] === '' && isOptional(total))) continue;
    sums.totals[total as keyof Totals] += readNumber(row, name, line);
    sums.known.add(total);
  }
  for (const [breakdown, valueIn] of Object.entries(counts)) {
    sums.known.add(breakdown);
    const value = valueIn(row, site);
    if (value === '' && WITHOUT_EMPTY.includes(breakdown)) continue;
    const count = findCount(sums, breakdown, value, row);
    count.visitors += readNumber(row, 'visitors', line);
    if (hits) count.hits += readNumber(row, hits, line);
  }
}

export async function readSums(path: string, today: number, site: SumSite, most = MOST_VALUES): Promise<ImportedSums> {
  const days = new Map<number, DaySums>();
  const accepted: ImportedSums['accepted'] = [];
  const inFile = new Set<string>();
  const skipped = new Map<string, number>();
  const skip = (what: string): void => void skipped.set(what, (skipped.get(what) ?? 0) + 1);

  function sumsOn(day: number, tableName: string): DaySums | undefined {
    if (tableName === 'visitors' && !days.has(day)) days.set(day, makeDay(day));
    return days.get(day);
  }

  /** Remembers which file has a day of a table, by table and day. A day in two files would count double. */
  const files = new Map<string, ZippedFile>();
  function assertOnce(tableName: string, day: number, file: ZippedFile): void {
    const key = `${tableName} ${day}`;
    const before = files.get(key) ?? file;
    files.set(key, file);
    if (before === file) return;
    throw new Refusal(`${formatDay(day * DAY)} is in ${before.name} too. Leave out one of the files`);
  }

  let values = 0;
  function addCounted(sums: DaySums, row: Read): void {
    const before = countValues(sums, row.table);
    addRow(sums, row);
    values += countValues(sums, row.table) - before;
    if (values <= most) return;
    const help = 'Leave older rows out of the tables, and import them in a separate zip';
    throw lineRefusal(row.line, `with this line there are more than ${most} different values. ${help}`);
  }

  async function read(file: ZippedFile, tableName: string): Promise<void> {
    const table = TABLES[tableName] as PlausibleTable;
    for (const breakdown of Object.keys(table.counts ?? {})) inFile.add(breakdown);
    let rows = 0;
    await readRows(file, table, (row, line) => {
      const day = readDay(row, line);
      if (day >= today) return skip('rows of days that are not over');
      assertOnce(tableName, day, file);
      const sums = sumsOn(day, tableName);
      if (!sums) return skip('rows of days that are not in imported_visitors');
      addCounted(sums, { table, row, line, site });
      rows++;
    });
    accepted.push([file.name, rows]);
  }

  function skipFile({ name }: ZippedFile): void {
    if (name.endsWith('/')) return;
    skip(skipped.size < MOST_NAMED ? `file that is not a known table: ${writeInLine(name)}` : 'other files');
  }

  // The table of visitors decides which days count. So it is read first, even if it is at the end of the zip.
  for await (const file of listZipped(path)) if (findTable(file.name) === 'visitors') await read(file, 'visitors');
  if (accepted.length === 0) {
    throw new Refusal('the zip has no table imported_visitors. Export it from the settings of the site in Plausible');
  }
  for await (const file of listZipped(path)) {
    const name = findTable(file.name);
    if (name === undefined) skipFile(file);
    else if (name !== 'visitors') await read(file, name);
  }
  const sorted = [...days.values()].sort((one, other) => one.day - other.day);
  return { days: sorted, inFile, accepted, skipped: [...skipped] };
}

function readNumber(row: CsvRow, name: string, line: number): number {
  const text = row[name] ?? '';
  if (!NUMBER.test(text)) throw lineRefusal(line, name, `must be a whole number, not ${excerpt(text)}`);
  return Number(text);
}

function readDay(row: CsvRow, line: number): number {
  const date = row.date ?? '';
  if (!isDay(date)) throw lineRefusal(line, 'date', `must be a day such as 2026-01-31, not ${excerpt(date)}`);
  return assertPast(Date.parse(`${date}T00:00:00Z`) / DAY_MS, { line, name: 'date', text: date });
}

function findCount({ counts }: DaySums, breakdown: string, value: string, row: CsvRow): ImportedCount {
  const event = breakdown === 'event_labels' ? readEvent(row) : '';
  const values = counts.get(breakdown) ?? new Map<string, ImportedCount>();
  counts.set(breakdown, values);
  const key = `${event}\n${value}`;
  const found = values.get(key);
  if (found) return found;
  const kept = copyText(key);
  const count = { event: kept.slice(0, event.length), value: kept.slice(event.length + 1), visitors: 0, hits: 0 };
  values.set(kept, count);
  return count;
}

const countValues = ({ counts }: DaySums, { counts: names = {} }: PlausibleTable): number =>
  Object.keys(names).reduce((sum, name) => sum + (counts.get(name)?.size ?? 0), 0);

const isOptional = (total: string): boolean => UNKNOWN_TOTALS.some((name) => name === total);

type Read = { table: PlausibleTable; row: CsvRow; line: number; site: SumSite };

async function readRows(
  { name, bytes }: ZippedFile,
  table: PlausibleTable,
  onRow: (row: CsvRow, line: number) => void,
) {
  const numbers = [...Object.values(table.totals ?? {}), ...(table.hits ? [table.hits] : []), 'visitors'];
  const csv = csvReader({ required: [...new Set(['date', ...table.texts, ...numbers])], onRow });
  try {
    for await (const chunk of bytes()) csv.feed(chunk);
    csv.end();
  } catch (error) {
    throw error instanceof Refusal ? new Refusal(`${name}: ${error.message}`) : error;
  }
}
