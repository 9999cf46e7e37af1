// Stores the time of each visitor's latest hit, in seconds, in a hash table. With this table, active visitors can be
// counted without sessionizing.
//
// Invariant: `visitors()` counts the visitors with a hit in the window, which is a range of times. Adding a hit twice
// changes nothing.
//
// Example: the window has the seconds from 49,700 to 49,999. A hit at second 50,010 is after the window, so it waits.
// When the window moves by 60 seconds, this hit counts. A visitor whose latest hit was at second 49,750 then no longer
// counts.
//
// active-visits.ts calls this file. The table consists of two typed arrays, because objects would give the garbage
// collector work.
/** A range of times of the day, in seconds. The time `to` is not in the range. */
export type Window = { from: number; to: number };

/**
 * If 60 % of the table's places are in use, the table is built again with more free places. In a fuller table, finding
 * a visitor takes too many steps.
 */
const FULLEST = 0.6;
const ROOMY = 0.3;
const FEWEST = 64;
/** The value of a free place in the hash table. No visitor code is negative. */
const FREE = -1;
const NEVER = -(2 ** 30);

const HALF = 2 ** 32;
const GOLDEN = 0x9e37_79b1;

/** Makes a hash table. A key is a visitor code, and its value is the time of the visitor's latest hit. */
export function makeLatestHits({ from, to }: Window) {
  let [visitors, seconds] = [new Float64Array(0), new Int32Array(0)];
  let count = 0;
  const window = { from, to };
  /**
   * Hits after the end of the window wait here until the window moves. Each hit is two numbers: its visitor code and
   * its time.
   */
  let later: number[] = [];

  /** Returns the place of a visitor in `visitors` and `seconds`. For a new visitor, the place is free. */
  function findPlace(visitor: number): number {
    const mask = visitors.length - 1;
    const mixed = Math.imul((visitor >>> 0) ^ Math.floor(visitor / HALF), GOLDEN);
    let place = (mixed ^ (mixed >>> 15)) & mask;
    while (visitors[place] !== FREE && visitors[place] !== visitor) place = (place + 1) & mask;
    return place;
  }

  function put(visitor: number, second: number): void {
    const place = findPlace(visitor);
    if (visitors[place] === FREE) {
      visitors[place] = visitor;
      seconds[place] = second;
      count++;
    } else if ((seconds[place] as number) < second) seconds[place] = second;
  }

  function countInWindow(): number {
    const [list, last] = [seconds, window.from - 1];
    let found = 0;
    // Adds 1 if the visitor's latest hit is in the window, and otherwise 0. An `if` would be slower, because the
    // processor would often predict the wrong branch.
    for (let place = 0; place < list.length; place++) found += (last - (list[place] as number)) >>> 31;
    return found;
  }

  function makeRoom(): void {
    const [before, at] = [visitors, seconds];
    const size = Math.max(FEWEST, 2 ** Math.ceil(Math.log2((countInWindow() + 1) / ROOMY)));
    [visitors, seconds] = [new Float64Array(size).fill(FREE), new Int32Array(size).fill(NEVER)];
    count = 0;
    for (let place = 0; place < at.length; place++) {
      if ((at[place] as number) >= window.from) put(before[place] as number, at[place] as number);
    }
  }

  function add(visitor: number, second: number): void {
    if (second < window.from) return;
    if (second >= window.to) {
      later.push(visitor, second);
      return;
    }
    if (count >= visitors.length * FULLEST) makeRoom();
    put(visitor, second);
  }

  return {
    /**
     * Returns false if the window would move back. The table has only the latest hit of each visitor, and an earlier
     * window would need earlier hits.
     */
    mayMove: ({ from, to }: Window): boolean => from >= window.from && to >= window.to,
    move({ from, to }: Window): void {
      const waiting = later;
      later = [];
      Object.assign(window, { from, to });
      for (let i = 0; i < waiting.length; i += 2) add(waiting[i] as number, waiting[i + 1] as number);
    },
    add,
    waiting: (): number => later.length / 2,
    visitors: countInWindow,
  };
}

export type LatestHits = ReturnType<typeof makeLatestHits>;
