// Reads the visits of a site for exports, and for the receipts of sealed days.
//
// Invariant: only one day is in memory at a time. All shards and slices of a day are read in one transaction, so a day
// is never half changed. Visitor codes are not kept while the reader of an export is slow, because an export may go on
// after midnight.
//
// Example: an export of a year yields each of its 365 days. `daybook verify` compares it with the receipts of the days.
import type { DayVisits } from '../../engine/activity.ts';
import { Refusal } from '../../lib/errors.ts';
import { DAY, formatDay } from '../../lib/time.ts';
import type { Totals } from '../../stats/aggregates.ts';
import type { Range } from '../../stats/query.ts';
import type { Db } from '../../store/db.ts';
import { listExclusions } from '../../store/sites/exclusions.ts';
import { COLUMNS, type ColumnName, OPEN_COLUMNS } from '../column/column.ts';
import type { Column } from '../column/packing.ts';
import type { DayProperties } from '../column/properties.ts';
import { makeReducer } from '../count/exclude.ts';
import type { Day } from '../day/day.ts';
import { listVisits } from '../day/visits.ts';
import { cacheTexts, readTexts } from '../rows/terms.ts';
import { type DayReader, dayReader } from './day-reader.ts';

/**
 * Yields the sealed visits of a day. If a late hit reopens the day meanwhile, the hit is left out, because a receipt
 * signs only sealed hits.
 */
export const readSealedVisits = (db: Db, siteId: number, day: number): AsyncGenerator<DayVisits> =>
  readVisitsByDay(db, siteId, { from: day, to: day + 1 }, listSlices);

function* listSlices(days: DayReader, siteId: number, day: number): Generator<Day> {
  yield* days.sealed(siteId, day, day + 1);
  for (const { reopened } of days.open(siteId, day, day + 1)) yield* reopened;
}

/** Yields the visits of a site, day by day. Only one day is in memory at a time. */
export async function* readVisitsByDay(
  db: Db,
  siteId: number,
  range = EVER,
  list = (days: DayReader, siteId: number, day: number): Iterable<Day> => days.days(siteId, day, day + 1),
): AsyncGenerator<DayVisits> {
  const days = dayReader(db);
  const texts = { ...readTexts(db, siteId), readText: cacheTexts(db, siteId) };
  const reducer = makeReducer(listExclusions(db, siteId), texts);
  for (const day of listDaysWithHits(db, siteId, range)) {
    days.nextQuery();
    let visitors = 0;
    const copies = db.read(() => [...list(days, siteId, day)].map(copyColumns));
    days.forget();
    for (const columns of copies) {
      const { isExcluded } = reducer.findExcluded(columns) ?? {};
      yield { day, visits: listVisits(columns, texts, { before: visitors, isExcluded }) };
      visitors += columns.totals.visitors;
    }
  }
}

export const listDaysWithHits = (db: Db, siteId: number, { from, to }: Range = EVER): number[] =>
  db.read(() => [...new Set([...dayReader(db).days(siteId, from, to)].map(({ day }) => day))]);

const EVER: Range = { from: 0, to: Number.MAX_SAFE_INTEGER };

/**
 * Copies all columns of a shard or slice. All shards of a day are read in one transaction, and their visits are
 * exported afterwards. The shards of an open day share buffers. Without a copy, each shard would overwrite the columns
 * of the previous shard. The copy has nothing else of the shard, because a shard also has visitor codes.
 */
export function copyColumns(day: Day): Day {
  const names: readonly ColumnName[] = day.properties ? COLUMNS : OPEN_COLUMNS;
  const columns = new Map(
    names.map((name) => {
      const { terms, codes } = day.column(name);
      return [name, { terms, codes: codes.slice() }];
    }),
  );
  const properties = day.properties && guardProperties(day.day, day.properties, day.isStored);
  return makeCopy(day.day, day.totals, columns, properties);
}

/** A function of its own. Otherwise, the function `column` would keep the whole shard in memory. */
const makeCopy = (
  day: number,
  totals: Totals,
  columns: ReadonlyMap<ColumnName, Column>,
  properties: DayProperties | undefined,
): Day => ({ day, totals, column: (name) => columns.get(name) as Column, ...(properties ? { properties } : {}) });

/**
 * The properties of a sealed day take much memory, so they are read one after the other, after the transaction. By
 * then, the day may have been replaced, or the retention may have deleted its hits. Without this check, the export would
 * lack properties.
 */
function guardProperties(day: number, { names, column }: DayProperties, isStored: () => boolean = () => true) {
  const guard = <Result>(result: Result): Result => {
    // Blobs are deleted only after the day is hidden. So a day that is still stored had its blobs when they were read.
    if (isStored()) return result;
    throw new Refusal(`${formatDay(day * DAY)} changed while it was read. Try again`);
  };
  return { names: () => guard(names()), column: (name: string) => guard(column(name)) } satisfies DayProperties;
}
