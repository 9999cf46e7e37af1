// Makes columns with a dictionary from values, and packs their codes.
//
// Invariant: unpacking gives exactly the column that was packed.
//
// Example: four visits have the sources 7, 7, 12 and 7. The dictionary is [7, 12], and each code takes 1 bit. If
// 999,900 of 1,000,000 codes are equal, only the 100 other codes are stored. column.ts and properties.ts call this
// file.
import { countBits, packBits, unpackBits } from './bits.ts';
import { type Column, makeCodes, narrow, pack, unpack, widthFor } from './packing.ts';

const NONE = new Uint8Array(0);

/**
 * All calls share this buffer, because creating a new buffer would take longer than the rest of a call.
 * `codeBuffer[value]` is the code of a value, plus one. The entry is 0 if the value has no code. Between two calls, all
 * entries are 0.
 */
let codeBuffer = new Uint32Array(1024);

function growCodeBuffer(largest: number): Uint32Array {
  if (largest >= codeBuffer.length) codeBuffer = new Uint32Array(2 ** Math.ceil(Math.log2(largest + 1)));
  return codeBuffer;
}

/**
 * Makes a column from values. Loops with an index are used here, because methods such as `reduce` take several times as
 * long for each value.
 */
export function makeDictionaryColumn(values: Uint32Array): Column {
  let [largest, isConstant] = [0, true];
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number;
    if (value > largest) largest = value;
    if (value !== values[0]) isConstant = false;
  }
  // In most columns of most days, all values are equal. For example, no visit has a campaign.
  if (isConstant) return makeConstantColumn(narrow(values.subarray(0, 1)), values.length);
  const codeAfter = growCodeBuffer(largest);
  const seen: number[] = [];
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number;
    if (codeAfter[value] !== 0) continue;
    seen.push(value);
    codeAfter[value] = 1;
  }
  const terms = Uint32Array.from(seen).sort();
  for (let i = 0; i < terms.length; i++) codeAfter[terms[i] as number] = i + 1;
  const codes = makeCodes(terms.length, values.length);
  for (let i = 0; i < values.length; i++) codes[i] = (codeAfter[values[i] as number] as number) - 1;
  for (let i = 0; i < terms.length; i++) codeAfter[terms[i] as number] = 0;
  return { terms: narrow(terms), codes };
}

/** Makes a column in which all values are equal. `terms` has this value. Without rows, `terms` is empty. */
export const makeConstantColumn = (terms: Column['terms'], rows: number): Column => ({
  terms,
  codes: makeCodes(terms.length, rows),
});

function findCommonest({ terms, codes }: Column): { common: number; rows: number } {
  if (terms.length === 1) return { common: 0, rows: codes.length };
  const counts = new Uint32Array(terms.length);
  for (let i = 0; i < codes.length; i++) counts[codes[i] as number] = (counts[codes[i] as number] as number) + 1;
  const rows = counts.reduce((most, count) => Math.max(most, count), 0);
  return { common: counts.indexOf(rows), rows };
}

/** Packs a column of a sealed day. */
export function packDictionary(column: Column): Buffer {
  const { terms, codes } = column;
  const bits = countBits(terms.length);
  const tight = Math.ceil((codes.length * bits) / 8);
  if (tight > WORTHWHILE * codes.byteLength) return packPlainDictionary(column);
  return packSparse(column, tight) ?? pack([terms, narrow([codes.length, bits]), packBits(codes, bits)]);
}

/**
 * Codes are packed as bits only if the bits take less than 90 % of the space of whole bytes. Reading bits takes longer
 * than reading bytes. For example, codes of 15 bits are stored as 2 bytes.
 */
const WORTHWHILE = 0.9;

/**
 * Packs a column of a shard. If only a few codes differ from the most frequent one, only these are packed. Otherwise,
 * each code takes whole bytes, which are faster to write and to read than bits.
 */
export const packPlainDictionary = (column: Column): Buffer =>
  packSparse(column, column.codes.byteLength) ?? pack([column.terms, column.codes]);

/**
 * Packs only the rare codes: all codes except the most frequent one. `dense` is how many bytes all codes would take
 * when packed. Returns undefined if packing only the rare codes does not save space. The rare codes and their positions
 * must take fewer than `dense` bytes. They must also take less than 60 % of the unpacked codes (`SPARSE`).
 */
function packSparse(column: Column, dense: number): Buffer | undefined {
  const { terms, codes } = column;
  const { common, rows } = findCommonest(column);
  const others = codes.length - rows;
  const bytesOfEach = widthFor(codes.length) + widthFor(terms.length);
  if (others * bytesOfEach >= Math.min(SPARSE * codes.byteLength, dense)) return undefined;
  const [positions, exceptions] = [new Uint32Array(others), new Uint32Array(others)];
  let count = 0;
  for (let i = 0; count < others; i++) {
    if (codes[i] === common) continue;
    positions[count] = i;
    exceptions[count++] = codes[i] as number;
  }
  return pack([terms, narrow([codes.length, common]), narrow(positions), narrow(exceptions)]);
}

export function unpackDictionary(bytes: Uint8Array): Column {
  const [terms = NONE, codes = NONE, rows, exceptions] = unpack(bytes);
  if (!rows) return { terms, codes };
  const [count = 0, common = 0] = codes;
  if (!exceptions) return { terms, codes: unpackBits(rows as Uint32Array, count, common) };
  const all = makeCodes(terms.length, count);
  if (common !== 0) all.fill(common);
  for (let i = 0; i < rows.length; i++) all[rows[i] as number] = exceptions[i] as number;
  return { terms, codes: all };
}

/**
 * The rare codes of a column are all codes except the most frequent one. Storing only the rare codes and their
 * positions often saves space. Together, they must take less than this share of the bytes of the unpacked codes. They
 * must also take fewer bytes than all codes when packed (`packSparse`).
 */
const SPARSE = 0.6;
