/** From a second of a day to before another. */
export type Window = { from: number; to: number };

/** The table is made larger, or rid of what is over, when it is fuller than this share: more would collide often. */
const FULLEST = 0.6;
/** So much of the table is in use after that at most. */
const ROOMY = 0.3;
const FEWEST = 64;
/** No visitor has this code. */
const FREE = -1;
const NEVER = -(2 ** 30);

const HALF = 2 ** 32;
const GOLDEN = 0x9e37_79b1;

/**
 * The latest hit of each visitor of a day in a window that moves on with time: who is there now, without looking at visits. A table
 * of two lists, because so many objects as visitors come in five minutes would be collected for as long as they are counted. Hits may
 * be added more than once.
 */
export function latestHits({ from, to }: Window) {
  let [visitors, seconds] = [new Float64Array(0), new Int32Array(0)];
  let count = 0;
  const window = { from, to };
  /** Visitors and seconds, in turn, of hits that came after the window. */
  let later: number[] = [];

  /** The place of a visitor, or the free one where it belongs. */
  function placeOf(visitor: number): number {
    const mask = visitors.length - 1;
    const mixed = Math.imul((visitor >>> 0) ^ Math.floor(visitor / HALF), GOLDEN);
    let place = (mixed ^ (mixed >>> 15)) & mask;
    while (visitors[place] !== FREE && visitors[place] !== visitor) place = (place + 1) & mask;
    return place;
  }

  function put(visitor: number, second: number): void {
    const place = placeOf(visitor);
    if (visitors[place] === FREE) {
      visitors[place] = visitor;
      seconds[place] = second;
      count++;
    } else if ((seconds[place] as number) < second) seconds[place] = second;
  }

  function inWindow(): number {
    const [list, last] = [seconds, window.from - 1];
    let found = 0;
    // The sign of a difference instead of a branch, which no processor foresees.
    for (let place = 0; place < list.length; place++) found += (last - (list[place] as number)) >>> 31;
    return found;
  }

  function makeRoom(): void {
    const [before, at] = [visitors, seconds];
    const size = Math.max(FEWEST, 2 ** Math.ceil(Math.log2((inWindow() + 1) / ROOMY)));
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
    /** Whether the window may move there: what was before it, or behind another hit of its visitor, is not known any more. */
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
    visitors: inWindow,
  };
}

export type LatestHits = ReturnType<typeof latestHits>;
