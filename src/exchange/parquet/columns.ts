// Writes the columns of a row group as chunks of a Parquet file. A row group is some of the rows, stored column by
// column. A map column has pairs of a key and a value in each row, such as the properties of a hit.
//
// Invariant: a text is never null, because daybook stores an unknown text as the empty text. Only numbers may be null.
//
// Example: a column of texts has the texts `/` and `/a`, and the codes 0, 1 and 0. Its chunk has two pages. The first
// page has the texts as a dictionary, and the second page has the codes. table.ts describes the columns, and file.ts
// writes the chunks.

import {
  asBytes,
  type Content,
  ENCODINGS,
  makeDataPage,
  makeDictionaryPage,
  packBits,
  writeCodes,
  writeLevels,
} from './pages.ts';
import type { ColumnType } from './types.ts';

type Numbers = ArrayLike<number>;

/**
 * A column of texts: `texts` is the dictionary, and `codes` has the code of each row. If there are more codes than
 * rows, the codes after the last row are ignored.
 */
type Texts = { texts: readonly string[]; codes: Numbers };

/** A column of one row group. `count` includes the null values. `bounds` are the smallest and the largest value. */
export type Chunk = {
  pages: Content[];
  count: number;
  nulls: number;
  hasDictionary: boolean;
  bounds?: readonly [Buffer, Buffer];
};

/**
 * Levels are written in front of the values of a page. They say which rows are null, and where the pairs of a map
 * begin.
 */
type Levels = { parts: readonly Uint8Array[]; count: number };

const NO_LEVELS = { parts: [] };

export function writeTexts(
  { texts, codes }: Texts,
  rows: number,
  levels: Levels = { ...NO_LEVELS, count: rows },
): Chunk {
  return {
    pages: [
      makeDictionaryPage([joinTexts(texts)], texts.length),
      makeDataPage([...levels.parts, ...writeCodes(codes, rows, texts.length)], levels.count, ENCODINGS.dictionary),
    ],
    count: levels.count,
    nulls: levels.count - rows,
    hasDictionary: true,
  };
}

/** Joins texts in Parquet's encoding PLAIN: for each text, its length in four bytes and then its bytes. */
function joinTexts(texts: readonly string[]): Uint8Array {
  const lengths = texts.map((text) => Buffer.byteLength(text));
  const bytes = Buffer.allocUnsafe(lengths.reduce((sum, length) => sum + 4 + length, 0));
  let at = 0;
  for (const [i, text] of texts.entries()) {
    at = bytes.writeUInt32LE(lengths[i] as number, at);
    at += bytes.write(text, at);
  }
  return bytes;
}

/** Writes a column with the same number in all rows. */
export function writeConstant(type: ColumnType, value: number, rows: number): Chunk {
  const bytes = writeNumber(type, value);
  const pages = [
    makeDictionaryPage([bytes], 1),
    makeDataPage(writeCodes(new Uint8Array(0), rows, 1), rows, ENCODINGS.dictionary),
  ];
  return { pages, count: rows, nulls: 0, hasDictionary: true, bounds: [bytes, bytes] };
}

export function writeNumbers(type: ColumnType, values: Numbers, rows: number): Chunk {
  const bytes = STORES[type.physical](values, rows);
  const pages = [makeDataPage([bytes], rows, ENCODINGS.plain)];
  return { pages, count: rows, nulls: 0, hasDictionary: false, ...findBounds(type, values, rows) };
}

/**
 * Writes a column with null values. `values` has only the numbers that are not null. `given` has a 1 for each row with
 * a number.
 */
export function writeOptional(type: ColumnType, values: readonly number[], given: Uint8Array): Chunk {
  const bytes = STORES[type.physical](values, values.length);
  const pages = [makeDataPage([...writeLevels(given, given.length), bytes], given.length, ENCODINGS.plain)];
  const own = { count: given.length, nulls: given.length - values.length, hasDictionary: false };
  return { pages, ...own, ...findBounds(type, values, values.length) };
}

/** Writes a column of true and false values, with one bit for each row. */
export function writeFlags(flags: Uint8Array): Chunk {
  const pages = [makeDataPage([packBits(flags, flags.length)], flags.length, ENCODINGS.plain)];
  return { pages, count: flags.length, nulls: 0, hasDictionary: false };
}

/** The pairs of a map column, in the order of the rows. `counts` has the number of pairs of each row. */
export type Pairs = { counts: Numbers; rows: number; pairs: number; keys: Texts; values: Texts };

/**
 * Writes a map column as two columns: the keys and the values of all pairs. Parquet stores two numbers for each pair,
 * which it calls levels. The repetition level is 0 for the first pair of a row, and 1 for the other pairs of the row.
 * The definition level is 1. For a row without pairs, both levels are 0.
 */
export function writeMaps({ counts, rows, pairs, keys, values }: Pairs): [Chunk, Chunk] {
  const most = rows + pairs;
  const [continues, given] = [new Uint8Array(most), new Uint8Array(most)];
  let count = 0;
  for (let row = 0; row < rows; row++) {
    const own = counts[row] as number;
    if (own > 0) given.fill(1, count, count + own);
    if (own > 1) continues.fill(1, count + 1, count + own);
    count += Math.max(own, 1);
  }
  const levels = { parts: [...writeLevels(continues, count), ...writeLevels(given, count)], count };
  return [writeTexts(keys, pairs, levels), writeTexts(values, pairs, levels)];
}

/** Repeats the value of each visit for all of its hits. */
export function repeatForHits(values: Numbers, starts: Numbers, repeated: Uint32Array): Uint32Array {
  let hit = 0;
  for (let visit = 0; visit + 1 < starts.length; visit++) {
    const [value, end] = [values[visit] as number, starts[visit + 1] as number];
    for (; hit < end; hit++) repeated[hit] = value;
  }
  return repeated;
}

type Store = (values: Numbers, rows: number) => Uint8Array;

/**
 * Writes each 64-bit number as two numbers of 32 bits. Numbers stay below 2^53, so no BigInt is needed. A BigInt would
 * be slow.
 */
function storeInt64(values: Numbers, rows: number): Uint8Array {
  const words = new Uint32Array(2 * rows);
  for (let row = 0; row < rows; row++) {
    const value = values[row] as number;
    const high = Math.floor(value / 2 ** 32);
    words[2 * row] = value - high * 2 ** 32;
    words[2 * row + 1] = high;
  }
  return asBytes(words);
}

const storeAs =
  (List: typeof Int32Array | typeof Float64Array): Store =>
  (values, rows) => {
    const list = new List(rows);
    for (let row = 0; row < rows; row++) list[row] = values[row] as number;
    return asBytes(list);
  };

const STORES: Record<ColumnType['physical'], Store> = {
  int32: storeAs(Int32Array),
  int64: storeInt64,
  double: storeAs(Float64Array),
  boolean: storeInt64,
  bytes: storeInt64,
};

const writeNumber = (type: ColumnType, value: number): Buffer => Buffer.from(STORES[type.physical]([value], 1));

function findBounds(type: ColumnType, values: Numbers, rows: number): Pick<Chunk, 'bounds'> {
  if (rows === 0) return {};
  let [least, most] = [values[0] as number, values[0] as number];
  for (let row = 1; row < rows; row++) {
    const value = values[row] as number;
    if (value < least) least = value;
    else if (value > most) most = value;
  }
  return { bounds: [writeNumber(type, least), writeNumber(type, most)] };
}
