// Counts sealed days again from their columns, and reports differences from the stored sums.
//
// Invariant: a recount changes nothing. Totals are counted with plain loops, and not with the code of queries. In this
// way, an error in the code of queries is found too.
//
// Example: a day has 120 visits, but its column `country` has only 119 rows. The fault is "column country: 119 rows,
// expected 120". work/nightly.ts recounts some days each night, and `daybook check` recounts all days.
import { isDeepStrictEqual } from 'node:util';
import { findReduced } from '../../catalog/reduced-days.ts';
import { hasSumsOnly, isShown, listSealed, type SealedDay } from '../../catalog/sealed-days.ts';
import type { Recounted } from '../../engine/engine.ts';
import { noTotals, TOTALS, type Totals } from '../../stats/aggregates.ts';
import { findFirstDay, monthNumber } from '../../stats/calendar.ts';
import { isBounce } from '../../stats/definitions.ts';
import { findVersion, STORED_BREAKDOWNS } from '../../stats/dimensions.ts';
import type { Db } from '../../store/db.ts';
import { listExclusions } from '../../store/sites/exclusions.ts';
import { listSiteDomains } from '../../store/sites/sites.ts';
import { type BlobTable, listBlobs, type StoredBlob } from '../column/blobs.ts';
import { COLUMNS, type ColumnName, hasTerms, isHitColumn, unpackColumn } from '../column/column.ts';
import type { Column } from '../column/packing.ts';
import { type DayProperties, readPropertyBlobs } from '../column/properties.ts';
import { makeReducer } from '../count/exclude.ts';
import { packQuarterSums, QUARTER_SUMS, sumQuarters } from '../count/quarter-hour-sums.ts';
import { findQuarters, QUARTER, unpackQuarters } from '../count/quarter-hours.ts';
import type { Day } from '../day/day.ts';
import { checkPacked } from '../rows/packed-crawls.ts';
import { hasTerm, readTexts } from '../rows/terms.ts';
import { listSummed } from '../sealed/excluded-sums.ts';
import { listMonthFaults } from '../sealed/month.ts';
import { hasRollup } from '../sealed/rollup.ts';
import { haveSame, makeRollupBlobs } from '../sealed/row-sums.ts';
import { listSumFaults } from '../sealed/totals-only.ts';
import { reducedSums } from './exclusion-sums.ts';

/**
 * Counts every sealed day again, and then adds up the months again. Also checks the packed crawls. Yields every day,
 * but yields months and crawls only if they have faults.
 */
export function* recount(db: Db): Generator<Recounted> {
  for (const { id: siteId, domain } of listSiteDomains(db)) {
    const days = listSealed(db, siteId, 0, Number.MAX_SAFE_INTEGER);
    const skipped = new Set<number>();
    for (const [day, slices] of Map.groupBy(days, (row) => row.day)) {
      const faults = slices.flatMap((row) => recountDay(db, siteId, row));
      if (faults.length > 0) skipped.add(monthNumber(day));
      yield { domain, day, faults };
    }
    const summed = listSummed(db, siteId, listExclusions(db, siteId), { from: 0, to: Number.MAX_SAFE_INTEGER });
    for (const { day } of summed.pending) skipped.add(monthNumber(day));
    for (const [month, own] of Map.groupBy(summed.days, ({ day }) => monthNumber(day))) {
      // Two kinds of months are skipped. If a day of a month has faults, these faults were already reported. If a day
      // has stale sums, the month will be added up again anyway.
      if (skipped.has(month)) continue;
      const faults = db.read(() => listMonthFaults(db, siteId, own));
      if (faults.length > 0) yield { domain, day: findFirstDay(month), faults };
    }
    for (const fault of checkPacked(db, siteId)) yield { domain, ...fault };
  }
}

/**
 * Lists the faults of a sealed day. The list is empty if the day no longer exists, for example because an import
 * replaced it.
 */
export const recountDay = (db: Db, siteId: number, row: SealedDay): string[] =>
  db.read(() => (isShown(db, row.id) ? findFaults(db, siteId, row) : []));

/** Returns the value of each row of a column. If the column is damaged, returns a text that says what is wrong. */
function readValues({ terms, codes }: Column): number[] | string {
  if (terms.length === 0) return Array.from(codes);
  if (codes.some((code) => code >= terms.length)) return 'has codes beyond its dictionary';
  return Array.from(codes, (code) => terms[code] as number);
}

/**
 * Counts the totals of a day with a loop of its own. So an error in the loops of queries causes a difference. This loop
 * and the loops of queries share only `isBounce`.
 */
function countTotals({ hits, events, seconds, again }: Record<ColumnName, number[]>): Totals {
  const totals: Totals = { ...noTotals(), visits: hits.length };
  totals.visitors = again.filter((isAgain) => isAgain === 0).length;
  for (let i = 0; i < totals.visits; i++) {
    const own = { events: events[i] as number, pageviews: (hits[i] as number) - (events[i] as number) };
    totals.pageviews += own.pageviews;
    totals.events += own.events;
    totals.seconds += seconds[i] as number;
    if (isBounce(own.pageviews, own.events)) totals.bounces++;
  }
  return totals;
}

/** Lists the columns that a day must have. If an older version of daybook sealed the day, newer columns are missing. */
const listColumns = ({ format }: SealedDay): ColumnName[] => COLUMNS.filter((name) => findVersion(name) <= format);

type Columns = Map<ColumnName, { column: Column; values: number[] }>;

function unpackColumns(names: readonly ColumnName[], blobs: ReadonlyMap<string, Buffer>, faults: string[]): Columns {
  const columns: Columns = new Map();
  for (const name of names) {
    const data = blobs.get(name);
    try {
      const column = data && unpackColumn(name, data);
      const values = column ? readValues(column) : 'is missing';
      if (!column || typeof values === 'string') faults.push(`column ${name}: ${values}`);
      else columns.set(name, { column, values });
    } catch (error) {
      faults.push(`column ${name}: cannot be unpacked (${(error as Error).message})`);
    }
  }
  return columns;
}

/** Finds columns of a wrong length, and terms whose text is no longer stored. */
function findColumnFaults(db: Db, siteId: number, totals: Totals, columns: Columns): string[] {
  const faults: string[] = [];
  const hits = totals.pageviews + totals.events;
  for (const [name, { column, values }] of columns) {
    const rows = isHitColumn(name) ? hits : totals.visits;
    if (values.length !== rows) faults.push(`column ${name}: ${values.length} rows, expected ${rows}`);
    if (!hasTerms(name)) continue;
    const unknown = [...column.terms].find((term) => term !== 0 && !hasTerm(db, siteId, term));
    if (unknown !== undefined) faults.push(`column ${name}: the text of term ${unknown} is missing`);
  }
  return faults;
}

/** Finds damaged property columns, and names or values whose text is no longer stored. */
function findPropertyFaults(
  db: Db,
  siteId: number,
  { pageviews, events }: Totals,
  properties: DayProperties,
): string[] {
  const { findTerm } = readTexts(db, siteId);
  const hits = pageviews + events;
  return properties.names().flatMap((name): string[] => {
    try {
      const { terms, codes } = properties.column(name);
      if (codes.length !== hits) return [`property ${name}: ${codes.length} rows, expected ${hits}`];
      if (codes.some((code) => code >= terms.length)) return [`property ${name}: has codes beyond its dictionary`];
      if (findTerm(name) === undefined) return [`property ${name}: its name is missing`];
      const unknown = [...terms].find((term) => term !== 0 && !hasTerm(db, siteId, term));
      return unknown === undefined ? [] : [`property ${name}: the text of term ${unknown} is missing`];
    } catch (error) {
      return [`property ${name}: cannot be unpacked (${(error as Error).message})`];
    }
  });
}

function findQuarterFaults(day: Day, packed: { quarters: Buffer | undefined; sums: Buffer | undefined }): string[] {
  const expected = findQuarters(day.column('second').codes);
  const isSound = (bytes: Buffer): boolean => {
    try {
      return Buffer.from(expected).equals(unpackQuarters(bytes, expected.length) as Uint8Array);
    } catch {
      return false;
    }
  };
  const { quarters, sums } = packed;
  return [
    ...(quarters && isSound(quarters) ? [] : [`column ${QUARTER}: differs`]),
    ...(sums?.equals(packQuarterSums(sumQuarters(day)).data) ? [] : [`rollup ${QUARTER_SUMS}: differs`]),
  ];
}

/**
 * Lists the rollups that a day must have. If an older version of daybook sealed the day, the rollups of newer
 * breakdowns are missing.
 */
const listRollups = (day: SealedDay) => STORED_BREAKDOWNS.filter((name) => hasRollup(name, day));

const findRollupFaults = (
  table: BlobTable,
  counted: readonly StoredBlob[],
  stored: ReadonlyMap<string, Buffer>,
): string[] =>
  counted
    .filter(({ name, data }) => {
      const own = stored.get(name);
      return !own || !haveSame(name, own, data);
    })
    .map(({ name }) => `${table} ${name}: differs`);

/**
 * Checks the reduced sums of a day. Stale sums are not compared. For a totals-only day, which cannot be counted again,
 * `recounted` is undefined. Then this checks only the checksums, the totals, and that all rollups exist.
 */
function findReducedFaults(db: Db, siteId: number, row: SealedDay, recounted?: Day): string[] {
  const stored = findReduced(db, row.id);
  if (!stored) return [];
  const { blobs, damaged } = listBlobs(db, 'excluded_rollup', row.id);
  const faults = damaged.map((name) => `excluded_rollup ${name}: its bytes changed`);
  if (!recounted) {
    const isReduced = stored.excluded[0] !== undefined;
    return [...faults, ...(isReduced ? listSumFaults(stored.totals, blobs, listRollups(row)) : [])].map(
      withoutExcluded,
    );
  }
  const texts = readTexts(db, siteId);
  const sums = reducedSums(row, recounted, makeReducer(listExclusions(db, siteId), texts), texts);
  if (sums.exclusions !== stored.exclusions) return faults;
  if (!isDeepStrictEqual(sums.excluded, stored.excluded)) faults.push('the excluded visits differ');
  for (const name of TOTALS) {
    if (sums.totals[name] !== stored.totals[name])
      faults.push(`${name}: ${stored.totals[name]} is stored, ${sums.totals[name]} counted`);
  }
  faults.push(...findRollupFaults('excluded_rollup', sums.rollups, blobs));
  return faults.map(withoutExcluded);
}

const withoutExcluded = (fault: string): string => `without excluded visits, ${fault}`;

function findFaults(db: Db, siteId: number, row: SealedDay): string[] {
  const faults: string[] = [];
  const readBlobs = (table: BlobTable): Map<string, Buffer> => {
    const { blobs, damaged } = listBlobs(db, table, row.id);
    for (const name of damaged) faults.push(`${table === 'sealed_blob' ? 'column' : table} ${name}: its bytes changed`);
    return blobs;
  };
  const rollups = readBlobs('rollup');
  if (hasSumsOnly(db, row.id)) {
    return [...faults, ...listSumFaults(row, rollups, listRollups(row)), ...findReducedFaults(db, siteId, row)];
  }

  const names = listColumns(row);
  const blobs = readBlobs('sealed_blob');
  const columns = unpackColumns(names, blobs, faults);
  if (columns.size < names.length) return faults;
  const values = Object.fromEntries([...columns].map(([name, { values }]) => [name, values]));
  const totals = countTotals(values as Record<ColumnName, number[]>);
  for (const name of TOTALS) {
    if (totals[name] !== row[name]) faults.push(`${name}: ${row[name]} is stored, ${totals[name]} counted`);
  }
  faults.push(...findColumnFaults(db, siteId, totals, columns));
  if (faults.length > 0) return faults;

  const properties = readPropertyBlobs(blobs);
  faults.push(...findPropertyFaults(db, siteId, totals, properties));
  if (faults.length > 0) return faults;
  const recounted: Day = {
    day: row.day,
    totals,
    column: (name) => columns.get(name)?.column as Column,
    properties,
  };
  const counted = makeRollupBlobs(recounted, readTexts(db, siteId), listRollups(row));
  faults.push(...findRollupFaults('rollup', counted, rollups));
  const quarters = { quarters: blobs.get(QUARTER), sums: rollups.get(QUARTER_SUMS) };
  return [...faults, ...findQuarterFaults(recounted, quarters), ...findReducedFaults(db, siteId, row, recounted)];
}
