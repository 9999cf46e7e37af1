import type { Recounted } from '../engine.ts';
import { firstDayOf, monthOf } from '../stats/calendar.ts';
import { BREAKDOWN_NAMES, DIMENSIONS, sinceOf } from '../stats/dimensions.ts';
import { noTotals, TOTALS, type Totals } from '../stats/measured.ts';
import { listSiteDomains } from '../store/sites.ts';
import type { Db } from '../store/statements.ts';
import { COLUMNS, type Column, type ColumnName, hasTerms, isOfHits, unpackColumn } from './columns.ts';
import type { Day } from './day.ts';
import { monthFaults } from './months.ts';
import { listPieces, type PieceTable } from './pieces.ts';
import { isKept, packRollup, rollupOf } from './rollups.ts';
import { isShown, listSealed, listSumDays, type SealedDay } from './sealed-days.ts';
import { sumFaults } from './sum-days.ts';
import { hasTerm } from './terms.ts';

/** Every value of a column, or what is wrong with it. */
function valuesOf({ terms, codes }: Column): number[] | string {
  if (terms.length === 0) return Array.from(codes);
  if (codes.some((code) => code >= terms.length)) return 'has values that are not in its list';
  return Array.from(codes, (code) => terms[code] as number);
}

/** The sums of a day, counted from its columns by plain loops and by nothing that questions use. */
function totalsIn({ hits, events, seconds, again }: Record<ColumnName, number[]>): Totals {
  const totals: Totals = { ...noTotals(), visits: hits.length };
  totals.visitors = again.filter((mark) => mark === 0).length;
  for (let i = 0; i < totals.visits; i++) {
    totals.pageviews += (hits[i] as number) - (events[i] as number);
    totals.events += events[i] as number;
    totals.seconds += seconds[i] as number;
    if (hits[i] === 1 && events[i] === 0) totals.bounces++;
  }
  return totals;
}

/** The columns that a day was sealed with: those of its time. */
const columnsIn = ({ format }: SealedDay): ColumnName[] =>
  COLUMNS.filter((name) => !(name in DIMENSIONS) || sinceOf(name as keyof typeof DIMENSIONS) <= format);

type Columns = Map<ColumnName, { column: Column; values: number[] }>;

function unpackedColumns(
  names: readonly ColumnName[],
  segments: ReadonlyMap<string, Buffer>,
  faults: string[],
): Columns {
  const columns: Columns = new Map();
  for (const name of names) {
    const data = segments.get(name);
    try {
      const column = data && unpackColumn(name, data);
      const values = column ? valuesOf(column) : 'is missing';
      if (!column || typeof values === 'string') faults.push(`segment ${name}: ${values}`);
      else columns.set(name, { column, values });
    } catch (error) {
      faults.push(`segment ${name}: cannot be unpacked (${(error as Error).message})`);
    }
  }
  return columns;
}

/** What is wrong with the columns beside each other: their lengths, and words that are not there. */
function columnFaults(db: Db, siteId: number, totals: Totals, columns: Columns): string[] {
  const faults: string[] = [];
  const hits = totals.pageviews + totals.events;
  for (const [name, { column, values }] of columns) {
    const rows = isOfHits(name) ? hits : totals.visits;
    if (values.length !== rows) faults.push(`segment ${name}: ${values.length} rows in place of ${rows}`);
    if (!hasTerms(name)) continue;
    const unknown = [...column.terms].find((term) => term !== 0 && !hasTerm(db, siteId, term));
    if (unknown !== undefined) faults.push(`segment ${name}: the text of term ${unknown} is missing`);
  }
  return faults;
}

/** The names of the breakdowns that a day was sealed with. */
const rollupsIn = (day: SealedDay) => BREAKDOWN_NAMES.filter((name) => isKept(name, day));

function faultsOf(db: Db, siteId: number, row: SealedDay): string[] {
  const faults: string[] = [];
  const piecesOf = (table: PieceTable): Map<string, Buffer> => {
    const { pieces, changed } = listPieces(db, table, row.id);
    for (const name of changed) faults.push(`${table} ${name}: its bytes changed`);
    return pieces;
  };
  const rollups = piecesOf('rollup');
  const isSums = listSumDays(db, siteId, row.day, row.day + 1).length > 0;
  if (isSums) return [...faults, ...sumFaults(row, rollups, rollupsIn(row))];

  const names = columnsIn(row);
  const columns = unpackedColumns(names, piecesOf('segment'), faults);
  if (columns.size < names.length) return faults;
  const values = Object.fromEntries([...columns].map(([name, { values }]) => [name, values]));
  const totals = totalsIn(values as Record<ColumnName, number[]>);
  for (const name of TOTALS) {
    if (totals[name] !== row[name]) faults.push(`${name}: ${row[name]} is kept, ${totals[name]} are there`);
  }
  faults.push(...columnFaults(db, siteId, totals, columns));
  if (faults.length > 0) return faults;

  const counted: Day = { day: row.day, totals, column: (name) => columns.get(name)?.column as Column };
  for (const name of rollupsIn(row)) {
    const data = rollups.get(name);
    if (!data?.equals(packRollup(name, rollupOf(counted, name)))) faults.push(`rollup ${name}: differs`);
  }
  return faults;
}

/** Counts every sealed day again, from nothing, and adds up every month; gives each day, and a month that differs. */
export function* recount(db: Db): Generator<Recounted> {
  for (const { id: siteId, domain } of listSiteDomains(db)) {
    const days = listSealed(db, siteId, 0, Number.MAX_SAFE_INTEGER);
    const damaged = new Set<number>();
    for (const row of days) {
      // Meanwhile an import may have taken its place, or the site may be gone.
      const faults = db.read(() => (isShown(db, row.id) ? faultsOf(db, siteId, row) : []));
      if (faults.length > 0) damaged.add(monthOf(row.day));
      yield { domain, day: row.day, faults };
    }
    for (const [month, own] of Map.groupBy(days, ({ day }) => monthOf(day))) {
      // What is wrong with a day has been said, and its month cannot be added up.
      if (damaged.has(month)) continue;
      const faults = db.read(() => monthFaults(db, siteId, own));
      if (faults.length > 0) yield { domain, day: firstDayOf(month), faults };
    }
  }
}
