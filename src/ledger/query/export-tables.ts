// Reads the hits of a site as tables with columns, day by day. `readTablesByDay` is for exports to Parquet, and
// `visitTablesByDay` is for statements in SQL.
//
// Invariant: an export has only one slice of a sealed day in memory. The shards of an open day are copied in one
// transaction, so all of them are in memory. A statement copies nothing, and reads a day in one transaction.
//
// Example: a site has a sealed day of 2,500,000 hits, and today with two shards. A slice has about 1,000,000 hits, so
// the sealed day gives three tables. Today gives two tables. queries.ts calls both functions.

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
  const reading = prepareReading(db, siteId, dayReader(db));
  for (const day of listDaysWithHits(db, siteId, range)) yield* readDay(reading, day);
}

/**
 * Calls `visit` with the tables of a range. A statement reads only a few columns, so no column is read before its use.
 */
export function visitTablesByDay(
  { db, days }: Pick<Reading, 'db' | 'days'>,
  siteId: number,
  { from, to }: Range,
  visit: (table: DayTable) => void,
): void {
  const reading = prepareReading(db, siteId, days);
  days.nextQuery();
  for (let day = from; day < to; day++) {
    const makeTable = tableMaker(reading);
    db.read(() => {
      for (const columns of days.days(siteId, day, day + 1)) visit(makeTable(columns));
    });
  }
}

function prepareReading(db: Db, siteId: number, days: DayReader): Reading {
  const texts = { ...readTexts(db, siteId), readText: cacheTexts(db, siteId) };
  return { db, siteId, days, texts, reducer: makeReducer(listExclusions(db, siteId), texts) };
}

/**
 * Returns a function that makes the tables of one day. Visitors and visits are numbered. The numbers continue from one
 * table to the next, so each number is unique within the day.
 */
function tableMaker(reading: Reading): (columns: Day) => DayTable {
  let [visitors, visits] = [0, 0];
  return (columns) => {
    const table = tabulate(columns, reading, { visitors, visits });
    visitors += columns.totals.visitors;
    visits += columns.totals.visits;
    return table;
  };
}

function* readDay(reading: Reading, day: number): Generator<DayTable> {
  const { db, siteId, days } = reading;
  const makeTable = tableMaker(reading);
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
  // A reader of an export may be slow, and visitor codes may not be kept until then.
  days.forget();
  for (const columns of open) yield makeTable(columns);
}

function assertUnchanged({ db, siteId }: Reading, day: number, slices: readonly SealedDay[]): void {
  const join = (some: readonly SealedDay[]): string => some.map(({ id }) => id).join();
  if (join(listWithHits(db, siteId, day, day + 1)) !== join(slices))
    throw new Refusal(`${formatDay(day * DAY)} changed while it was read. Try again`);
}

type Before = { visitors: number; visits: number };

/** Makes a table. Each column is read when it is first used, because a statement needs only a few of them. */
function tabulate(day: Day, { texts, reducer }: Reading, before: Before): DayTable {
  const { visits } = day.totals;
  const findHits = once(() => findStarts(day).slice(0, visits + 1));
  const findProperty = once(() => findProperties(day, texts));
  const readNumbers = (name: ColumnName): ArrayLike<number> => decode(day.column(name));
  const readTexts = (name: Parameters<typeof readDimension>[0]): TextColumn => {
    const { terms, codes } = readDimension(name, texts)(day);
    const { readText } = chooseTexts(name, texts);
    return { texts: Array.from(terms, (term) => readText(term)), codes };
  };
  /** Refuses a damaged day. Otherwise, an export or an answer would lack hits, and nobody would notice. */
  function assertWhole<Values extends TextColumn | ArrayLike<number>>(values: Values): Values {
    const { length } = 'codes' in values ? values.codes : values;
    if (length === findHits()[visits]) return values;
    throw new Refusal(`${formatDay(day.day * DAY)} is damaged. Run daybook check`);
  }
  return {
    ...{ day: day.day, visits, visitsBefore: before.visits },
    get hits() {
      return findHits()[visits] ?? 0;
    },
    get starts() {
      return findHits();
    },
    get visitors() {
      return numberVisitors(readNumbers('again'), visits, before.visitors);
    },
    get seconds() {
      return readNumbers('seconds');
    },
    get events() {
      return readNumbers('events');
    },
    get excluded() {
      return reducer.findExcluded(day)?.isExcluded;
    },
    readVisitText: readTexts,
    readHitText(name) {
      if (name !== 'revenue') return assertWhole(readTexts(name));
      const { terms, codes } = day.column(name);
      return assertWhole({ texts: Array.from(terms, texts.readText), codes });
    },
    readNumbers: (name) => assertWhole(readNumbers(name)),
    readVital(name) {
      const column = day.column(name);
      return (column.terms.at(-1) ?? 0) > 0 ? decode(column) : undefined;
    },
    get propertyNames() {
      return findProperty().names().toSorted();
    },
    readProperty(name) {
      const { terms, codes } = findProperty().column(name);
      return { texts: Array.from(terms, texts.readText), codes };
    },
  };
}

function once<Value>(find: () => Value): () => Value {
  let found: { value: Value } | undefined;
  return () => {
    found ??= { value: find() };
    return found.value;
  };
}

function decode({ terms, codes }: Column): ArrayLike<number> {
  if (terms.length === 0) return codes;
  const values = new Uint32Array(codes.length);
  for (let row = 0; row < values.length; row++) values[row] = terms[codes[row] as number] as number;
  return values;
}

/**
 * Returns, for each visit, the number of its visitor. The numbers begin at `before + 1`. The visits of one visitor
 * follow each other. `again` is 0 for the first visit of a visitor, and 1 for all later visits of this visitor.
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
