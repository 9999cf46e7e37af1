import type { Column } from '../column/packing.ts';
import { arePlain } from './plain-codes.ts';

const FIRST_SIZE = 1024;

/**
 * Makes `width` sums for each term. The caller counts a day into the array that `begin` returns. Then `end` adds the
 * day to the sums of all days.
 */
export function makeTermSums(width: number) {
  let sums = new Float64Array(FIRST_SIZE);
  let daySums = new Float64Array(0);

  function makeRoom(terms: Column['terms']): void {
    const size = ((terms[terms.length - 1] ?? 0) + 1) * width;
    if (size <= sums.length) return;
    const larger = new Float64Array(2 ** Math.ceil(Math.log2(size)));
    larger.set(sums);
    sums = larger;
  }

  return {
    /**
     * Returns the array into which the caller counts one day. If each code equals its term (`arePlain`), this array has
     * the sums of all earlier days. Otherwise, this array has zeros, and `end` adds the day to the sums of all days.
     */
    begin({ terms }: Column): Float64Array {
      if (arePlain(terms)) {
        makeRoom(terms);
        return sums;
      }
      const size = terms.length * width;
      if (size > daySums.length) daySums = new Float64Array(2 * size);
      return daySums.fill(0, 0, size);
    },
    end(column: Column): void {
      if (arePlain(column.terms)) return;
      makeRoom(column.terms);
      addToTerms(sums, column, daySums, width);
    },
    of: (place: number) => (term: number) => sums[term * width + place] ?? 0,
  };
}

function addToTerms(sums: Float64Array, { terms }: Column, daySums: Float64Array, width: number): void {
  for (let i = 0, code = 0; code < terms.length; code++) {
    const first = (terms[code] as number) * width;
    for (let place = 0; place < width; place++, i++) {
      sums[first + place] = (sums[first + place] as number) + (daySums[i] as number);
    }
  }
}
