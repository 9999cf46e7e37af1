// If the dictionary of a column is the list 0, 1, 2 and so on, each code equals its term. The visits or hits of a day
// are then added directly to the sums of all days. For any other column, a day is first counted by code. The counts of
// the codes are then added to the sums of their terms.
let codes = new Uint32Array(0);

/** Returns the list 0, 1, 2 and so on. All calls share one list, which must not be changed. */
export function listCodes(count: number): Uint32Array {
  if (codes.length < count) {
    codes = new Uint32Array(2 ** Math.ceil(Math.log2(count)));
    for (let code = 0; code < codes.length; code++) codes[code] = code;
  }
  return codes.subarray(0, count);
}

/**
 * True if the terms of a column are from the latest shared list of `listCodes`. For any other list, this returns false,
 * even if the numbers are equal. Counting is then slower, but gives equal sums.
 */
export const arePlain = (terms: ArrayLike<number>): boolean => (terms as Uint32Array).buffer === codes.buffer;
