/**
 * Finds the known word that a person most likely meant, such as `serve` for `sreve`. Returns undefined if no word is
 * similar.
 */
export function findNearest(word: string, known: readonly string[]): string | undefined {
  const [best] = known.map((one) => ({ one, changes: countChanges(word, one) })).sort((a, b) => a.changes - b.changes);
  return best && best.changes <= Math.ceil(word.length / LETTERS) ? best.one : undefined;
}

/** Counts the letters that must be changed, added or removed to turn one word into the other. */
function countChanges(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, i) => i);
  for (let i = 1; i <= one.length; i++) {
    const next = [i];
    for (let j = 1; j <= other.length; j++) {
      const change = (row[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}

/**
 * One letter may be wrong for each three letters of the word, rounded up. In a word of six letters, two may be wrong.
 */
const LETTERS = 3;
