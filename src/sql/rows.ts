// Reads the rows of units from the engine, and writes them to the sandbox. The sandbox is the database in memory in
// which a user's SQL statement runs (sandbox.ts). A unit is all rows of a site on one day, or all rows of a site
// (tables.ts).
//
// Invariant: the visits, hits and properties of a day are read together. A statement that joins them therefore sees one
// state of a day, even while the day receives hits.
//
// Example: a statement reads the country of `visits` on three days in a row. The three days are read together. Only the
// column `country` and the key `visit` are written. All other columns stay NULL, because SQLite does not read them.

import type { DayTable } from '../engine/day-table.ts';
import type { Queries } from '../engine/engine.ts';
import { DAY, formatDay } from '../lib/time.ts';
import type { Range } from '../stats/query.ts';
import { listStored, type Sandbox } from './sandbox.ts';
import { type ReadHit, type ReadProperty, type ReadVisit, type SqlValue, TABLES, type TableName } from './tables.ts';

/** A site that a statement may read. Without a range, the statement may read all days. */
export type SqlSite = { id: number; domain: string; range?: Range | undefined };

export type Source = Pick<Queries, 'listDays' | 'visitTables' | 'listCrawlDays' | 'listDropDays' | 'listDayStatus'>;

/** True if a statement reads a column. For an empty column name: true if the statement reads the table at all. */
export type IsNeeded = (table: TableName, column: string) => boolean;

/** All days that a site may have. */
export const EVER: Range = { from: 0, to: 4_000_000 };

/** Lists the units of all sites, and makes the functions that read their rows. */
export async function prepareRows(sandbox: Sandbox, source: Source, sites: readonly SqlSite[], isNeeded: IsNeeded) {
  const { own } = sandbox;
  const days = await listDayUnits(sandbox, source, sites);
  const writeTables = (['visits', 'hits', 'properties'] as const)
    .filter((table) => isNeeded(table, ''))
    .map((table) => own(() => makeDayWriter(sandbox, table, isNeeded)));

  async function readDays(units: readonly number[]): Promise<void> {
    for (const { siteId, range, first } of listRuns(units.map((unit) => ({ unit, ...days.get(unit) }) as DayUnit))) {
      await source.visitTables(siteId, range, (table) => {
        own(() => {
          for (const writeTable of writeTables) writeTable(first + table.day - range.from, table);
        });
      });
    }
  }

  async function readSite(table: 'crawls' | 'drops' | 'days', unit: number): Promise<void> {
    const { id, range = EVER } = sites[unit - 1] as SqlSite;
    const read = { crawls: source.listCrawlDays, drops: source.listDropDays, days: source.listDayStatus }[table];
    const rows: readonly { day: number }[] = await read(id, range);
    const { write, stored } = own(() => prepareWrite(sandbox, table, isNeeded));
    const columns = TABLES[table].columns as Record<string, (row: { day: number }) => SqlValue>;
    const readers = stored.map((name) => columns[name] as (row: { day: number }) => SqlValue);
    own(() => {
      for (const row of rows) {
        if (row.day < range.from || row.day >= range.to) continue;
        write(unit, ...readers.map((reader) => reader(row)));
      }
    });
  }

  return { readDays, readSite };
}

/** Prepares the SQL that writes a row: its key, and the columns that the statement needs. */
function prepareWrite({ insert }: Sandbox, table: TableName, isNeeded: IsNeeded) {
  const key: readonly string[] = TABLES[table].key;
  const stored = listStored(table).filter((name) => key.includes(name) || isNeeded(table, name));
  const statement = insert(table, stored);
  return { stored, write: (...values: SqlValue[]) => void statement.run(...values) };
}

/**
 * Makes the function that writes a day to one table. The function writes row after row, and makes no list of rows,
 * because a day may have millions of hits.
 */
function makeDayWriter(sandbox: Sandbox, name: 'visits' | 'hits' | 'properties', isNeeded: IsNeeded) {
  const { stored, write } = prepareWrite(sandbox, name, isNeeded);
  return (unit: number, table: DayTable): void => {
    const columns = TABLES[name].columns as Record<string, (table: DayTable) => ReadVisit & ReadHit & ReadProperty>;
    const readers = stored.map((column) => (columns[column] as (typeof columns)[string])(table));
    const values: SqlValue[] = [unit];
    const add = (visit: number, hit: number, property: string, value: string): void => {
      for (let i = 0; i < readers.length; i++)
        values[i + 1] = (readers[i] as ReadProperty)(visit, hit, property, value);
      write(...values);
    };
    if (name === 'visits') for (let visit = 0; visit < table.visits; visit++) add(visit, 0, '', '');
    if (name === 'hits') forEachHit(table, (visit, hit) => add(visit, hit, '', ''));
    for (const property of name === 'properties' ? table.propertyNames : []) {
      const { texts, codes } = table.readProperty(property);
      forEachHit(table, (visit, hit) => {
        const value = texts[codes[hit] as number] as string;
        if (value !== '') add(visit, hit, property, value);
      });
    }
  };
}

function forEachHit({ starts }: DayTable, work: (visit: number, hit: number) => void): void {
  for (let visit = 0; visit < starts.length - 1; visit++)
    for (let hit = starts[visit] as number; hit < (starts[visit + 1] as number); hit++) work(visit, hit);
}

type DayUnit = { unit: number; siteId: number; day: number };

/**
 * Writes the rows of the tables daybook_site and daybook_day. Each day with hits is a unit. From one calendar day of a
 * site to the next, the number of the unit grows by one. Days without hits use up numbers too.
 */
async function listDayUnits(
  { db, own }: Sandbox,
  source: Source,
  sites: readonly SqlSite[],
): Promise<Map<number, Omit<DayUnit, 'unit'>>> {
  const units = new Map<number, Omit<DayUnit, 'unit'>>();
  let next = 1;
  for (const [i, { id, domain, range = EVER }] of sites.entries()) {
    own(() => db.prepare('INSERT INTO daybook_site VALUES (?, ?)').run(i + 1, domain));
    const { hits } = await source.listDays(id);
    const days = hits.filter((day) => day >= range.from && day < range.to);
    if (days.length === 0) continue;
    const first = Math.min(...days);
    own(() => {
      const insert = db.prepare('INSERT INTO daybook_day VALUES (?, ?, ?)');
      for (const day of days) {
        const unit = next + day - first;
        insert.run(unit, domain, formatDay(day * DAY));
        units.set(unit, { siteId: id, day });
      }
    });
    next += Math.max(...days) - first + 1;
  }
  return units;
}

/** Joins consecutive days of a site, so that the engine reads them together. */
export function listRuns(units: readonly DayUnit[]): { siteId: number; range: Range; first: number }[] {
  const runs: { siteId: number; range: Range; first: number }[] = [];
  for (const { unit, siteId, day } of [...units].sort((one, other) => one.unit - other.unit)) {
    const last = runs.at(-1);
    if (last?.siteId === siteId && last.range.to === day) last.range.to = day + 1;
    else runs.push({ siteId, range: { from: day, to: day + 1 }, first: unit });
  }
  return runs;
}
