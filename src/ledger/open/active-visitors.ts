// A hash table with the time of each visitor's latest hit, in seconds of the day. With this table, the dashboard's
// number of active visitors is counted without grouping hits into visits.
// Invariant: `visitors()` counts the visitors with a hit in the window, a range of seconds. Adding the same hit twice
// changes nothing.
//
// Example: the window has the seconds from 49,700 up to, but not including, 50,000. A hit at second 50,010 waits. Then
// the window moves to the seconds from 49,760 to 50,060, and the hit counts. A visitor whose latest hit was at second
// 49,750 does not count any more.
// The table is two typed arrays. An object for each visitor would give the garbage collector work in each query.
// active-visits.ts calls this file.
/** A range of seconds of the day. The second `to` is not in the range. */
export type Window = { from: number; to: number };

/**
 * When more than 60 % of the table's places are in use, a larger table is built. In a nearly full table, finding a
 * visitor takes many steps.
 */
const FULLEST = 0.6;
const ROOMY = 0.3;
const FEWEST = 64;
/** Marks a free place in the hash table. Visitor codes are never negative, so no visitor has this number. */
const FREE = -1;
const NEVER = -(2 ** 30);

const HALF = 2 ** 32;
const GOLDEN = 0x9e37_79b1;

/**
 * Makes a hash table of the visitors with recent hits. A key is a visitor code. The value is the time of the visitor's
 * latest hit, in seconds of the day.
 */
export function makeLatestHits({ from, to }: Window) {
  let [visitors, seconds] = [new Float64Array(0), new Int32Array(0)];
  let count = 0;
  const window = { from, to };
  /**
   * Hits after the end of the window (the seconds in which hits count) wait here until the window moves. Each hit is
   * two numbers: the visitor code and the second of the day.
   */
  let later: number[] = [];

  /** Returns the visitor's place in the two arrays of the hash table. For a new visitor, this is a free place. */
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
    // Adds 1 if the visitor's latest hit is at second `from` of the window or later, else 0. An `if` would be slower,
    // because the processor cannot predict the result of the condition.
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
     * Returns whether the window, the range of seconds in which hits count, may move to this range. The window cannot
     * move back, because the table has forgotten all hits of a visitor but the latest.
     */
    mayMove: ({ from, to }: Window): boolean => from >= window.from && to >= window.to,
    move({ from, to }: Window): void {
      const waiting = later;
      later = [];
      Object.assign(window, { from, to });
      for (let i = 0; i < waiting.length; i += 2) add(waiting[i] as number, waiting[i + 1] as number);
    },
    add,
    /**
     * Returns how many hits are later than the end of the window, the seconds in which hits count. These hits wait
     * until the window moves.
     */
    waiting: (): number => later.length / 2,
    visitors: countInWindow,
  };
}

export type LatestHits = ReturnType<typeof makeLatestHits>;
