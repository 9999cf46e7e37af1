// Stores codes in as few bits as the dictionary needs, and numbers as planes of bytes.
//
// Invariant: unpacking gives exactly the numbers that were packed.
//
// Example: with four host names, a code needs 2 bits. 1,600 codes then take about 400 bytes in place of 1,600. A plane
// has one byte of each number. The numbers 70,000 and 3 have the planes [112, 3], [17, 0] and [1, 0]. In a long list,
// the last plane is often nearly all zeros, so zstd makes this plane small. column.ts, dictionary.ts and differences.ts
// use this file for sealed days.
import type { Numbers } from './packing.ts';

/** Returns how many bits a code needs if its dictionary has `values` values. */
export const countBits = (values: number): number => Math.max(1, 32 - Math.clz32(Math.max(values - 1, 0)));

const WORD = 32;

/**
 * Writes the codes one after another into words of 32 bits. The list ends with one extra word, because `unpackBits`
 * always reads two neighbouring words.
 */
export function packBits(codes: Numbers, bits: number): Uint32Array {
  const words = new Uint32Array(Math.ceil((codes.length * bits) / WORD) + 1);
  for (let i = 0, bit = 0; i < codes.length; i++, bit += bits) {
    const [word, shift] = [Math.floor(bit / WORD), bit % WORD];
    const code = codes[i] as number;
    words[word] = (words[word] as number) | (code << shift);
    if (shift + bits > WORD) words[word + 1] = code >>> (WORD - shift);
  }
  return words;
}

/**
 * Reads the codes. A code may begin in one word and end in the next word. The loop reads two words for every code,
 * because an `if` would make the loop slower.
 */
export function unpackBits(words: Uint32Array, count: number, bits: number): Numbers {
  const codes = bits <= 8 ? new Uint8Array(count) : bits <= 16 ? new Uint16Array(count) : new Uint32Array(count);
  const mask = 2 ** bits - 1;
  let word = 0;
  let shift = 0;
  for (let i = 0; i < count; i++) {
    // If `shift` is 0, the next word must be shifted by 32. JavaScript treats a shift by 32 as a shift by 0, so the
    // next word is shifted in two steps.
    codes[i] = (((words[word] as number) >>> shift) | (((words[word + 1] as number) << 1) << (31 - shift))) & mask;
    shift += bits;
    word += shift >>> 5;
    shift &= 31;
  }
  return codes;
}

const PLANE = 256;

/**
 * Splits numbers into planes. The first plane has the lowest byte of each number. The second plane has the next higher
 * byte, and so on. No number may be negative.
 */
export function splitPlanes(numbers: Numbers): Uint8Array[] {
  let largest = 0;
  for (let i = 0; i < numbers.length; i++) if ((numbers[i] as number) > largest) largest = numbers[i] as number;
  const planes: Uint8Array[] = [];
  for (let power = 1; power === 1 || power <= largest; power *= PLANE) planes.push(takePlane(numbers, power));
  return planes;
}

function takePlane(numbers: Numbers, power: number): Uint8Array {
  const plane = new Uint8Array(numbers.length);
  for (let i = 0; i < numbers.length; i++) plane[i] = Math.floor((numbers[i] as number) / power) % PLANE;
  return plane;
}

export function joinPlanes(planes: readonly Numbers[]): Numbers {
  const [first, ...higher] = planes;
  if (!first || higher.length === 0) return first ?? new Uint8Array(0);
  const size = first.length;
  const joined =
    higher.length === 1 ? new Uint16Array(size) : higher.length <= 3 ? new Uint32Array(size) : new Float64Array(size);
  joined.set(first);
  for (const [i, plane] of higher.entries()) addPlane(joined, plane, PLANE ** (i + 1));
  return joined;
}

function addPlane(numbers: Numbers, plane: Numbers, power: number): void {
  for (let i = 0; i < numbers.length; i++) {
    numbers[i] = (numbers[i] as number) + (plane[i] as number) * power;
  }
}
