// Counts the visitors of pairs of values, such as an entry page and a source, or a page and a country. Each pair has a
// cell in a grid, and the cell has the visitors of the pair.
//
// Invariant: counting without a grid gives equal counts. Each pair then gets a number (combinations.ts), and visitors
// are counted by this number. This may take twice as long, because each visit reads several distant places in memory.
// But a table with other sums than visitors, such as pageviews, is always counted by number.
//
// Example: the grid has a width of 8. The entry page /a has the number 2, and the source x has the number 5. The cell
// with the index 2 * 8 + 5 has the visitors of (/a, x). Several hits of a visitor may have equal pairs of page and
// country. For this reason, the list `latest` has the visitor that each cell counted last. This visitor is not counted
// again in this cell.
// query/table-counter.ts counts days in this way, and query/merge-tables.ts adds up the counts of several threads.
//
// All loops are in functions at the top level of the file, because V8 frees compiled inner functions between queries.
import { type Column, makeNumbers, type Numbers, narrow } from '../column/packing.ts';
import { type Day, findFirstVisit, findStarts, type Selection, sharedBuffer } from '../day/day.ts';
import type { KeyColumn } from './combine.ts';
import { addVisitors } from './distinct.ts';
import { type Grid, growGrid, listFilled, NO_GRID } from './grid.ts';
import { isEqual, type Match, pairMatches, takeZeros } from './match.ts';
import type { Coded } from './pair-numbers.ts';
import { makeValues, numberValues } from './value-numbers.ts';

/** Pairs with their visitors. Each of the two keys is a column with a value for each pair. */
export type CountedPairs = { keys: readonly [Column, Column]; visitors: ArrayLike<number> };

/**
 * Makes a counter of pairs. `addDay` and `addHits` add the visitors of a day, and `addPairs` adds pairs that were
 * counted before. If the grid would have too many cells, they return false and add nothing.
 */
export function makePairCounter() {
  const [firsts, seconds] = [makeValues(), makeValues()];
  let grid = NO_GRID;
  /** For each cell, the visitor that was counted last. Visitors of all days have different numbers, from 1 on. */
  let latest = new Uint32Array(0);
  /** The number of visits of all days that `addHits` has added. Visitors of the next day get larger numbers. */
  let before = 0;

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
    /** Adds the visitors of hits. A hit counts if its visit is selected and the hit passes all of `matches`. */
    addHits(day: Day, keys: readonly [KeyColumn, KeyColumn], selection: Selection, matches: readonly Match[]): boolean {
      const found = makeRoom([fill(day, keys[0]), fill(day, keys[1])]);
      if (!found) return false;
      if (latest.length !== grid.cells.length) latest = new Uint32Array(grid.cells.length);
      const parts = found.map((coded, i) => splitByKind(day, coded, keys[i]?.isOfHits === true)) as [Part, Part];
      countHits({ ...grid, latest, before }, day, parts, selection, matches);
      before += day.totals.visits;
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

/**
 * The column of a property has no codes if no hit of the day has the property. This function then returns a column in
 * which each hit has the empty text. It returns any other column as it is.
 */
const fill = (day: Day, { terms, codes }: Column): Column =>
  codes.length > 0 ? { terms, codes } : { terms: NO_TEXT, codes: takeZeros(countHitsOf(day)) };

const NO_TEXT = Uint8Array.of(0);
const countHitsOf = (day: Day): number => findStarts(day)[day.totals.visits] as number;

/**
 * One key of the pairs. If the key has a value for each visit, such as the country, `visit` has the numbers of the
 * values, and `hit` has only zeros. If the key has a value for each hit, such as the page, `hit` has the numbers, and
 * `visit` has only zeros. `countHits` adds up both numbers, so it works for both kinds of keys.
 */
type Part = { visit: Coded; hit: Coded };

function splitByKind(day: Day, coded: Coded, isOfHits: boolean): Part {
  const rows = isOfHits ? day.totals.visits : countHitsOf(day);
  const none = { codes: takeZeros(rows), numbers: Uint32Array.of(0) };
  return isOfHits ? { visit: none, hit: coded } : { visit: coded, hit: none };
}

type VisitorGrid = Grid & { latest: Uint32Array; before: number };

/** There is no `if` in the loop over hits, because the processor would often predict the wrong branch. */
function countHits(
  { cells, width, latest, before }: VisitorGrid,
  day: Day,
  [first, second]: readonly [Part, Part],
  { visits, count }: Selection,
  matches: readonly Match[],
): void {
  const starts = findStarts(day);
  const again = day.column('again').codes;
  const [one, other] = pairMatches(matches, countHitsOf(day));
  for (let i = 0; i < count; i++) {
    const visit = visits[i] as number;
    const visitor = before + findFirstVisit(again, visit) + 1;
    const line = first.visit.numbers[first.visit.codes[visit] as number] as number;
    const ofVisit = line * width + (second.visit.numbers[second.visit.codes[visit] as number] as number);
    const end = starts[visit + 1] as number;
    for (let hit = starts[visit] as number; hit < end; hit++) {
      const lineOfHit = first.hit.numbers[first.hit.codes[hit] as number] as number;
      const placeOfHit = second.hit.numbers[second.hit.codes[hit] as number] as number;
      const cell = ofVisit + lineOfHit * width + placeOfHit;
      const isCounted = isEqual(one.codes[hit] as number, one.code) & isEqual(other.codes[hit] as number, other.code);
      const known = latest[cell] as number;
      cells[cell] = (cells[cell] as number) + (isCounted & (isEqual(known, visitor) ^ 1));
      latest[cell] = known + isCounted * (visitor - known);
    }
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
