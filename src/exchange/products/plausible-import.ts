// Imports daily totals from the zip that Plausible exports.
//
// The zip has CSV files, each with one table. The table imported_visitors decides which days are imported. Rows of all
// other days are skipped, and so are rows of today. If two files of a table have the same day, the import is refused,
// because the day would count double. An import with more than 3,000,000 values of breakdowns is refused too, because
// all values are in memory together.
//
// ../day-sums.ts calls `readSums`. google.ts also calls `addRow`.

import { Refusal } from '../../lib/errors.ts';
import { writeInLine } from '../../lib/printable.ts';
import { DAY, DAY_MS, formatDay, isDay } from '../../lib/time.ts';
import { UNKNOWN_TOTALS } from '../../stats/aggregates.ts';
import type { SumSite } from '../format.ts';
import { type CsvRow, csvReader } from '../reading/csv.ts';
import { excerpt, lineRefusal } from '../reading/lines.ts';
import { listZipped, type ZippedFile } from '../reading/zip.ts';
import { findTable, type PlausibleTable, readEvent, TABLES, type Totals } from './plausible-tables.ts';
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

/**
 * Says to the user that the counts of channels are not exact. A person may have several sources, and the file has no
 * click ids of ads.
 */
export const CHANNELS_NOTE =
  'channels: worked out from source and medium. A person with several sources of one channel counts once for each. Ads count as ads only if a tag says so';

const NUMBER = /^\d{1,9}$/;

/**
 * The largest number of skipped files that the output names. Further files are only counted, to keep the output short.
 */
const MOST_NAMED = 20;

/** Adds a row of a table to the sums of its day. Returns how many values of breakdowns the row added to the day. */
export function addRow(sums: DaySums, { table: { counts = {}, totals = {}, hits }, row, line, site }: Read): number {
  for (const [total, name] of Object.entries(totals)) {
    // A row of Google has no field for an unknown total. A row of Plausible may leave only `isOptional` totals empty.
    if (row[name] === undefined || (row[name] === '' && isOptional(total))) continue;
    sums.totals[total as keyof Totals] += readNumber(row, name, line);
    sums.known.add(total);
  }
  let added = 0;
  for (const [breakdown, valueIn] of Object.entries(counts)) {
    const value = valueIn(row, site);
    if (value === undefined) continue;
    added += addCount(sums, {
      breakdown,
      value,
      event: breakdown === 'event_labels' ? readEvent(row) : '',
      visitors: readNumber(row, 'visitors', line),
      hits: hits ? readNumber(row, hits, line) : 0,
    });
  }
  return added;
}

export async function readSums(path: string, today: number, site: SumSite, most = MOST_VALUES): Promise<ImportedSums> {
  const days = new Map<number, DaySums>();
  const accepted: ImportedSums['accepted'] = [];
  const inFile = new Set<string>();
  const skipped = new Map<string, number>();
  const limit = valueLimit(most);
  const skip = (what: string): void => void skipped.set(what, (skipped.get(what) ?? 0) + 1);

  function sumsOn(day: number, tableName: string): DaySums | undefined {
    if (tableName === 'visitors' && !days.has(day)) days.set(day, makeDay(day));
    return days.get(day);
  }

  /** For each table and day, the file with the day's rows. A day in two files of one table would count double. */
  const files = new Map<string, ZippedFile>();
  function assertOnce(tableName: string, day: number, file: ZippedFile): void {
    const key = `${tableName} ${day}`;
    const before = files.get(key) ?? file;
    files.set(key, file);
    if (before === file) return;
    throw new Refusal(`${formatDay(day * DAY)} is in ${before.name} too. Leave out one of the files`);
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
      limit(addRow(sums, { table, row, line, site }), line);
      rows++;
    });
    accepted.push([file.name, rows]);
  }

  function skipFile({ name }: ZippedFile): void {
    if (name.endsWith('/')) return;
    skip(skipped.size < MOST_NAMED ? `file that is not a known table: ${writeInLine(name)}` : 'other files');
  }

  // The table of visitors decides which days are imported. It is read first, even if it is at the end of the zip.
  for await (const file of listZipped(path)) if (findTable(file.name) === 'visitors') await read(file, 'visitors');
  if (accepted.length === 0) {
    throw new Refusal('the zip has no table imported_visitors. Export it from the settings of the site in Plausible');
  }
  for await (const file of listZipped(path)) {
    const name = findTable(file.name);
    if (name === undefined) skipFile(file);
    else if (name !== 'visitors') await read(file, name);
  }
  const notes = [...days.values()].some(({ known }) => known.has('channels')) ? [CHANNELS_NOTE] : [];
  return { days: sortDays(days), inFile, accepted, skipped: [...skipped], notes };
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
