import { crc32 } from 'node:zlib';
import type { Db } from '../store/statements.ts';
import { COLUMNS, type Column, type ColumnName, HIT_COLUMNS, unpackColumn } from './columns.ts';
import { type Day, TOTALS, type Totals } from './day.ts';
import { firstDay, monthFaults, monthOf } from './months.ts';
import { packRollup, ROLLUPS, rollupOf } from './rollups.ts';
import { summedFaults } from './sum-days.ts';

type Row = Totals & { id: number; day: number };
type Piece = { name: string; data: Buffer; crc: number };

export type Recounted = { domain: string; day: number; faults: string[] };

/** Columns whose values are ids of terms; of the others they are numbers. */
const NUMBERS: readonly ColumnName[] = ['again', 'hits', 'events', 'seconds', 'second', 'engaged'];

/** Every value of a column, or what is wrong with it. */
function valuesOf({ terms, codes }: Column): number[] | string {
  if (terms.length === 0) return Array.from(codes);
  if (codes.some((code) => code >= terms.length)) return 'has values that are not in its list';
  return Array.from(codes, (code) => terms[code] as number);
}

/** The sums of a day, counted from its columns by plain loops and by nothing that questions use. */
function totalsIn({ hits, events, seconds, again }: Record<ColumnName, number[]>): Totals {
  const totals: Totals = { visitors: 0, visits: hits.length, pageviews: 0, events: 0, bounces: 0, seconds: 0 };
  totals.visitors = again.filter((mark) => mark === 0).length;
  for (let i = 0; i < totals.visits; i++) {
    totals.pageviews += (hits[i] as number) - (events[i] as number);
    totals.events += events[i] as number;
    totals.seconds += seconds[i] as number;
    if (hits[i] === 1 && events[i] === 0) totals.bounces++;
  }
  return totals;
}

function faultsOf(db: Db, siteId: number, { id, day, ...stored }: Row): string[] {
  const faults: string[] = [];
  const piecesOf = (table: 'segment' | 'rollup'): Map<string, Buffer> => {
    const pieces = db.all<Piece>(`SELECT name, data, crc FROM ${table} WHERE sealed_day_id = ?`, id);
    for (const { name, data, crc } of pieces)
      if (crc32(data) !== crc) faults.push(`${table} ${name}: its bytes changed`);
    return new Map(pieces.map(({ name, data }) => [name, data]));
  };

  const rollups = piecesOf('rollup');
  const ofSums = summedFaults(stored, rollups);
  if (ofSums) return [...faults, ...ofSums];

  const segments = piecesOf('segment');
  const columns = new Map<ColumnName, Column>();
  const values = {} as Record<ColumnName, number[]>;
  for (const name of COLUMNS) {
    const data = segments.get(name);
    try {
      const column = data && unpackColumn(name, data);
      const found = column ? valuesOf(column) : 'is missing';
      if (!column || typeof found === 'string') faults.push(`segment ${name}: ${found}`);
      else {
        columns.set(name, column);
        values[name] = found;
      }
    } catch (error) {
      faults.push(`segment ${name}: cannot be unpacked (${(error as Error).message})`);
    }
  }
  if (columns.size < COLUMNS.length) return faults;

  const totals = totalsIn(values);
  for (const name of TOTALS) {
    if (totals[name] !== stored[name]) faults.push(`${name}: ${stored[name]} is kept, ${totals[name]} are there`);
  }
  const hits = totals.pageviews + totals.events;
  for (const name of COLUMNS) {
    const rows = (HIT_COLUMNS as readonly string[]).includes(name) ? hits : totals.visits;
    if (values[name].length !== rows) faults.push(`segment ${name}: ${values[name].length} rows in place of ${rows}`);
    if (NUMBERS.includes(name)) continue;
    const unknown = [...(columns.get(name)?.terms ?? [])].find(
      (term) => term !== 0 && !db.one('SELECT 1 FROM term WHERE site_id = ? AND id = ?', siteId, term),
    );
    if (unknown !== undefined) faults.push(`segment ${name}: the text of term ${unknown} is missing`);
  }
  if (faults.length > 0) return faults;

  const counted: Day = { day, totals, column: (name) => columns.get(name) as Column };
  for (const name of ROLLUPS) {
    const data = rollups.get(name);
    if (!data?.equals(packRollup(name, rollupOf(counted, name)))) faults.push(`rollup ${name}: differs`);
  }
  return faults;
}

/** Counts every sealed day again, from nothing, and adds up every month; gives those that differ from what is kept, and how many there were. */
export function* recount(db: Db): Generator<Recounted> {
  for (const { id: siteId, domain } of db.all<{ id: number; domain: string }>(
    'SELECT id, domain FROM site ORDER BY id',
  )) {
    const days = db.all<Row>(
      `SELECT id, day, ${TOTALS.join(', ')} FROM sealed_day WHERE site_id = ? AND shown = 1 ORDER BY day`,
      siteId,
    );
    const damaged = new Set<number>();
    for (const row of days) {
      // Meanwhile an import may have taken its place, or the site may be gone.
      const isShown = () => db.one('SELECT 1 FROM sealed_day WHERE id = ? AND shown = 1', row.id) !== undefined;
      const faults = db.read(() => (isShown() ? faultsOf(db, siteId, row) : []));
      if (faults.length > 0) damaged.add(monthOf(row.day));
      yield { domain, day: row.day, faults };
    }
    for (const [month, own] of Map.groupBy(days, ({ day }) => monthOf(day))) {
      // What is wrong with a day has been said, and its month cannot be added up.
      if (damaged.has(month)) continue;
      const faults = db.read(() => monthFaults(db, siteId, own));
      if (faults.length > 0) yield { domain, day: firstDay(month), faults };
    }
  }
}
