// Combines several columns of a day into one: rows with equal values in all columns get the same number.
//
// Invariant: over all days of a query, equal values have one number. So counts of days add up by this number.
//
// Example: by country and browser, the first visit of (DE, Firefox) gets the number 0, and all others of the pair too.
// The number of (DE, Chrome) is 1. table-counter.ts counts by the combined column as by any other.
import type { Column, Numbers } from '../column/packing.ts';
import { sharedBuffer } from '../day/day.ts';

/** Gives numbers to rows of values. `width` is the number of values in a row. */
export type Combinations = ReturnType<typeof makeCombinations>;

/** The numbers of values and of rows must be below this, so that a pair of them is an exact key of a map. */
const MOST = 2 ** 26;

export function makeCombinations(width: number) {
  /** For each place in a row, the number of each value that was seen. */
  const places = Array.from({ length: width }, () => ({ numbers: new Map<number, number>(), values: [] as number[] }));
  /** For each place but the first, the number of each pair: the row of the places before, and the value. */
  const pairs = Array.from({ length: width }, () => ({ numbers: new Map<number, number>(), keys: [] as number[] }));

  function numberValue(place: number, value: number): number {
    const { numbers, values } = places[place] as (typeof places)[number];
    const known = numbers.get(value);
    if (known !== undefined) return known;
    numbers.set(value, values.length);
    return values.push(value) - 1;
  }

  /** Gives the number of a row that is one value longer than the row `before`. */
  function numberPair(place: number, before: number, number: number): number {
    if (place === 0) return number;
    const { numbers, keys } = pairs[place] as (typeof pairs)[number];
    const key = before * MOST + number;
    const known = numbers.get(key);
    if (known !== undefined) return known;
    numbers.set(key, keys.length);
    return keys.push(key) - 1;
  }

  return {
    numberValue,
    numberPair,
    /** How many different rows there are. */
    size: (): number => Math.max(...places.map(({ values }) => values.length), pairs[width - 1]?.keys.length ?? 0),
    number: (values: readonly number[]): number =>
      values.reduce((row, value, place) => numberPair(place, row, numberValue(place, value)), 0),
    /** The values of the row with a number. */
    read(row: number): number[] {
      const values: number[] = [];
      let left = row;
      for (let place = width - 1; place >= 0; place--) {
        const key = place === 0 ? left : (pairs[place]?.keys[left] ?? 0);
        values.unshift(places[place]?.values[key % MOST] ?? 0);
        left = Math.floor(key / MOST);
      }
      return values;
    },
  };
}

/** A column whose terms are numbers of rows. */
type Rows = { codes: Numbers; rows: number[] };

/** Combines the columns of a day, which all have a value for each visit, or all for each hit. */
export function combineColumns(columns: readonly Column[], size: number, combinations: Combinations): Column {
  let combined: Rows = { codes: new Uint8Array(size), rows: [0] };
  for (const [place, column] of columns.entries()) combined = addColumn(combined, column, place, combinations);
  return sortTerms(combined);
}

function addColumn({ codes, rows }: Rows, column: Column, place: number, combinations: Combinations): Rows {
  const numbers = Array.from(column.terms, (term) => combinations.numberValue(place, term));
  // A combination of two codes has one number too. A list finds its place faster than a map, if it is not too long.
  const width = Math.max(numbers.length, 1);
  const { found, combined } = pairCodes(codes, column.codes, width, rows.length * width);
  const own = found.map((pair) =>
    combinations.numberPair(place, rows[Math.floor(pair / width)] as number, numbers[pair % width] as number),
  );
  return { codes: combined, rows: own };
}

/** Up to this many combinations of two codes, a list says which of them a day has. */
const LISTED = 2 ** 22;

/**
 * Gives each pair of codes a code of its own, in the order in which pairs come. A column without rows has only the code
 * 0: no hit of the day has the property.
 */
function pairCodes(
  first: Numbers,
  second: Numbers,
  width: number,
  pairs: number,
): { found: number[]; combined: Numbers } {
  const combined = new Uint32Array(first.length);
  const isEmpty = second.length === 0;
  const found: number[] = [];
  if (pairs <= LISTED) {
    const places = sharedBuffer('pairs', pairs).fill(0, 0, pairs);
    for (let i = 0; i < first.length; i++) {
      const pair = (first[i] as number) * width + (isEmpty ? 0 : (second[i] as number));
      let place = places[pair] as number;
      if (place === 0) {
        place = found.push(pair);
        places[pair] = place;
      }
      combined[i] = place - 1;
    }
    return { found, combined };
  }
  const places = new Map<number, number>();
  for (let i = 0; i < first.length; i++) {
    const pair = (first[i] as number) * width + (isEmpty ? 0 : (second[i] as number));
    let place = places.get(pair);
    if (place === undefined) {
      place = found.push(pair);
      places.set(pair, place);
    }
    combined[i] = place - 1;
  }
  return { found, combined };
}

/** Terms of a column ascend, because counting takes the last one as the largest. */
function sortTerms({ codes, rows }: Rows): Column {
  const order = Uint32Array.from(rows.keys()).sort((one, other) => (rows[one] as number) - (rows[other] as number));
  const ranks = new Uint32Array(order.length);
  for (let i = 0; i < order.length; i++) ranks[order[i] as number] = i;
  for (let i = 0; i < codes.length; i++) codes[i] = ranks[codes[i] as number] as number;
  return { terms: order.map((i) => rows[i] as number), codes };
}
