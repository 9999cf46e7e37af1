/** Numbers from 0 to 2^32 - 1, in the narrowest type that holds the largest of them; or with negative ones among them. */
export type Numbers = Uint8Array | Uint16Array | Uint32Array | Int32Array;

/** The mark of a list with negative numbers, in the place of its width. */
const SIGNED = 132;
const KINDS = { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array, [SIGNED]: Int32Array } as const;
type Kind = keyof typeof KINDS;
type Width = 1 | 2 | 4;

const kindOf = (list: Numbers): number => (list instanceof Int32Array ? SIGNED : list.BYTES_PER_ELEMENT);

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
    lists.push(new kind(bytes.buffer as ArrayBuffer, bytes.byteOffset + at + HEADER, length));
    at += HEADER + padded(length * kind.BYTES_PER_ELEMENT);
    if (at > bytes.byteLength) throw new RangeError('packed list runs past the end of the buffer');
  }
  return lists;
}

/** Frees the memory of a list at once, where waiting for the garbage collector would take as much again. */
export function free({ buffer, byteLength }: Uint8Array | Numbers): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
