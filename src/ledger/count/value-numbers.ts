import { lengthen } from './grid.ts';

/**
 * Gives distinct values the numbers 0, 1, 2 and so on, in the order in which they first come. For example, of the
 * values 7, 3 and 7, the value 7 has the number 0, and 3 has the number 1. For a small value, `listed[value]` is 1 plus
 * the value's number, or 0 if the value has no number yet. For a large or negative value, `mapped` has 1 plus the
 * value's number. `values[number]` is the value with this number.
 */
export type ValueNumbers = { listed: Uint32Array; mapped: Map<number, number>; values: number[] };

const FIRST_SIZE = 1024;

export const makeValues = (): ValueNumbers => ({ listed: new Uint32Array(FIRST_SIZE), mapped: new Map(), values: [] });

/**
 * Returns the number that `of` gives to each value in the list. A new value gets the next number, and keeps it in later
 * calls.
 */
export function numberValues(of: ValueNumbers, list: ArrayLike<number>): Uint32Array {
  const numbers = new Uint32Array(list.length);
  for (let i = 0; i < numbers.length; i++) {
    const value = list[i] as number;
    numbers[i] = (of.listed[value] || numberValue(of, value)) - 1;
  }
  return numbers;
}

/**
 * Values from this number on are in `mapped`, because they would make the list `listed` too long. An example is the
 * beginning of an hour, in seconds since 1970.
 */
const LISTED_VALUES = 2 ** 22;

/** Returns 1 plus the number that `of` gives to the value. A new value gets the next number. */
function numberValue(of: ValueNumbers, value: number): number {
  const known = of.mapped.get(value) ?? of.values.push(value);
  if (value < 0 || value >= LISTED_VALUES) of.mapped.set(value, known);
  else {
    if (value >= of.listed.length) of.listed = lengthen(of.listed, value + 1);
    of.listed[value] = known;
  }
  return known;
}
