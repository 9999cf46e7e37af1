/** Numbers from 0 to 2^32 - 1, each in the fewest bytes that hold the largest of them. */
export type Numbers = Uint8Array | Uint16Array | Uint32Array;

const KINDS = { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array } as const;
type Width = keyof typeof KINDS;

const HEAD = 8;
const padded = (bytes: number): number => (bytes + 3) & ~3;

export function narrow(values: ArrayLike<number>): Numbers {
  let largest = 0;
  for (let i = 0; i < values.length; i++) largest = Math.max(largest, values[i] as number);
  return new KINDS[largest < 256 ? 1 : largest < 65_536 ? 2 : 4](values);
}

/**
 * Lists of numbers as bytes, each behind its length and its width. The bytes are as this machine has them in memory, so that
 * reading copies nothing; every system that Node 24 runs on has them in the same order.
 */
export function pack(lists: readonly Numbers[]): Buffer {
  const size = lists.reduce((sum, { byteLength }) => sum + HEAD + padded(byteLength), 0);
  const bytes = Buffer.alloc(size);
  let at = 0;
  for (const list of lists) {
    bytes.writeUInt32LE(list.length, at);
    bytes.writeUInt32LE(list.BYTES_PER_ELEMENT, at + 4);
    bytes.set(new Uint8Array(list.buffer, list.byteOffset, list.byteLength), at + HEAD);
    at += HEAD + padded(list.byteLength);
  }
  return bytes;
}

/** Throws where the bytes are not what pack made. */
export function unpack(packed: Uint8Array): Numbers[] {
  // Wider numbers can only be looked at where they stand on their own boundary.
  const bytes = packed.byteOffset % 4 === 0 ? packed : new Uint8Array(packed);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const lists: Numbers[] = [];
  for (let at = 0; at < bytes.byteLength; ) {
    const length = view.getUint32(at, true);
    const width = view.getUint32(at + 4, true);
    const kind = KINDS[width as Width];
    if (!kind) throw new RangeError(`numbers of ${width} bytes`);
    lists.push(new kind(bytes.buffer as ArrayBuffer, bytes.byteOffset + at + HEAD, length));
    at += HEAD + padded(length * width);
    if (at > bytes.byteLength) throw new RangeError('numbers behind the end');
  }
  return lists;
}
