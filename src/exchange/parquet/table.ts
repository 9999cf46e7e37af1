// Defines the columns of a Parquet file of hits. A row is a hit, together with the values of its visit.
//
// Invariant: no column has a visitor code. The columns `visitor` and `visit` number visitors and visits, from 1 on each
// day.
//
// Example: a visit from Germany has the hits `/` and `/a`. The rows have the pages `/` and `/a`. Both rows have the
// country DE, the entry `/` and the exit `/a`. day-files.ts writes the tables of a day. Test:
// test/exchange/parquet/duckdb.test.ts.

import type { DayTable, TextColumn, VisitText } from '../../engine/day-table.ts';
import { DAY_MS } from '../../lib/time.ts';
import { HIT_DIMENSIONS, OTHER, VISIT_DIMENSIONS } from '../../stats/dimensions.ts';
import { findDigits, parseRevenue } from '../../stats/revenue.ts';
import { readVital, VITALS, type Vital } from '../../stats/vitals.ts';
import {
  type Chunk,
  type Pairs,
  repeatForHits,
  writeConstant,
  writeFlags,
  writeMaps,
  writeNumbers,
  writeOptional,
  writeTexts,
} from './columns.ts';
import type { Leaf } from './file.ts';
import { BOOLEAN, type ColumnType, DATE, DOUBLE, INT32, makeDecimal, TEXT, TIMESTAMP } from './types.ts';

type Group = { site: string; table: DayTable; repeat(values: ArrayLike<number>): Uint32Array };

type Column = { leaf: Leaf; write(group: Group): Chunk };

const makeColumn = (name: string, type: ColumnType, write: Column['write']): Column => ({
  leaf: { path: [name], type, isOptional: false },
  write,
});

const makeOptional = (name: string, type: ColumnType, write: Column['write']): Column => ({
  leaf: { path: [name], type, isOptional: true },
  write,
});

const HIT_TEXTS = HIT_DIMENSIONS.map((name) =>
  makeColumn(name, TEXT, ({ table }) => writeTexts(table.readHitText(name), table.hits)),
);

const VISIT_TEXTS = (['entry', 'exit', ...VISIT_DIMENSIONS] satisfies VisitText[]).map((name) =>
  makeColumn(name, TEXT, ({ table, repeat }) => {
    const { texts, codes } = table.readVisitText(name);
    return writeTexts({ texts, codes: texts.length > 1 ? repeat(codes) : codes }, table.hits);
  }),
);

/** The digits of an amount after the point. No currency has more than four. */
const REVENUE_DIGITS = 4;

const VITAL_COLUMNS = VITALS.map((name) =>
  makeOptional(name, name === 'cls' ? DOUBLE : INT32, ({ table }) => writeVital(table, name)),
);

const BEFORE_PROPERTIES: readonly Column[] = [
  makeColumn('site', TEXT, ({ site, table }) => writeTexts({ texts: [site], codes: [] }, table.hits)),
  makeColumn('day', DATE, ({ table }) => writeConstant(DATE, table.day, table.hits)),
  makeColumn('visitor', INT32, ({ table, repeat }) => writeNumbers(INT32, repeat(table.visitors), table.hits)),
  makeColumn('visit', INT32, ({ table, repeat }) => {
    const numbers = table.visitors.length;
    const visits = Uint32Array.from({ length: numbers }, (_, i) => table.visitsBefore + i + 1);
    return writeNumbers(INT32, repeat(visits), table.hits);
  }),
  makeColumn('time', TIMESTAMP, ({ table }) => writeTimes(table, table.readNumbers('second'))),
  ...HIT_TEXTS,
];

const AFTER_PROPERTIES: readonly Column[] = [
  makeColumn('engaged', INT32, ({ table }) => writeNumbers(INT32, table.readNumbers('engaged'), table.hits)),
  makeOptional('scroll', INT32, ({ table }) =>
    writeGiven(INT32, table.readNumbers('scroll'), table.hits, (packed) => packed - 1),
  ),
  makeOptional('revenue', makeDecimal(18, REVENUE_DIGITS), ({ table }) => writeRevenue(table)),
  makeColumn('currency', TEXT, ({ table }) => writeCurrency(table)),
  ...VITAL_COLUMNS,
  makeColumn('start', TIMESTAMP, ({ table }) => {
    const seconds = table.readNumbers('second');
    let visit = 0;
    const begins = Int32Array.from({ length: table.hits }, (_, hit) => {
      while ((table.starts[visit + 1] as number) <= hit) visit++;
      return seconds[table.starts[visit] as number] as number;
    });
    return writeTimes(table, begins);
  }),
  makeColumn('seconds', INT32, ({ table, repeat }) => writeNumbers(INT32, repeat(table.seconds), table.hits)),
  ...VISIT_TEXTS,
  makeColumn('excluded', BOOLEAN, ({ table: { excluded, hits }, repeat }) =>
    writeFlags(excluded ? Uint8Array.from(repeat(excluded).subarray(0, hits)) : new Uint8Array(hits)),
  ),
];

const PROPERTIES: readonly Leaf[] = ['key', 'value'].map((name) => ({
  path: ['properties', 'key_value', name],
  type: TEXT,
  isOptional: false,
}));

export const LEAVES: readonly Leaf[] = [
  ...BEFORE_PROPERTIES.map(({ leaf }) => leaf),
  ...PROPERTIES,
  ...AFTER_PROPERTIES.map(({ leaf }) => leaf),
];

/** Yields the chunks of a table in the order of `LEAVES`. */
export function* writeChunks(site: string, table: DayTable): Generator<Chunk> {
  const repeated = new Uint32Array(table.hits);
  const group: Group = { site, table, repeat: (values) => repeatForHits(values, table.starts, repeated) };
  for (const { write } of BEFORE_PROPERTIES) yield write(group);
  yield* writeMaps(pairProperties(table));
  for (const { write } of AFTER_PROPERTIES) yield write(group);
}

/** Writes moments as milliseconds since 1970. */
function writeTimes({ day, hits }: DayTable, seconds: ArrayLike<number>): Chunk {
  const times = new Float64Array(hits);
  for (let hit = 0; hit < hits; hit++) times[hit] = day * DAY_MS + (seconds[hit] as number) * 1000;
  return writeNumbers(TIMESTAMP, times, hits);
}

/** Writes a column with null values. The code 0 stands for null, and `read` turns any other code into a value. */
function writeGiven(type: ColumnType, codes: ArrayLike<number>, rows: number, read: (code: number) => number): Chunk {
  const given = new Uint8Array(rows);
  const values: number[] = [];
  for (let row = 0; row < rows; row++) {
    const code = codes[row] as number;
    if (code === 0) continue;
    given[row] = 1;
    values.push(read(code));
  }
  return writeOptional(type, values, given);
}

function writeVital(table: DayTable, name: Vital): Chunk {
  const type = name === 'cls' ? DOUBLE : INT32;
  const buckets = table.readVital(name) ?? new Uint8Array(table.hits);
  return writeGiven(type, buckets, table.hits, (bucket) => readVital(name, bucket));
}

/**
 * Writes the amounts of revenue. A row with the currency `(other)` has no amount: the day had too many different
 * amounts.
 */
function writeRevenue(table: DayTable): Chunk {
  const { texts, codes } = table.readHitText('revenue');
  const amounts = texts.map((text) => {
    const money = parseRevenue(text);
    if (!money || money.currency === OTHER) return undefined;
    return money.amount * 10 ** (REVENUE_DIGITS - findDigits(money.currency));
  });
  const given = new Uint8Array(table.hits);
  const values: number[] = [];
  for (let hit = 0; hit < table.hits; hit++) {
    const amount = amounts[codes[hit] as number];
    if (amount === undefined) continue;
    given[hit] = 1;
    values.push(amount);
  }
  return writeOptional(makeDecimal(18, REVENUE_DIGITS), values, given);
}

function writeCurrency(table: DayTable): Chunk {
  const { texts, codes } = table.readHitText('revenue');
  const currencies = texts.map((text) => parseRevenue(text)?.currency ?? '');
  return writeTexts(replaceTexts({ texts: currencies, codes }, table.hits), table.hits);
}

/**
 * Gives equal texts one code. For example, `texts` has `EUR` once for each amount in euros, and the result has `EUR`
 * once.
 */
function replaceTexts({ texts, codes }: TextColumn, rows: number): TextColumn {
  const distinct = [...new Set(texts)];
  const newCodes = texts.map((text) => distinct.indexOf(text));
  const replaced = new Uint32Array(rows);
  for (let row = 0; row < rows; row++) replaced[row] = newCodes[codes[row] as number] as number;
  return { texts: distinct, codes: replaced };
}

/** Joins the columns of all properties into one list of pairs (name and value), in the order of the hits. */
function pairProperties({ hits, propertyNames, readProperty }: DayTable): Pairs {
  const counts = new Uint8Array(hits);
  const isGiven = ({ texts }: TextColumn): boolean[] => texts.map((text) => text !== '');
  for (const name of propertyNames) {
    const column = readProperty(name);
    const given = isGiven(column);
    for (let hit = 0; hit < hits; hit++)
      if (given[column.codes[hit] as number]) counts[hit] = (counts[hit] as number) + 1;
  }
  const places = new Uint32Array(hits);
  let pairs = 0;
  for (let hit = 0; hit < hits; hit++) {
    places[hit] = pairs;
    pairs += counts[hit] as number;
  }
  const [keys, values] = [new Uint8Array(pairs), new Uint32Array(pairs)];
  const known = new Map<string, number>();
  for (const [key, name] of propertyNames.entries()) {
    const { texts, codes } = readProperty(name);
    const own = texts.map((text) => {
      if (text === '') return -1;
      const value = known.get(text) ?? known.size;
      known.set(text, value);
      return value;
    });
    for (let hit = 0; hit < hits; hit++) {
      const value = own[codes[hit] as number] ?? -1;
      if (value === -1) continue;
      const place = places[hit] as number;
      keys[place] = key;
      values[place] = value;
      places[hit] = place + 1;
    }
  }
  return {
    ...{ counts, rows: hits, pairs },
    keys: { texts: propertyNames, codes: keys },
    values: { texts: [...known.keys()], codes: values },
  };
}
