import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';

/** Whole numbers from 0, in the narrowest type that holds the largest of them; or with negative ones among them. */
export type Numbers = Uint8Array | Uint16Array | Uint32Array | Float64Array | Int32Array;

/** The marks of lists with negative numbers, and with numbers beyond 32 bits, in the place of their width. */
const SIGNED = 132;
const WIDE = 136;
const KINDS = { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array, [SIGNED]: Int32Array, [WIDE]: Float64Array } as const;
type Kind = keyof typeof KINDS;
type Width = 1 | 2 | 4;

function kindOf(list: Numbers): number {
  if (list instanceof Int32Array) return SIGNED;
  return list instanceof Float64Array ? WIDE : list.BYTES_PER_ELEMENT;
}

/** Bytes before each list: its length and its kind. */
const HEADER = 8;
const padded = (bytes: number): number => (bytes + 3) & ~3;

/** How many bytes a number below `end` takes. */
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
 * Packs lists of numbers into one buffer. The numbers are in the byte order of the machine, so that `unpack` copies nothing. Every
 * system that Node 24 runs on is little-endian.
 */
export function pack(lists: readonly Numbers[]): Buffer {
  const size = lists.reduce((sum, { byteLength }) => sum + HEADER + padded(byteLength), 0);
  const bytes = Buffer.alloc(size);
  let at = 0;
  for (const list of lists) {
    bytes.writeUInt32LE(list.length, at);
    bytes.writeUInt32LE(kindOf(list), at + 4);
    bytes.set(new Uint8Array(list.buffer, list.byteOffset, list.byteLength), at + HEADER);
    at += HEADER + padded(list.byteLength);
  }
  return bytes;
}

/** The lists of a packed buffer. Throws a RangeError if `pack` did not make it. */
export function unpack(packed: Uint8Array): Numbers[] {
  // Typed arrays of wider numbers need an aligned buffer.
  const bytes = packed.byteOffset % 4 === 0 ? packed : new Uint8Array(packed);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const lists: Numbers[] = [];
  for (let at = 0; at < bytes.byteLength; ) {
    const length = view.getUint32(at, true);
    const width = view.getUint32(at + 4, true);
    const kind = KINDS[width as Kind];
    if (!kind) throw new RangeError(`packed list has an unknown width of ${width} bytes`);
    const start = bytes.byteOffset + at + HEADER;
    const end = start + length * kind.BYTES_PER_ELEMENT;
    at += HEADER + padded(end - start);
    if (at > bytes.byteLength) throw new RangeError('packed list runs past the end of the buffer');
    const buffer = bytes.buffer as ArrayBuffer;
    // Only wide ones behind others may need a copy.
    const isAligned = start % kind.BYTES_PER_ELEMENT === 0;
    lists.push(isAligned ? new kind(buffer, start, length) : new kind(buffer.slice(start, end)));
  }
  return lists;
}

/** Less than deflate leaves, in a tenth of the time, and read in half of it. Higher levels take longer and leave hardly less. */
const LEVEL = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/** Packs lists and compresses them. */
export const compress = (lists: readonly Numbers[]): Buffer => zstdCompressSync(pack(lists), LEVEL);
export const decompress = (bytes: Uint8Array): Numbers[] => unpack(zstdDecompressSync(bytes));

/** The same in two thirds of the time, for what is used at once: lists that are kept would keep all of this room. */
const ROOM = { chunkSize: 64 * 1024 };
export const decompressInRoom = (bytes: Uint8Array): Numbers[] => unpack(zstdDecompressSync(bytes, ROOM));

/** What zstd writes begins with these bytes. Neither deflated lists nor packed ones can: they would be of a wrong length. */
const OF_ZSTD = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);
export const isCompressed = (bytes: Uint8Array): boolean => OF_ZSTD.equals(bytes.subarray(0, OF_ZSTD.length));

/** Frees the memory of a list at once, where waiting for the garbage collector would take as much again. */
export function free({ buffer, byteLength }: Uint8Array | Numbers): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
