// Keeps the latest hit of each visitor in a window that moves on with time. So active visitors are counted without visits.
// Invariant: `visitors()` counts the visitors with a hit in the window, and adding a hit again changes nothing.
//
// Example: the window is the last 300 seconds. A hit at second 50,010, added while the window ends at 50,000, waits. When the window moves
// to end at 50,060, the hit counts. A visitor without a hit since second 49,760 does not.
// The table is two lists of numbers. Thousands of objects would cost garbage collection in each query.
// Called by active-visits.ts.
/** From a second of a day to before another. */
export type Window = { from: number; to: number };

/** The table grows, or drops visitors before the window, when more of it than this is in use. Above that, collisions are frequent. */
const FULLEST = 0.6;
/** At most so much of a rebuilt table is in use. */
const ROOMY = 0.3;
const FEWEST = 64;
/** Marks a free place. No visitor has this code. */
const FREE = -1;
const NEVER = -(2 ** 30);

const HALF = 2 ** 32;
const GOLDEN = 0x9e37_79b1;

/** A hash table of visitors and the second of their latest hit. */
export function makeLatestHits({ from, to }: Window) {
  let [visitors, seconds] = [new Float64Array(0), new Int32Array(0)];
  let count = 0;
  const window = { from, to };
  /** Visitors and seconds, in turn, of hits after the window. */
  let later: number[] = [];

  /** The place of a visitor in the table, or the free place where it belongs. */
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
    // The sign of a difference replaces a branch, which the processor could not predict.
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
     * Whether the window may move there. It cannot move back: hits before the window are not kept, nor hits before a visitor's latest
     * one.
     */
    mayMove: ({ from, to }: Window): boolean => from >= window.from && to >= window.to,
    move({ from, to }: Window): void {
      const waiting = later;
      later = [];
      Object.assign(window, { from, to });
      for (let i = 0; i < waiting.length; i += 2) add(waiting[i] as number, waiting[i + 1] as number);
    },
    add,
    /** How many hits came after the window, and wait for it to move. */
    waiting: (): number => later.length / 2,
    /** How many visitors have a hit in the window. */
    visitors: countInWindow,
  };
}

export type LatestHits = ReturnType<typeof makeLatestHits>;
