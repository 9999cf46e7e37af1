// Reads the rows of units from the engine, and writes them to the tables of the sandbox.
//
// Invariant: the visits, hits and properties of a day are read together. So a statement that joins them sees one state
// of a day that still receives hits.
//
// Example: a statement reads the country of `visits` on three days in a row. The three days are read in one go. All
// other columns stay NULL, because no word of the statement names them.

import type { DatabaseSync } from 'node:sqlite';
import type { DayVisits } from '../engine/activity.ts';
import type { Queries } from '../engine/engine.ts';
import { DAY, formatDay } from '../lib/time.ts';
import { readProperties } from '../stats/properties.ts';
import type { Range } from '../stats/query.ts';
import { listStored, type Sandbox } from './sandbox.ts';
import { type SqlValue, TABLES, type TableName, type VisitRow } from './tables.ts';

/** A site that a statement may read. Without a range it may read all days. */
export type SqlSite = { id: number; domain: string; range?: Range | undefined };

export type Source = Pick<Queries, 'listDays' | 'readVisits' | 'listCrawlDays' | 'listDropDays' | 'listDayStatus'>;

const EVER: Range = { from: 0, to: 4_000_000 };

type Write = (unit: number, row: never) => void;

/** Lists the units of all sites, and makes the function that reads their rows. */
export async function prepareRows(
  { db, insert, own }: Sandbox,
  source: Source,
  sites: readonly SqlSite[],
  isNeeded: (table: TableName, column: string) => boolean,
) {
  const days = await listDayUnits(db, own, source, sites);
  const write = (table: TableName): Write => {
    const statement = insert(table);
    const { key, columns }: { key: readonly string[]; columns: Readonly<Record<string, (row: never) => SqlValue>> } =
      TABLES[table];
    const readers = listStored(table).map((name) =>
      key.includes(name) || isNeeded(table, name) ? (columns[name] as (row: never) => SqlValue) : () => null,
    );
    return (unit, row) => void statement.run(unit, ...readers.map((read) => read(row)));
  };
  const tablesOfDay = (['visits', 'hits', 'properties'] as const).filter((table) => isNeeded(table, ''));
  const [writeVisit, writeHit, writeProperty] = [write('visits'), write('hits'), write('properties')];

  function addVisit(unit: number, row: VisitRow): void {
    if (tablesOfDay.includes('visits')) writeVisit(unit, row as never);
    if (!tablesOfDay.includes('hits') && !tablesOfDay.includes('properties')) return;
    for (const [i, hit] of row.visit.hits.entries()) {
      const hitRow = { ...row, index: i + 1, hit };
      if (tablesOfDay.includes('hits')) writeHit(unit, hitRow as never);
      if (hit.properties === '' || !tablesOfDay.includes('properties')) continue;
      for (const [name, value] of readProperties(hit.properties))
        writeProperty(unit, { ...hitRow, name, value } as never);
    }
  }

  async function readDays(units: readonly number[]): Promise<void> {
    for (const { siteId, range, first } of listRuns(units.map((unit) => ({ unit, ...days.get(unit) }) as DayUnit))) {
      const numbers = new Map<number, number>();
      for await (const part of source.readVisits(siteId, range)) {
        own(() => writePart(part, first + part.day - range.from, numbers));
      }
    }
  }

  /** A large day comes in several parts. The numbers of its visits go on from part to part. */
  function writePart({ day, visits }: DayVisits, unit: number, numbers: Map<number, number>): void {
    let number = numbers.get(day) ?? 0;
    for (const visit of visits) addVisit(unit, { day, number: ++number, visit });
    numbers.set(day, number);
  }

  async function readSite(table: 'crawls' | 'drops' | 'days', unit: number): Promise<void> {
    const { id, range = EVER } = sites[unit - 1] as SqlSite;
    const read = { crawls: source.listCrawlDays, drops: source.listDropDays, days: source.listDayStatus }[table];
    const rows: readonly { day: number }[] = await read(id, range);
    const writeRow = write(table);
    const isIn = ({ day }: { day: number }) => day >= range.from && day < range.to;
    own(() => {
      for (const row of rows.filter(isIn)) writeRow(unit, row as never);
    });
  }

  return { readDays, readSite };
}

type DayUnit = { unit: number; siteId: number; day: number };

/** Writes the units, which take a row each. The units of a site have consecutive numbers, one for each calendar day. */
async function listDayUnits(
  db: DatabaseSync,
  own: Sandbox['own'],
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

/** Joins days that follow each other on a site, so that the engine reads them in one go. */
function listRuns(units: readonly DayUnit[]): { siteId: number; range: Range; first: number }[] {
  const runs: { siteId: number; range: Range; first: number }[] = [];
  for (const { unit, siteId, day } of [...units].sort((one, other) => one.unit - other.unit)) {
    const last = runs.at(-1);
    if (last?.siteId === siteId && last.range.to === day) last.range.to = day + 1;
    else runs.push({ siteId, range: { from: day, to: day + 1 }, first: unit });
  }
  return runs;
}
