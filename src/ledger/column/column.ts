// A column has one value for each visit, or for each hit, of a day. The distinct values are its dictionary. Each row
// has a code: the index of its value in the dictionary.
// Invariant: unpacking gives exactly the numbers that were packed. Columns of a sealed day, a day whose hits are packed
// for good, are never packed again.
//
// Example: four visits have the sources 7, 7, 12 and 7. The dictionary is [7, 12], and the codes are [0, 0, 1, 0]. A
// code takes 1 byte. With more than 256 distinct values a code takes 2 bytes, with more than 65,536 it takes 4. If
// 999,900 of 1,000,000 visits have the same value, only the 100 others are stored. This takes about 500 bytes, not 1
// MB.
//
// Columns that are listed in `ENCODINGS` have no dictionary: their codes are the values. Sealing packs columns with
// `packColumn`, and queries read columns with `readColumn`. Shards, parts of days that still take hits, use
// `packShardColumn`, which never compresses.
import type { SealedDay } from '../../catalog/sealed-days.ts';
import { DAY } from '../../lib/time.ts';
import {
  DIMENSIONS,
  type DimensionName,
  findVersion,
  HIT_TEXT_FIELDS,
  VISIT_TEXT_FIELDS,
} from '../../stats/dimensions.ts';
import type { Db } from '../../store/db.ts';
import { findBlob, makeMissingError } from './blobs.ts';
import { compress, decompress, type Numbers, narrow, pack, unpack, widthFor } from './packing.ts';

/**
 * Columns with one value for each visit. `again` is 1 if the visit before is by the same visitor. A sealed day stores
 * nothing else about visitors, so no visitor can be recognized later.
 */
const VISIT_COLUMNS = ['again', ...VISIT_TEXT_FIELDS, 'entry', 'exit', 'hits', 'events', 'seconds'] as const;
/**
 * Columns with one value for each hit. `second` is the time of the hit in seconds, counted from 00:00 UTC of the day.
 * `engaged` is the number of seconds for which the page was visible.
 */
const HIT_COLUMNS = [...HIT_TEXT_FIELDS, 'second', 'engaged'] as const;

export const COLUMNS = [...VISIT_COLUMNS, ...HIT_COLUMNS] as const;
export type ColumnName = (typeof COLUMNS)[number];

/**
 * Only shards, parts of an open day, have the column `arrival`. Rows (hits) of a day are numbered in the order of
 * arrival. `arrival` has the number of each visit's first row. Sealing sorts visitors by their first hit, and by this
 * number if the hits have the same second.
 */
export const SHARD_COLUMNS = [...COLUMNS, 'arrival'] as const;
export type ShardColumn = (typeof SHARD_COLUMNS)[number];

export const makeColumn = (name: ShardColumn, values: Uint32Array): Column =>
  ENCODINGS[name]
    ? { terms: NONE, codes: narrow(name === 'second' ? readSigned(values) : values) }
    : makeDictionary(values);

export const isHitColumn = (name: ShardColumn): boolean => (HIT_COLUMNS as readonly string[]).includes(name);

/**
 * Returns whether the values of a column are terms. A term is the number of a text, for example of the page `/`. All
 * other columns have plain numbers, such as seconds.
 */
export const hasTerms = (name: ColumnName): name is DimensionName & ColumnName => name in DIMENSIONS;

/**
 * A column of a day, with a row for each visit or hit. `terms` has the distinct values, ascending. `codes` has, for
 * each row, the index of its value in `terms`. Columns without a dictionary have empty `terms`, and the values
 * themselves in `codes`.
 */
export type Column = { terms: Numbers; codes: Numbers };

type Encoding = 'dictionary' | 'plain' | 'ones' | 'deltas' | 'compressed';

/**
 * The columns that store their values themselves, and how the values are packed. Other columns have a dictionary, a
 * list of distinct values. `ones` stores only the rows with a 1. `deltas` compresses the differences of neighbouring
 * values. Compressed columns are slow to unpack, but few queries read them.
 */
const ENCODINGS: Partial<Record<ShardColumn, Encoding>> = {
  again: 'ones',
  hits: 'plain',
  second: 'deltas',
  engaged: 'compressed',
  arrival: 'plain',
};

/**
 * How columns of a shard, a part of an open day, are packed. A shard is written again and again, and read whole. So
 * none of its columns is compressed, which would take too much time.
 */
const SHARD_ENCODINGS: typeof ENCODINGS = { ...ENCODINGS, again: 'plain', second: 'plain', engaged: 'plain' };

/**
 * If most rows of a column have the same value, only the other rows are stored. This is done only if they take less
 * than 60 % of the bytes of all rows.
 */
const SPARSE = 0.6;

const NONE = new Uint8Array(0);

/** Returns the index of a value in an ascending list, or -1 if the list does not have the value. */
export function findCode(terms: ArrayLike<number>, value: number): number {
  let low = 0;
  let high = terms.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const term = terms[middle] as number;
    if (term === value) return middle;
    if (term < value) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

/**
 * Used to find the code of a value, its index in the list of distinct values. For value 7, entry 7 is the code plus
 * one, or 0 if the value has no code. All calls share this buffer, because creating a buffer costs more than filling
 * it.
 */
let codeBuffer = new Uint32Array(1024);

function growCodeBuffer(largest: number): Uint32Array {
  if (largest >= codeBuffer.length) codeBuffer = new Uint32Array(2 ** Math.ceil(Math.log2(largest + 1)));
  return codeBuffer;
}

function makeDictionary(values: Uint32Array): Column {
  const codeAfter = growCodeBuffer(values.reduce((largest, value) => Math.max(largest, value), 0));
  const seen: number[] = [];
  for (const value of values) {
    if (codeAfter[value] === 0) seen.push(value);
    codeAfter[value] = 1;
  }
  const terms = Uint32Array.from(seen).sort();
  for (let i = 0; i < terms.length; i++) codeAfter[terms[i] as number] = i + 1;
  const codes = new Uint32Array(values.length);
  for (let i = 0; i < values.length; i++) codes[i] = (codeAfter[values[i] as number] as number) - 1;
  for (const term of terms) codeAfter[term] = 0;
  return { terms: narrow(terms), codes: narrow(codes) };
}

/**
 * Returns true if the codes of a column are indexes into its dictionary, a list of distinct values. Returns false if
 * the codes are the values themselves.
 */
export const hasDictionary = (name: ShardColumn): boolean => ENCODINGS[name] === undefined;

/**
 * Reads a list of unsigned numbers as signed numbers. A day may begin before 00:00 UTC, so the second of a hit may be
 * negative. In the unsigned list, -1 stands as 4,294,967,295.
 */
const readSigned = ({ buffer, byteOffset, length }: Uint32Array): Int32Array =>
  new Int32Array(buffer, byteOffset, length);

function findCommonest({ terms, codes }: Column): { common: number; rows: number } {
  const counts = new Uint32Array(terms.length);
  for (let i = 0; i < codes.length; i++) counts[codes[i] as number] = (counts[codes[i] as number] as number) + 1;
  const rows = counts.reduce((most, count) => Math.max(most, count), 0);
  return { common: counts.indexOf(rows), rows };
}

function packDictionary(column: Column): Buffer {
  const { terms, codes } = column;
  const { common, rows } = findCommonest(column);
  const others = codes.length - rows;
  const bytesOfEach = widthFor(codes.length) + widthFor(terms.length);
  if (others * bytesOfEach >= SPARSE * codes.byteLength) return pack([terms, codes]);
  const [positions, exceptions] = [new Uint32Array(others), new Uint32Array(others)];
  let count = 0;
  for (let i = 0; i < codes.length; i++) {
    if (codes[i] === common) continue;
    positions[count] = i;
    exceptions[count++] = codes[i] as number;
  }
  return pack([terms, narrow([codes.length, common]), narrow(positions), narrow(exceptions)]);
}

function unpackDictionary(bytes: Uint8Array): Column {
  const [terms = NONE, codes = NONE, rows, exceptions] = unpack(bytes);
  if (!rows || !exceptions) return { terms, codes };
  const [count = 0, common = 0] = codes;
  const kind = terms.length <= 256 ? Uint8Array : terms.length <= 65_536 ? Uint16Array : Uint32Array;
  const all = new kind(count);
  if (common !== 0) all.fill(common);
  for (let i = 0; i < rows.length; i++) all[rows[i] as number] = exceptions[i] as number;
  return { terms, codes: all };
}

/**
 * The second of a hit is counted from 00:00 UTC. In any time zone, all hits of a day lie between one day before 00:00
 * UTC and two days after. That is less than four days. So the seconds of a day stay different modulo four days.
 */
const WIDE = 4 * DAY;

/**
 * Returns the differences between the times of neighbouring hits, in seconds modulo a day. The differences are small
 * numbers, which compress well. If a hit is outside the UTC day, the differences are modulo four days. Then one more
 * list is returned, which has this modulus.
 */
function takeDifferences(seconds: Numbers): Numbers[] {
  const modulus = seconds.every((second) => second >= 0 && second < DAY) ? DAY : WIDE;
  let last = 0;
  const deltas = Uint32Array.from(seconds, (second) => {
    const delta = (second - last + modulus) % modulus;
    last = second;
    return delta;
  });
  return modulus === DAY ? [narrow(deltas)] : [narrow(deltas), narrow([modulus])];
}

function addDifferences([deltas = NONE, told = NONE]: Numbers[]): Numbers {
  const [modulus = DAY] = told;
  const seconds = new Int32Array(deltas.length);
  let last = 0;
  for (let i = 0; i < deltas.length; i++) {
    // The sum is less than twice the modulus, so subtracting the modulus once is enough. This takes a fifth of the time
    // of a division.
    const beyond = last + (deltas[i] as number) - modulus;
    last = beyond + (modulus & (beyond >> 31));
    seconds[i] = last;
  }
  if (modulus === DAY) return new Uint32Array(seconds.buffer);
  return seconds.map((second) => (second < WIDE - DAY ? second : second - WIDE));
}

/**
 * Packs a column of zeros and ones as its length and a list of the rows that have a one. The bits [0, 1, 0, 0] become
 * [4] and [1]. The fewer ones, the fewer bytes.
 */
function packOnes(bits: Numbers): Buffer {
  const ones: number[] = [];
  for (let row = 0; row < bits.length; row++) if (bits[row] === 1) ones.push(row);
  return pack([narrow([bits.length]), narrow(ones)]);
}

function unpackOnes([length = NONE, ones = NONE]: Numbers[]): Uint8Array {
  const bits = new Uint8Array(length[0] ?? 0);
  for (let i = 0; i < ones.length; i++) bits[ones[i] as number] = 1;
  return bits;
}

const PACK: Record<Encoding, (column: Column) => Buffer> = {
  dictionary: packDictionary,
  plain: ({ codes }) => pack([codes]),
  ones: ({ codes }) => packOnes(codes),
  compressed: ({ codes }) => compress([codes]),
  deltas: ({ codes }) => compress(takeDifferences(codes)),
};

const UNPACK: Record<Encoding, (bytes: Uint8Array) => Column> = {
  dictionary: unpackDictionary,
  plain: (bytes) => ({ terms: NONE, codes: unpack(bytes)[0] ?? NONE }),
  ones: (bytes) => ({ terms: NONE, codes: unpackOnes(unpack(bytes)) }),
  compressed: (bytes) => ({ terms: NONE, codes: decompress(bytes)[0] ?? NONE }),
  deltas: (bytes) => ({ terms: NONE, codes: addDifferences(decompress(bytes)) }),
};

export const packColumn = (name: ColumnName, column: Column): Buffer => PACK[ENCODINGS[name] ?? 'dictionary'](column);

export const unpackColumn = (name: ColumnName, bytes: Uint8Array): Column =>
  UNPACK[ENCODINGS[name] ?? 'dictionary'](bytes);

export const packShardColumn = (name: ShardColumn, column: Column): Buffer =>
  PACK[SHARD_ENCODINGS[name] ?? 'dictionary'](column);

export const unpackShardColumn = (name: ShardColumn, bytes: Uint8Array): Column =>
  UNPACK[SHARD_ENCODINGS[name] ?? 'dictionary'](bytes);

export function takeCodes(codes: Numbers, rows: Uint32Array): Numbers {
  const taken = codes.slice(0, rows.length);
  for (let i = 0; i < rows.length; i++) taken[i] = codes[rows[i] as number] as number;
  return taken;
}

/**
 * Reads a column of a sealed day from the database file. An older version of daybook may have sealed the day without
 * this column. Then all values are empty.
 */
export function readColumn(db: Db, { id, format, visits, pageviews, events }: SealedDay, name: ColumnName): Column {
  const bytes = findBlob(db, 'sealed_blob', id, name);
  if (bytes) return unpackColumn(name, bytes);
  const added = makeAddedColumn(name, format, isHitColumn(name) ? pageviews + events : visits);
  if (!added) throw makeMissingError('sealed_blob', id, name);
  return added;
}

/**
 * `format` is the version of the database file in which a day was stored. If that version did not have the column yet,
 * returns a column of empty values. Otherwise returns undefined, and a missing column is an error.
 */
export function makeAddedColumn(name: ShardColumn, format: number, rows: number): Column | undefined {
  const since = name in DIMENSIONS ? findVersion(name as keyof typeof DIMENSIONS) : 1;
  return since <= format ? undefined : { terms: Uint8Array.of(0), codes: new Uint8Array(rows) };
}
