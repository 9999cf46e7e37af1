// Writes values in Thrift's compact protocol. The footer and the page headers of a Parquet file use this protocol.
//
// Invariant: the fields of a struct are written in the order of their ids, and undefined fields are left out.
//
// Example: `struct({ 1: int32(3) })` is the bytes 15 06 00: field 1 is a whole number, its value 3 (times two), end.
// file.ts and pages.ts describe the structs of Parquet with these functions.

/** A value with the number of its type in the protocol. */
export type Thrift = { type: number; write(out: number[]): void };

const TYPES = { true: 1, false: 2, int32: 5, int64: 6, binary: 8, list: 9, struct: 12 };

/** Writes seven bits a byte, lowest first. Sizes may need more than 32 bits, so no bit operators are used. */
export function writeVarint(out: number[], value: number): void {
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) out.push((rest % 128) + 128);
  out.push(rest);
}

/** Signed numbers alternate: 0, -1, 1, -2 become 0, 1, 2, 3. */
const writeSigned = (out: number[], value: number): void => writeVarint(out, value < 0 ? -2 * value - 1 : 2 * value);

const integer =
  (type: number) =>
  (value: number): Thrift => ({ type, write: (out) => writeSigned(out, value) });

export const int32 = integer(TYPES.int32);
export const int64 = integer(TYPES.int64);

/** The value of a field is in its header, so nothing follows. */
export const flag = (value: boolean): Thrift => ({ type: value ? TYPES.true : TYPES.false, write() {} });

export const binary = (value: string | Buffer): Thrift => ({
  type: TYPES.binary,
  write(out) {
    const bytes = Buffer.from(value as string);
    writeVarint(out, bytes.length);
    for (const byte of bytes) out.push(byte);
  },
});

export const list = (values: readonly Thrift[]): Thrift => ({
  type: TYPES.list,
  write(out) {
    const type = values[0]?.type ?? TYPES.struct;
    if (values.length < 15) out.push(values.length * 16 + type);
    else {
      out.push(0xf0 + type);
      writeVarint(out, values.length);
    }
    for (const { write } of values) write(out);
  },
});

export const struct = (fields: Record<number, Thrift | undefined>): Thrift => ({
  type: TYPES.struct,
  write(out) {
    let last = 0;
    // Keys that are whole numbers are always listed in ascending order.
    for (const [key, value] of Object.entries(fields)) {
      if (!value) continue;
      const id = Number(key);
      out.push((id - last) * 16 + value.type);
      last = id;
      value.write(out);
    }
    out.push(0);
  },
});

export function encode(value: Thrift): Buffer {
  const out: number[] = [];
  value.write(out);
  return Buffer.from(out);
}
