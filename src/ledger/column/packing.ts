// Packs lists of whole numbers into one buffer, and unpacks them. `narrow` chooses the narrowest number type that can
// hold all numbers of a list.
// Invariant: `unpack(pack(lists))` gives equal lists, and copies no list that is aligned. Bytes in another format throw
// an error.
//
// Example: [5, 300] and [1, 2, 3] take 24 bytes. Each list begins with 8 bytes for its length and its width. The first
// list has 2 bytes for each number: 8 + 4 = 12. The second list has 1 byte for each number: 8 + 3 = 11. One more byte
// fills it up to 12, a multiple of 4.
//
// column.ts packs columns, sealed/ packs rollups and sums, and rows/packed-crawls.ts packs requests of crawlers.
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';

/** A list of whole numbers. Negative numbers need the type Int32Array, and numbers beyond 32 bits Float64Array. */
export type Numbers = Uint8Array | Uint16Array | Uint32Array | Float64Array | Int32Array;

/**
 * Each packed list begins with its length and its width: 1, 2 or 4 bytes for each number. Two kinds of lists have one
 * of these constants in place of the width. `SIGNED` is for a list with negative numbers. `WIDE` is for a list with
 * numbers beyond 32 bits.
 */
const SIGNED = 132;
const WIDE = 136;
const KINDS = { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array, [SIGNED]: Int32Array, [WIDE]: Float64Array } as const;
type PackingKind = keyof typeof KINDS;
type Width = 1 | 2 | 4;

/**
 * Packs lists of numbers into one buffer. Numbers have the byte order of the machine, so `unpack` need not copy them. A
 * machine with another byte order could not read the buffer.
 */
export function pack(lists: readonly Numbers[]): Buffer {
  const size = lists.reduce((sum, { byteLength }) => sum + HEADER + pad(byteLength), 0);
  const bytes = Buffer.alloc(size);
  let at = 0;
  for (const list of lists) {
    bytes.writeUInt32LE(list.length, at);
    bytes.writeUInt32LE(markKind(list), at + 4);
    bytes.set(new Uint8Array(list.buffer, list.byteOffset, list.byteLength), at + HEADER);
    at += HEADER + pad(list.byteLength);
  }
  return bytes;
}

/**
 * Returns the lists of a packed buffer. Throws a RangeError if `pack` could not have made these bytes. Wrong lengths
 * would otherwise give wrong figures.
 */
export function unpack(packed: Uint8Array): Numbers[] {
  // A typed array with numbers of 4 bytes must begin at a multiple of 4 in the buffer. Otherwise JavaScript throws an
  // error, so the bytes are copied first.
  const bytes = packed.byteOffset % 4 === 0 ? packed : new Uint8Array(packed);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const lists: Numbers[] = [];
  for (let at = 0; at < bytes.byteLength; ) {
    const length = view.getUint32(at, true);
    const width = view.getUint32(at + 4, true);
    const kind = KINDS[width as PackingKind];
    if (!kind) throw new RangeError(`packed list has an unknown width of ${width} bytes`);
    const start = bytes.byteOffset + at + HEADER;
    const end = start + length * kind.BYTES_PER_ELEMENT;
    at += HEADER + pad(end - start);
    if (at > bytes.byteLength) throw new RangeError('packed list runs past the end of the buffer');
    const buffer = bytes.buffer as ArrayBuffer;
    // A list with numbers of 8 bytes must begin at a multiple of 8. The lists before it may have made it begin
    // elsewhere. Then the list is copied.
    const isAligned = start % kind.BYTES_PER_ELEMENT === 0;
    lists.push(isAligned ? new kind(buffer, start, length) : new kind(buffer.slice(start, end)));
  }
  return lists;
}

function markKind(list: Numbers): number {
  if (list instanceof Int32Array) return SIGNED;
  return list instanceof Float64Array ? WIDE : list.BYTES_PER_ELEMENT;
}

/** The number of bytes before each list: 4 for its length and 4 for its width. */
const HEADER = 8;
const pad = (bytes: number): number => (bytes + 3) & ~3;

export const widthFor = (end: number): Width => (end <= 256 ? 1 : end <= 65_536 ? 2 : 4);

export function narrow(values: ArrayLike<number>): Numbers {
  let largest = 0;
  let smallest = 0;
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number;
    if (value > largest) largest = value;
    else if (value < smallest) smallest = value;
  }
  if (largest >= 2 ** (smallest < 0 ? 31 : 32) || smallest < -(2 ** 31)) return new Float64Array(values);
  if (smallest < 0) return new Int32Array(values);
  return new KINDS[widthFor(largest + 1)](values);
}

/**
 * Level 1 of zstd gives fewer bytes than deflate. Compressing takes a tenth of the time of deflate, and decompressing
 * takes half. Higher levels save hardly any bytes.
 */
const LEVEL = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

export const compress = (lists: readonly Numbers[]): Buffer => zstdCompressSync(pack(lists), LEVEL);
export const decompress = (bytes: Uint8Array): Numbers[] => unpack(zstdDecompressSync(bytes));

/**
 * With chunks of 64 KB, decompressing is a third faster, but several lists may share a larger buffer. As long as one of
 * these lists is in use, the whole buffer stays in memory. So `decompressForNow` is only for lists that are used once
 * and not cached.
 */
const ROOM = { chunkSize: 64 * 1024 };
export const decompressForNow = (bytes: Uint8Array): Numbers[] => unpack(zstdDecompressSync(bytes, ROOM));

/**
 * Bytes that zstd has compressed begin with these four bytes. Packed lists never begin with them, because they begin
 * with the length of the first list. As a length, the four bytes would mean 4 billion.
 */
const ZSTD_MAGIC = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);
export const isCompressed = (bytes: Uint8Array): boolean => ZSTD_MAGIC.equals(bytes.subarray(0, ZSTD_MAGIC.length));

/**
 * Frees the memory of a list immediately. Waiting for the garbage collector would take about twice the memory. The list
 * must not be used afterwards.
 */
export function free({ buffer, byteLength }: Uint8Array | Numbers): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
