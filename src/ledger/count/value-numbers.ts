import { lengthen } from './grid.ts';

/**
 * The numbers 0, 1, 2 and so on of the values of one key. `listed[value]` is the number of a small value, plus one. The
 * entry is 0 if the value has no number yet. `mapped` has the number of each large or negative value, plus one.
 * `values[number]` is the value with this number.
 */
export type ValueNumbers = { listed: Uint32Array; mapped: Map<number, number>; values: number[] };

const FIRST_SIZE = 1024;

export const makeValues = (): ValueNumbers => ({ listed: new Uint32Array(FIRST_SIZE), mapped: new Map(), values: [] });

/** Returns the number of each value in the list. Equal values have the same number, also in later calls. */
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

/** Returns the number of a value plus one. A new value gets the next number. */
function numberValue(of: ValueNumbers, value: number): number {
  const known = of.mapped.get(value) ?? of.values.push(value);
  if (value < 0 || value >= LISTED_VALUES) of.mapped.set(value, known);
  else {
    if (value >= of.listed.length) of.listed = lengthen(of.listed, value + 1);
    of.listed[value] = known;
  }
  return known;
}
