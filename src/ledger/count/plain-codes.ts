// A column may have codes that are the terms themselves. The dictionary of such a column is the list 0, 1, 2 and so on.
// The counts of a day then need no dictionary: they are added directly to the counts of all days.
let codes = new Uint32Array(0);

/** Returns the list 0, 1, 2 and so on. All calls share one list, which must not be changed. */
export function listCodes(count: number): Uint32Array {
  if (codes.length < count) {
    codes = new Uint32Array(2 ** Math.ceil(Math.log2(count)));
    for (let code = 0; code < codes.length; code++) codes[code] = code;
  }
  return codes.subarray(0, count);
}

/** True if the terms of a column are the list 0, 1, 2 and so on. */
export const arePlain = (terms: ArrayLike<number>): boolean => (terms as Uint32Array).buffer === codes.buffer;
