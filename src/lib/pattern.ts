// Patterns that people write: `*` means any characters, and every other character itself. `/blog/*` matches /blog/ and
// /blog/2026/a. `*.pdf` matches /a.pdf, but not /a.pdf?x.
//
// Invariant: a match takes time linear in the lengths of pattern and text, for all inputs. So a pattern is never turned
// into a regular expression (test/lib/pattern.test.ts). Filters of queries and blocks of sites use this file.

import { fault } from './http/fault.ts';

/**
 * Makes a function that tells whether a text matches a pattern. A search with indexOf would take fifty times as long in
 * the worst case, and a visitor could provoke this case.
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

/** Stands for any number of characters, including none. */
const ANY = '*';

export const LONGEST_PATTERN = 1_024;
const MOST_ANY = 16;

export const isPattern = (text: string): boolean => text.includes(ANY);

const countStars = (pattern: string): number => pattern.split(ANY).length - 1;

/**
 * Tells whether a pattern has too many characters. Counting characters is slow, and a character has one or two UTF-16
 * units. So for most texts the number of units decides.
 */
const isLong = (text: string): boolean =>
  text.length > LONGEST_PATTERN && (text.length > 2 * LONGEST_PATTERN || [...text].length > LONGEST_PATTERN);

export function findPatternFault(pattern: string): string | undefined {
  if (pattern === '') return fault('empty');
  if (isLong(pattern)) return fault('too_long', { most: LONGEST_PATTERN });
  return countStars(pattern) > MOST_ANY ? fault('too_many_stars', { most: MOST_ANY }) : undefined;
}

/**
 * Computes the table for the search of Knuth, Morris and Pratt. Say the first i characters of `part` matched, and the
 * next one does not. Then entry i says how many of the last matched characters are also the beginning of `part`. The
 * search goes on behind these characters, so it never reads a character of the text twice.
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
 * Makes a search for the first occurrence of a text (Knuth, Morris and Pratt). The result is the end of the occurrence,
 * or -1.
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
