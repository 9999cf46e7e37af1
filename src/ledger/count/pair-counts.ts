// Counts the visitors of pairs of values, such as an entry page and a source. Each pair has a cell in a grid, and the
// cell has the visitors of the pair.
//
// Invariant: counting by numbers of pairs (combinations.ts) gives equal counts. It takes twice as long, because each
// visit then reads several distant places in memory. But sums other than visitors, such as pageviews, are counted only
// by numbers.
//
// Example: the grid has a width of 8. The entry page /a has the number 2, and the source x has the number 5. The cell
// with the index 2 * 8 + 5 then has the visitors of (/a, x). query/table-counter.ts counts days in this way, and
// query/merge-tables.ts adds up the counts of several threads.
//
// All loops are in functions at the top level of the file, because V8 frees compiled inner functions between queries.
import { type Column, makeNumbers, type Numbers, narrow } from '../column/packing.ts';
import { type Day, type Selection, sharedBuffer } from '../day/day.ts';
import { addVisitors } from './distinct.ts';
import { type Grid, growGrid, listFilled, NO_GRID } from './grid.ts';
import type { Coded } from './pair-numbers.ts';
import { makeValues, numberValues } from './value-numbers.ts';

/** Pairs with their visitors. Each of the two keys is a column with a value for each pair. */
export type CountedPairs = { keys: readonly [Column, Column]; visitors: ArrayLike<number> };

/**
 * Makes a counter of pairs. `addDay` adds the visitors of a day, and `addPairs` adds pairs that were counted before. If
 * the grid would have too many cells, both return false and add nothing.
 */
export function makePairCounter() {
  const [firsts, seconds] = [makeValues(), makeValues()];
  let grid = NO_GRID;

  function makeRoom([first, second]: CountedPairs['keys']): readonly [Coded, Coded] | undefined {
    const lines = { codes: first.codes, numbers: numberValues(firsts, first.terms) };
    const places = { codes: second.codes, numbers: numberValues(seconds, second.terms) };
    const grown = growGrid(grid, firsts.values.length, seconds.values.length);
    grid = grown ?? grid;
    return grown && [lines, places];
  }

  return {
    addDay(day: Day, keys: CountedPairs['keys'], selection: Selection): boolean {
      const found = makeRoom(keys);
      if (!found) return false;
      const cells = sharedBuffer('evenCodes', day.totals.visits);
      findCells(cells, found, grid.width, selection);
      addVisitors(grid.cells, day, cells, selection);
      return true;
    },
    addPairs({ keys, visitors }: CountedPairs): boolean {
      const found = makeRoom(keys);
      if (found) addCounts(grid, found, visitors);
      return found !== undefined;
    },
    /** Lists the pairs that have visitors. */
    list(): CountedPairs {
      const filled = listFilled(grid, firsts.values.length);
      const visitors = new Uint32Array(filled.length);
      const [first, second] = [firsts, seconds].map(({ values }) => ({
        terms: narrow(values),
        codes: makeNumbers(filled.length, values.length),
      })) as [Column, Column];
      takeCells(filled, grid, [first.codes, second.codes], visitors);
      return { keys: [first, second], visitors: narrow(visitors) };
    },
  };
}

function findCells(
  cells: Uint32Array,
  [lines, places]: readonly [Coded, Coded],
  width: number,
  { visits, count }: Selection,
): void {
  for (let i = 0; i < count; i++) {
    const visit = visits[i] as number;
    const line = lines.numbers[lines.codes[visit] as number] as number;
    cells[visit] = line * width + (places.numbers[places.codes[visit] as number] as number);
  }
}

function addCounts(
  { cells, width }: Grid,
  [lines, places]: readonly [Coded, Coded],
  visitors: ArrayLike<number>,
): void {
  for (let i = 0; i < visitors.length; i++) {
    const line = lines.numbers[lines.codes[i] as number] as number;
    const cell = line * width + (places.numbers[places.codes[i] as number] as number);
    cells[cell] = (cells[cell] as number) + (visitors[i] as number);
  }
}

/** Splits the index of each filled cell into its two numbers, and reads its visitors. The width is a power of 2. */
function takeCells(
  filled: Uint32Array,
  { cells, width }: Grid,
  [lines, places]: readonly [Numbers, Numbers],
  visitors: Uint32Array,
): void {
  const bits = Math.log2(width);
  for (let i = 0; i < filled.length; i++) {
    const cell = filled[i] as number;
    lines[i] = cell >>> bits;
    places[i] = cell & (width - 1);
    visitors[i] = cells[cell] as number;
  }
}
