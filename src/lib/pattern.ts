// Patterns of people for texts: `*` is any run of characters, and all else is itself.
//
//   /blog/*   fits /blog/ and /blog/2026/a
//   *.pdf     fits /a.pdf, and not /a.pdf?x
//
// Whatever the pattern and the text, a match takes time linear in both: the pattern is never made a regular expression
// (test/lib/pattern.test.ts). Filters of queries use it.

import { fault } from './http/fault.ts';

/**
 * Makes a function that tells whether a text fits a pattern. The steps grow with the characters of both, whatever they
 * are. For the worst case indexOf would take fifty times as long.
 */
export function makeMatcher(pattern: string): (text: string) => boolean {
  if (!isPattern(pattern)) return (text) => text === pattern;
  const [first = '', ...rest] = pattern.split(ANY);
  const last = rest.pop() ?? '';
  const finders = rest.filter((part) => part !== '').map(makeFinder);
  const shortest = pattern.length - countStars(pattern);
  return (text) => {
    if (text.length < shortest || !text.startsWith(first) || !text.endsWith(last)) return false;
    let at = first.length;
    for (const find of finders) {
      at = find(text, at);
      if (at < 0) return false;
    }
    return at <= text.length - last.length;
  };
}

/** Stands for any run of characters, none included. */
const ANY = '*';

export const LONGEST_PATTERN = 1_024;
const MOST_ANY = 16;

export const isPattern = (text: string): boolean => text.includes(ANY);

/** Counts the `*` of a pattern. */
const countStars = (pattern: string): number => pattern.split(ANY).length - 1;

/**
 * Tells whether a text has too many characters. A character has at most two UTF-16 units, so most texts need no
 * counting.
 */
const isLong = (text: string): boolean =>
  text.length > LONGEST_PATTERN && (text.length > 2 * LONGEST_PATTERN || [...text].length > LONGEST_PATTERN);

/** Finds the fault of a pattern; undefined for a usable one. */
export function findPatternFault(pattern: string): string | undefined {
  if (pattern === '') return fault('empty');
  if (isLong(pattern)) return fault('too_long', { most: LONGEST_PATTERN });
  return countStars(pattern) > MOST_ANY ? fault('too_many_stars', { most: MOST_ANY }) : undefined;
}

/**
 * Computes the table of the search by Knuth, Morris and Pratt. An entry is the number of matched characters that still
 * match after a mismatch.
 */
function computeFallbacks(part: string): Uint16Array {
  const fallbacks = new Uint16Array(part.length + 1);
  let kept = 0;
  for (let i = 1; i < part.length; i++) {
    while (kept > 0 && part[i] !== part[kept]) kept = fallbacks[kept] as number;
    if (part[i] === part[kept]) kept++;
    fallbacks[i + 1] = kept;
  }
  return fallbacks;
}

/**
 * Makes a search for the first occurrence of a text, by Knuth, Morris and Pratt. The search gives the end of the
 * occurrence or -1, and never goes back in the text.
 */
function makeFinder(part: string): (text: string, from: number) => number {
  const fallbacks = computeFallbacks(part);
  return (text, from) => {
    let fitting = 0;
    for (let i = from; i < text.length; i++) {
      const code = text.charCodeAt(i);
      while (fitting > 0 && code !== part.charCodeAt(fitting)) fitting = fallbacks[fitting] as number;
      if (code === part.charCodeAt(fitting)) fitting++;
      if (fitting === part.length) return i + 1;
    }
    return -1;
  };
}
