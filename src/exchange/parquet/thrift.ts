// Writes values in Thrift's compact protocol. Parquet uses this protocol for the footer and for the headers of pages.
//
// Invariant: the fields of a struct are written in the order of their ids. Undefined fields are left out.
//
// Example: `struct({ 1: int32(3) })` becomes the bytes 15 06 00. The byte 15 says that field 1 is an int32, 06 is twice
// its value, and 00 is the end. file.ts and pages.ts describe the structs of Parquet with these functions.

/** A value to write, with the number that the protocol gives to its type. */
export type Thrift = { type: number; write(out: number[]): void };

const TYPES = { true: 1, false: 2, int32: 5, int64: 6, binary: 8, list: 9, struct: 12 };

/**
 * Writes a number with seven bits in each byte, lowest bits first. Sizes may exceed 32 bits, and JavaScript's bit
 * operators would cut them.
 */
export function writeVarint(out: number[], value: number): void {
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) out.push((rest % 128) + 128);
  out.push(rest);
}

/** Writes a signed number. The numbers 0, -1, 1, -2 become 0, 1, 2, 3, so that small negative numbers stay short. */
const writeSigned = (out: number[], value: number): void => writeVarint(out, value < 0 ? -2 * value - 1 : 2 * value);

const integer =
  (type: number) =>
  (value: number): Thrift => ({ type, write: (out) => writeSigned(out, value) });

export const int32 = integer(TYPES.int32);
export const int64 = integer(TYPES.int64);

/** Makes a field that is true or false. The type in the field's header says which, so no value follows. */
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
    // `Object.entries` lists whole numbers in ascending order, so the fields come in the order of their ids.
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
