// Writes the pages of a column: a page with the dictionary of texts, and a page with the data. zstd compresses the
// pages, except in small chunks.
//
// Invariant: all data pages are of version 1, and values have only the encodings PLAIN and RLE_DICTIONARY. All common
// programs can read these.
//
// Example: the column `country` has the values DE, FR, DE. Its dictionary page has `DE` and `FR`. Its data page has the
// codes 0, 1, 0 with 8 bits each. Codes are written in groups of eight, so five zeros fill the group. In bytes: the
// width 08, the header 03 for one group, and eight codes. columns.ts calls these functions.

import { constants, zstdCompressSync } from 'node:zlib';
import { encode, int32, struct, writeVarint } from './thrift.ts';

export const ENCODINGS = { plain: 0, rle: 3, dictionary: 8 } as const;
/** The compression of a chunk, with the numbers that Parquet uses. */
const CODECS = { none: 0, zstd: 6 } as const;

/** The content of a page, before it is compressed. */
export type Content = { type: 'data' | 'dictionary'; parts: readonly Uint8Array[]; size: number; own: Fields };

/** A page with its header. `raw` is its size without compression. */
export type Page = { bytes: Uint8Array[]; size: number; raw: number };

type Fields = Parameters<typeof struct>[0];

/** At level 1, compressing takes a third of the time of level 3, and the files are hardly larger. */
const LEVEL = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/** A chunk with fewer bytes is not compressed. Compressing takes at least 50 µs, even for a few bytes. */
const WORTH_COMPRESSING = 1_024;

const PAGE = { data: 0, dictionary: 2 } as const;

/** Compresses the pages of a chunk. Parquet requires the same compression for all pages of a chunk. */
export function compressPages(contents: readonly Content[]): { codec: number; pages: Page[] } {
  const size = contents.reduce((sum, content) => sum + content.size, 0);
  const codec = size < WORTH_COMPRESSING ? CODECS.none : CODECS.zstd;
  return { codec, pages: contents.map((content) => makePage(content, codec)) };
}

function makePage({ type, parts, size, own }: Content, codec: number): Page {
  const packed = codec === CODECS.none ? parts : [zstdCompressSync(Buffer.concat(parts), LEVEL)];
  const stored = packed.reduce((sum, { length }) => sum + length, 0);
  const header = encode(struct({ 1: int32(PAGE[type]), 2: int32(size), 3: int32(stored), ...own }));
  return { bytes: [header, ...packed], size: header.length + stored, raw: header.length + size };
}

const makeContent = (type: Content['type'], parts: readonly Uint8Array[], own: Fields): Content => ({
  ...{ type, parts, own },
  size: parts.reduce((sum, { length }) => sum + length, 0),
});

export const makeDataPage = (
  parts: readonly Uint8Array[],
  count: number,
  encoding: (typeof ENCODINGS)[keyof typeof ENCODINGS],
): Content =>
  makeContent('data', parts, {
    5: struct({ 1: int32(count), 2: int32(encoding), 3: int32(ENCODINGS.rle), 4: int32(ENCODINGS.rle) }),
  });

export const makeDictionaryPage = (parts: readonly Uint8Array[], count: number): Content =>
  makeContent('dictionary', parts, { 7: struct({ 1: int32(count), 2: int32(ENCODINGS.plain) }) });

function writeLength(length: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(length);
  return bytes;
}

/**
 * Writes the header of a list of single values, which is written in groups of eight. The header is the number of
 * groups, times two, plus one. An odd header marks groups, and an even header marks a run (`writeRun`).
 */
function writeListHead(count: number): Buffer {
  const head: number[] = [];
  writeVarint(head, Math.ceil(count / 8) * 2 + 1);
  return Buffer.from(head);
}

/**
 * Writes a run of equal values: its length times two, and then the value as one byte (below 256). An even number marks
 * a run, and an odd number marks groups of eight values.
 */
function writeRun(count: number, value: number): Buffer {
  const run: number[] = [];
  writeVarint(run, count * 2);
  return Buffer.from([...run, value]);
}

/** Rounds a count of values up to full groups of eight. */
const fillGroup = (count: number): number => Math.ceil(count / 8) * 8;

/**
 * Writes codes of a dictionary. A code takes 8, 16 or 32 bits, although fewer bits may be enough. If zstd compresses
 * the chunk, the unused bits take hardly any space.
 */
export function writeCodes(codes: ArrayLike<number>, count: number, distinct: number): Uint8Array[] {
  if (distinct <= 1) return [Uint8Array.of(8), writeRun(count, 0)];
  const width = distinct <= 0x100 ? 8 : distinct <= 0x10000 ? 16 : 32;
  const Codes = { 8: Uint8Array, 16: Uint16Array, 32: Uint32Array }[width];
  const packed = new Codes(fillGroup(count));
  for (let i = 0; i < count; i++) packed[i] = codes[i] as number;
  return [Uint8Array.of(width), writeListHead(count), asBytes(packed)];
}

/**
 * Writes levels, with one bit for each. In Parquet, a level says for each row whether it has a value (1) or is null
 * (0). In a map column, levels also say where a row begins (columns.ts).
 */
export function writeLevels(levels: Uint8Array, count: number): Uint8Array[] {
  const first = levels[0] ?? 0;
  const isRun = levels.subarray(0, count).indexOf(1 - first) === -1;
  const parts = isRun ? [writeRun(count, first)] : [writeListHead(count), packBits(levels, count)];
  return [writeLength(parts.reduce((sum, { length }) => sum + length, 0)), ...parts];
}

export function packBits(flags: Uint8Array, count: number): Uint8Array {
  const bits = new Uint8Array(fillGroup(count) / 8);
  for (let i = 0; i < count; i++) bits[i >> 3] = (bits[i >> 3] as number) | ((flags[i] as number) << (i & 7));
  return bits;
}

export const asBytes = ({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array =>
  new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength);
