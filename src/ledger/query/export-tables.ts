// Reads the hits of a site as tables with columns, day by day, for exports to Parquet.
//
// Invariant: only one slice of a sealed day is in memory. The shards of an open day are copied in one transaction, so
// all of them are in memory.
//
// Example: a site has a sealed day of 2,500,000 hits, and today with two shards. A slice has about 1,000,000 hits, so
// the sealed day gives three tables. Today gives two tables. queries.ts calls `readTablesByDay`.

import { listWithHits, type SealedDay } from '../../catalog/sealed-days.ts';
import type { DayTable, TextColumn } from '../../engine/day-table.ts';
import { Refusal } from '../../lib/errors.ts';
import { DAY, formatDay } from '../../lib/time.ts';
import type { Range } from '../../stats/query.ts';
import type { Db } from '../../store/db.ts';
import { listExclusions } from '../../store/sites/exclusions.ts';
import type { ColumnName } from '../column/column.ts';
import type { Column } from '../column/packing.ts';
import { findProperties } from '../column/properties.ts';
import { chooseTexts, readDimension } from '../count/dimension-column.ts';
import { makeReducer, type Reducer } from '../count/exclude.ts';
import { type Day, findStarts } from '../day/day.ts';
import { cacheTexts, readTexts, type Texts } from '../rows/terms.ts';
import { type DayReader, dayReader, listShards } from './day-reader.ts';
import { copyColumns, listDaysWithHits } from './export-visits.ts';

type Reading = { db: Db; siteId: number; days: DayReader; texts: Texts; reducer: Reducer };

export async function* readTablesByDay(db: Db, siteId: number, range?: Range): AsyncGenerator<DayTable> {
  const texts = { ...readTexts(db, siteId), readText: cacheTexts(db, siteId) };
  const reducer = makeReducer(listExclusions(db, siteId), texts);
  const reading = { db, siteId, days: dayReader(db), texts, reducer };
  for (const day of listDaysWithHits(db, siteId, range)) yield* readDay(reading, day);
}

function* readDay(reading: Reading, day: number): Generator<DayTable> {
  const { db, siteId, days } = reading;
  let [visitors, visits] = [0, 0];
  const makeTable = (columns: Day): DayTable => {
    const table = tabulate(columns, reading, { visitors, visits });
    visitors += columns.totals.visitors;
    visits += columns.totals.visits;
    return table;
  };
  const slices = db.read(() => listWithHits(db, siteId, day, day + 1));
  for (const slice of slices) {
    // Each slice is read in a separate transaction. An import may have replaced the day since the previous transaction.
    // In this case, `assertUnchanged` throws.
    days.nextQuery();
    yield makeTable(
      db.read(() => {
        assertUnchanged(reading, day, slices);
        const [columns] = [...days.each([slice])];
        return copyColumns(columns as Day);
      }),
    );
    days.forget();
  }
  days.nextQuery();
  const open = db.read(() => {
    assertUnchanged(reading, day, slices);
    return [...listShards(days.open(siteId, day, day + 1))].map(copyColumns);
  });
  for (const columns of open) yield makeTable(columns);
  days.forget();
}

function assertUnchanged({ db, siteId }: Reading, day: number, slices: readonly SealedDay[]): void {
  const join = (some: readonly SealedDay[]): string => some.map(({ id }) => id).join();
  if (join(listWithHits(db, siteId, day, day + 1)) !== join(slices))
    throw new Refusal(`${formatDay(day * DAY)} changed while it was read. Try again`);
}

type Before = { visitors: number; visits: number };

function tabulate(day: Day, { texts, reducer }: Reading, before: Before): DayTable {
  const { visits } = day.totals;
  const starts = findStarts(day).slice(0, visits + 1);
  const hits = starts[visits] ?? 0;
  // A damaged day must not become a file without hits.
  if (day.column('second').codes.length !== hits)
    throw new Refusal(`${formatDay(day.day * DAY)} is damaged. Run daybook check`);
  const readTexts = (name: Parameters<typeof readDimension>[0]): TextColumn => {
    const { terms, codes } = readDimension(name, texts)(day);
    const { readText } = chooseTexts(name, texts);
    return { texts: Array.from(terms, (term) => readText(term)), codes };
  };
  const readNumbers = (name: ColumnName): ArrayLike<number> => decode(day.column(name));
  const properties = findProperties(day, texts);
  return {
    day: day.day,
    ...{ hits, starts },
    visitors: numberVisitors(readNumbers('again'), visits, before.visitors),
    visitsBefore: before.visits,
    seconds: readNumbers('seconds'),
    excluded: reducer.findExcluded(day)?.isExcluded,
    readVisitText: readTexts,
    readHitText: (name) => {
      if (name !== 'revenue') return readTexts(name);
      const { terms, codes } = day.column(name);
      return { texts: Array.from(terms, texts.readText), codes };
    },
    readNumbers,
    readVital(name) {
      const column = day.column(name);
      return (column.terms.at(-1) ?? 0) > 0 ? decode(column) : undefined;
    },
    propertyNames: properties.names().toSorted(),
    readProperty(name) {
      const { terms, codes } = properties.column(name);
      return { texts: Array.from(terms, texts.readText), codes };
    },
  };
}

function decode({ terms, codes }: Column): ArrayLike<number> {
  if (terms.length === 0) return codes;
  const values = new Uint32Array(codes.length);
  for (let row = 0; row < values.length; row++) values[row] = terms[codes[row] as number] as number;
  return values;
}

/**
 * Numbers the visitors of a day. The visits of one visitor follow each other. `again` is 1 for each visit of a visitor
 * but the first.
 */
function numberVisitors(again: ArrayLike<number>, visits: number, before: number): Uint32Array {
  const numbers = new Uint32Array(visits);
  let visitor = before;
  for (let visit = 0; visit < visits; visit++) {
    if (again[visit] === 0) visitor++;
    numbers[visit] = visitor;
  }
  return numbers;
}
