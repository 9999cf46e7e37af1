// Random numbers that are the same in each run.

/** Makes numbers from 0 to 1, evenly distributed. Equal seeds give equal numbers. */
export function dice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
}

/** Makes a function that draws an index. The weights say how likely each index is. */
export function lottery(weights: readonly number[], roll: () => number): () => number {
  let sum = 0;
  const ends = Float64Array.from(weights, (weight) => (sum += weight));
  return () => {
    const drawn = roll() * sum;
    let low = 0;
    for (let high = ends.length - 1; low < high; ) {
      const middle = (low + high) >> 1;
      if ((ends[middle] ?? 0) <= drawn) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}

/** Makes a function that draws a word. The n-th word is drawn 1/n as often as the first. */
export function draw(words: readonly string[], roll: () => number): () => string {
  const pick = lottery(
    words.map((_, i) => 1 / (i + 1)),
    roll,
  );
  return () => words[pick()] ?? '';
}
