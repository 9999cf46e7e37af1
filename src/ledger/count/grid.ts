import { isEqual } from './match.ts';

/**
 * A number for each pair of numbers. The cell of a pair has the index `first * width + second`. The width is a power of
 * 2. Neighbouring cells are often read together into the processor's cache, so a grid is faster than a hash table.
 */
export type Grid = { cells: Uint32Array; width: number };

export const NO_GRID: Grid = { cells: new Uint32Array(0), width: 1 };

/** A grid has at most this many cells, which take 16 MB. */
const MOST_CELLS = 2 ** 22;

/**
 * Returns a grid for all pairs whose first number is below `firsts` and whose second number is below `seconds`. If the
 * given grid is too small, its cells are copied to a larger grid. Returns undefined if the larger grid would have too
 * many cells.
 */
export function growGrid(grid: Grid, firsts: number, seconds: number): Grid | undefined {
  const { cells, width } = grid;
  if (seconds <= width && firsts * width <= cells.length) return grid;
  const wide = Math.max(width, roundUp(seconds));
  const lines = Math.max(cells.length / width, roundUp(firsts));
  if (lines * wide > MOST_CELLS) return undefined;
  const larger = new Uint32Array(lines * wide);
  for (let cell = 0; cell < cells.length; cell += width) {
    larger.set(cells.subarray(cell, cell + width), (cell / width) * wide);
  }
  return { cells: larger, width: wide };
}

/**
 * Lists the indexes of the cells that are not 0, of pairs whose first number is below `firsts`. If a day did not fit,
 * its values were numbered too, so `firsts` may be larger than the grid.
 */
export function listFilled({ cells, width }: Grid, firsts: number): Uint32Array {
  const end = Math.min(firsts * width, cells.length);
  const filled = new Uint32Array(countFilled(cells, end) + 1);
  let size = 0;
  for (let cell = 0; cell < end; cell++) {
    filled[size] = cell;
    size += isEqual(cells[cell] as number, 0) ^ 1;
  }
  return filled.subarray(0, size);
}

function countFilled(cells: Uint32Array, end: number): number {
  let count = 0;
  for (let cell = 0; cell < end; cell++) count += isEqual(cells[cell] as number, 0) ^ 1;
  return count;
}

export const roundUp = (size: number): number => 2 ** Math.ceil(Math.log2(size));

/** Makes a list longer, for at least `least` numbers. */
export function lengthen(list: Uint32Array, least: number): Uint32Array {
  const longer = new Uint32Array(roundUp(least));
  longer.set(list);
  return longer;
}
