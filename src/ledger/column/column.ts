// Packs and unpacks columns. A column has one value for each visit, or for each hit, of a day. Its dictionary has the
// distinct values. A code is the index of a value in the dictionary.
//
// Invariant: unpacking gives exactly the numbers that were packed.
//
// Example: four visits have the sources 7, 7, 12 and 7. The dictionary is [7, 12], and the codes are [0, 0, 1, 0]. A
// sealed day stores each code in 1 bit. A shard of an open day stores each code in 1 byte. Shards are written often,
// and writing bytes is faster. Sealing calls `packColumn`, queries call `readColumn`, and open days call
// `packShardColumn`.
import type { SealedDay } from '../../catalog/sealed-days.ts';
import {
  DIMENSIONS,
  type DimensionName,
  findVersion,
  HIT_TEXT_FIELDS,
  PROPERTIES,
  VISIT_TEXT_FIELDS,
} from '../../stats/dimensions.ts';
import { VITALS } from '../../stats/vitals.ts';
import type { Db } from '../../store/db.ts';
import { joinPlanes, splitPlanes } from './bits.ts';
import { findBlob, makeMissingError } from './blobs.ts';
import { makeDictionaryColumn, packDictionary, packPlainDictionary, unpackDictionary } from './dictionary.ts';
import { addDifferences, takeDifferences } from './differences.ts';
import { type Column, compress, decompress, type Numbers, narrow, pack, unpack } from './packing.ts';

/**
 * Columns with one value for each visit. `again` is 1 if a visit has the same visitor as the visit before it in the
 * column. A sealed day has no visitor codes, so only `again` says which visits are by one visitor, and only within the
 * day.
 */
const VISIT_COLUMNS = ['again', ...VISIT_TEXT_FIELDS, 'entry', 'exit', 'hits', 'events', 'seconds'] as const;
/**
 * Columns with one value for each hit. `second` counts from 00:00 UTC of the day. `engaged` is the number of seconds
 * for which the page was visible. `scroll` is the depth in percent, plus one. Each web vital has a column with the
 * numbers of buckets. A bucket is a narrow range of measurements, such as 2,352 to 2,447 ms (src/stats/vitals.ts). A
 * hit without a measurement has the number 0.
 */
const HIT_COLUMNS = [...HIT_TEXT_FIELDS, 'second', 'engaged', 'scroll', ...VITALS] as const;

export type ColumnName = (typeof VISIT_COLUMNS)[number] | (typeof HIT_COLUMNS)[number];

/**
 * The columns that are written when a day is sealed. In place of the column `properties`, a column is written for each
 * property (properties.ts).
 */
export const COLUMNS: readonly ColumnName[] = [...VISIT_COLUMNS, ...HIT_COLUMNS].filter((name) => name !== PROPERTIES);
/**
 * The columns of an open day: all columns of a sealed day, and `properties`. The column `properties` has the number of
 * each hit's set of properties.
 */
export const OPEN_COLUMNS = [...VISIT_COLUMNS, ...HIT_COLUMNS] as const;

/**
 * The columns of a shard. Only shards have the column `arrival`. The rows of a day are numbered from 0 in the order in
 * which they arrive. For each visit, `arrival` has the number of the visit's first row. Sealing sorts visitors by the
 * time of their first hits. If two times are equal, the visitor with the lower `arrival` comes first.
 */
export const SHARD_COLUMNS = [...OPEN_COLUMNS, 'arrival'] as const;
export type ShardColumn = (typeof SHARD_COLUMNS)[number];

export const makeColumn = (name: ShardColumn, values: Uint32Array): Column =>
  hasDictionary(name)
    ? makeDictionaryColumn(values)
    : { terms: NONE, codes: narrow(name === 'second' ? readSigned(values) : values) };

export const isHitColumn = (name: ShardColumn): boolean => (HIT_COLUMNS as readonly string[]).includes(name);

export const hasTerms = (name: ColumnName): name is DimensionName & ColumnName => name in DIMENSIONS;

type Encoding = 'dictionary' | 'bits' | 'planes' | 'plain' | 'ones' | 'deltas' | 'compressed';

/**
 * How the columns of a sealed day are packed. `ones` stores only the indexes of those values that are 1. `plain` stores
 * the numbers unchanged. Three encodings split numbers into planes of bytes (bits.ts), and compress the planes.
 * `deltas` stores the differences of neighbouring values, `planes` stores a dictionary and codes, and `compressed`
 * stores the values. These three encodings are slow to unpack, but few queries read their columns. A column that is not
 * in this table has the encoding `bits`. Each code then takes as few bits as the dictionary needs, or whole bytes if
 * bits would save little. If most codes are equal, only the other codes may be stored (dictionary.ts).
 */
const ENCODINGS: Partial<Record<ShardColumn, Encoding>> = {
  again: 'ones',
  seconds: 'planes',
  hits: 'plain',
  second: 'deltas',
  engaged: 'compressed',
  scroll: 'compressed',
  arrival: 'plain',
};

/**
 * How the columns of a shard are packed. No column is compressed, because compaction writes shards often, and
 * compressing would take too much time. A column that is not in this table has the encoding `dictionary`: each stored
 * code takes 1, 2 or 4 bytes.
 */
const SHARD_ENCODINGS: typeof ENCODINGS = {
  ...ENCODINGS,
  again: 'plain',
  seconds: 'dictionary',
  second: 'plain',
  engaged: 'plain',
  scroll: 'plain',
};

const NONE = new Uint8Array(0);

/** Finds the index of a value in the ascending list `terms`. Returns -1 if the list does not have the value. */
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

export const hasDictionary = (name: ShardColumn): boolean => (ENCODINGS[name] ?? 'planes') === 'planes';

/**
 * Reads an unsigned list as signed numbers. A day may begin before 00:00 UTC, so the column `second` may have negative
 * numbers. The unsigned list has 4,294,967,295 for -1. The returned list uses the memory of the given list.
 */
const readSigned = ({ buffer, byteOffset, length }: Uint32Array): Int32Array =>
  new Int32Array(buffer, byteOffset, length);

/** Packs a column of zeros and ones. For example, [0, 1, 0, 0] becomes the length [4] and the indexes [1]. */
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
  dictionary: packPlainDictionary,
  bits: packDictionary,
  planes: ({ terms, codes }) => compress([terms, ...splitPlanes(codes)]),
  plain: ({ codes }) => pack([codes]),
  ones: ({ codes }) => packOnes(codes),
  compressed: ({ codes }) => compress(splitPlanes(codes)),
  deltas: ({ codes }) => compress(takeDifferences(codes)),
};

const UNPACK: Record<Encoding, (bytes: Uint8Array) => Column> = {
  dictionary: unpackDictionary,
  bits: unpackDictionary,
  planes(bytes) {
    const [terms = NONE, ...planes] = decompress(bytes);
    return { terms, codes: joinPlanes(planes) };
  },
  plain: (bytes) => ({ terms: NONE, codes: unpack(bytes)[0] ?? NONE }),
  ones: (bytes) => ({ terms: NONE, codes: unpackOnes(unpack(bytes)) }),
  compressed: (bytes) => ({ terms: NONE, codes: joinPlanes(decompress(bytes)) }),
  deltas: (bytes) => ({ terms: NONE, codes: addDifferences(decompress(bytes)) }),
};

export const packColumn = (name: ColumnName, column: Column): Buffer => PACK[ENCODINGS[name] ?? 'bits'](column);

export const unpackColumn = (name: ColumnName, bytes: Uint8Array): Column => UNPACK[ENCODINGS[name] ?? 'bits'](bytes);

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
 * Reads a column of a sealed day. The day may have been sealed by an older version of daybook, which did not have this
 * column. All values are then empty.
 */
export function readColumn(db: Db, { id, format, visits, pageviews, events }: SealedDay, name: ColumnName): Column {
  const bytes = findBlob(db, 'sealed_blob', id, name);
  if (bytes) return unpackColumn(name, bytes);
  const added = makeAddedColumn(name, format, isHitColumn(name) ? pageviews + events : visits);
  if (!added) throw makeMissingError(db, 'sealed_blob', id, name);
  return added;
}

/**
 * Replaces a column that a sealed day or a shard does not have. `format` is the version of the database file when the
 * day or shard was written. If this version did not have the column yet, all values are empty. Otherwise, the column
 * was lost: returns undefined, and the caller throws.
 */
export function makeAddedColumn(name: ShardColumn, format: number, rows: number): Column | undefined {
  return findVersion(name) <= format ? undefined : { terms: Uint8Array.of(0), codes: new Uint8Array(rows) };
}
