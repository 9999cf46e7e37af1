// Packing writes lists of whole numbers into one buffer, in the narrowest type that holds the largest number.
// Invariant: `unpack(pack(lists))` gives equal lists, and copies nothing if they are aligned. Bytes that `pack` did not write throw.
//
// Example: [5, 300] and [1, 2, 3] take 24 bytes. Each list has 8 bytes for its length and width. The first list has 2 bytes a number, so
// 4 bytes. The second has 1 byte a number, so 3 bytes and 1 to fill up to a multiple of 4.
//
// column.ts packs columns, sealed/ packs rollups and sums, rows/packed-crawls.ts requests of crawlers.
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';

/** Whole numbers in the narrowest type: unsigned up to 32 bits, else signed or wide. */
export type Numbers = Uint8Array | Uint16Array | Uint32Array | Float64Array | Int32Array;

/** These marks stand in the place of a list's width: for lists with negative numbers, and with numbers beyond 32 bits. */
const SIGNED = 132;
const WIDE = 136;
const KINDS = { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array, [SIGNED]: Int32Array, [WIDE]: Float64Array } as const;
type PackingKind = keyof typeof KINDS;
type Width = 1 | 2 | 4;

/**
 * Packs lists into one buffer. Numbers have the byte order of the machine, so `unpack` copies nothing. Node 24 runs on little-endian
 * systems only.
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

/** Reads the lists of a packed buffer. Throws a RangeError if `pack` did not make it. */
export function unpack(packed: Uint8Array): Numbers[] {
  // Typed arrays of wider numbers need an aligned buffer.
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
    // Lists of 8 bytes a number may start at an odd multiple of 4 behind other lists.
    const isAligned = start % kind.BYTES_PER_ELEMENT === 0;
    lists.push(isAligned ? new kind(buffer, start, length) : new kind(buffer.slice(start, end)));
  }
  return lists;
}

function markKind(list: Numbers): number {
  if (list instanceof Int32Array) return SIGNED;
  return list instanceof Float64Array ? WIDE : list.BYTES_PER_ELEMENT;
}

/** The bytes before each list: its length and its width. */
const HEADER = 8;
const pad = (bytes: number): number => (bytes + 3) & ~3;

/** The bytes that a number below `end` takes. */
export const widthFor = (end: number): Width => (end <= 256 ? 1 : end <= 65_536 ? 2 : 4);

/** Copies numbers into the narrowest type that holds them all. */
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

/** Level 1 of zstd. It leaves less than deflate, in a tenth of the time, and is read in half the time. Higher levels leave hardly less. */
const LEVEL = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/** Packs lists and compresses them. */
export const compress = (lists: readonly Numbers[]): Buffer => zstdCompressSync(pack(lists), LEVEL);
export const decompress = (bytes: Uint8Array): Numbers[] => unpack(zstdDecompressSync(bytes));

/**
 * Small chunks make unpacking a third faster. Lists that are used at once may share a larger buffer; lists that are kept would keep all of
 * it.
 */
const ROOM = { chunkSize: 64 * 1024 };
export const decompressForNow = (bytes: Uint8Array): Numbers[] => unpack(zstdDecompressSync(bytes, ROOM));

/** Data of zstd begins with these bytes. Packed lists cannot begin so, because their first length would be wrong. */
const ZSTD_MAGIC = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);
export const isCompressed = (bytes: Uint8Array): boolean => ZSTD_MAGIC.equals(bytes.subarray(0, ZSTD_MAGIC.length));

/** Frees the memory of a list at once. Waiting for the garbage collector would take as much memory again. */
export function free({ buffer, byteLength }: Uint8Array | Numbers): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
