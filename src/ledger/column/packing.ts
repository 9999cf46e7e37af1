// Packs lists of whole numbers into one buffer, and unpacks them.
//
// Invariant: `unpack(pack(lists))` gives equal lists. `unpack` throws an error if a list has an unknown width or is
// longer than the buffer.
//
// Example: [5, 300] and [1, 2, 3] take 24 bytes. Each list begins with 8 bytes for its length and its width. The first
// list has 2 bytes for each number: 8 + 4 = 12. The second list has 1 byte for each number: 8 + 3 = 11, filled up to
// 12. Columns, rollups, sums and packed crawls are stored in this form.
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';

/** A list of whole numbers. Negative numbers need Int32Array. Numbers beyond 32 bits need Float64Array. */
export type Numbers = Uint8Array | Uint16Array | Uint32Array | Float64Array | Int32Array;

/**
 * A column of a day. `terms` is the dictionary, ascending. `codes` has an index into `terms` for each visit or hit.
 * Some columns, such as `second`, have no dictionary. In this case, `terms` is empty, and `codes` has the values
 * themselves.
 */
export type Column = { terms: Numbers; codes: Numbers };

/**
 * A packed list begins with its length and its width: 1, 2 or 4 bytes for each number. Two other values may stand in
 * place of the width. `SIGNED` means 4 bytes for each number, which may be negative. `WIDE` means 8 bytes for each
 * number, which may exceed 32 bits.
 */
const SIGNED = 132;
const WIDE = 136;
const KINDS = { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array, [SIGNED]: Int32Array, [WIDE]: Float64Array } as const;
type PackingKind = keyof typeof KINDS;
type Width = 1 | 2 | 4;

/**
 * Packs lists in the byte order of the machine, so that `unpack` need not copy the numbers. A machine with another byte
 * order cannot read the result.
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
 * Unpacks lists. Throws a RangeError if a width is unknown, or if a list is longer than the buffer. Without these
 * checks, damaged bytes would give wrong figures.
 */
export function unpack(packed: Uint8Array): Numbers[] {
  // A typed array of 4-byte numbers must begin at a multiple of 4 in its buffer. If `packed` begins elsewhere, its
  // bytes are copied to a new buffer.
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
    // A typed array of 8-byte numbers must begin at a multiple of 8 in its buffer. If the list begins elsewhere, its
    // bytes are copied to a new buffer.
    const isAligned = start % kind.BYTES_PER_ELEMENT === 0;
    lists.push(isAligned ? new kind(buffer, start, length) : new kind(buffer.slice(start, end)));
  }
  return lists;
}

function markKind(list: Numbers): number {
  if (list instanceof Int32Array) return SIGNED;
  return list instanceof Float64Array ? WIDE : list.BYTES_PER_ELEMENT;
}

/** The bytes in front of each list: 4 for its length, and 4 for its width. */
const HEADER = 8;
const pad = (bytes: number): number => (bytes + 3) & ~3;

/**
 * Makes a list of `rows` zeros, for codes of a dictionary with `terms` values. With up to 256 values, a code takes 1
 * byte.
 */
export const makeCodes = (terms: number, rows: number): Uint8Array | Uint16Array | Uint32Array =>
  new KINDS[widthFor(terms)](rows);

export const widthFor = (end: number): Width => (end <= 256 ? 1 : end <= 65_536 ? 2 : 4);

/** Makes a list of zeros, with room for numbers below `end`. */
export const makeNumbers = (length: number, end: number): Numbers => new KINDS[widthFor(end)](length);

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
 * The zstd level. Level 1 gives fewer bytes than deflate, in a tenth of the time. Higher levels save hardly any bytes.
 */
const LEVEL = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/**
 * Up to this many bytes, lists are not compressed. Each compression takes 30 µs to begin, and would hardly make so few
 * bytes shorter.
 */
const SHORT = 64;
export const isShort = ({ byteLength }: Uint8Array): boolean => byteLength <= SHORT;

export function compress(lists: readonly Numbers[]): Buffer {
  const packed = pack(lists);
  return isShort(packed) ? packed : zstdCompressSync(packed, LEVEL);
}

export const decompress = (bytes: Uint8Array): Numbers[] =>
  unpack(isCompressed(bytes) ? zstdDecompressSync(bytes) : bytes);

/**
 * The chunk size for decompressing. With this size, decompressing is a third faster than with Node's default. But even
 * short lists then lie in a buffer of 64 KB, and one list in use keeps the whole buffer in memory. For this reason,
 * `decompressForNow` is only for lists that are not cached.
 */
const ROOM = { chunkSize: 64 * 1024 };
export const decompressForNow = (bytes: Uint8Array): Numbers[] =>
  unpack(isCompressed(bytes) ? zstdDecompressSync(bytes, ROOM) : bytes);

/**
 * Compressed bytes begin with these four bytes. Packed lists begin with a length. As a length, these four bytes would
 * mean 4 billion numbers, so no packed list begins with them.
 */
const ZSTD_MAGIC = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);
export const isCompressed = (bytes: Uint8Array): boolean => ZSTD_MAGIC.equals(bytes.subarray(0, ZSTD_MAGIC.length));

/**
 * Frees the memory of a list immediately, if the list has a buffer of its own. The list must not be used afterwards.
 * Without this function, sealing would need about twice the memory until the garbage collector runs.
 */
export function free({ buffer, byteLength }: Uint8Array | Numbers): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
