import * as v from 'valibot';
import { faultIn, joinLines, LONGEST_PATTERN, MOST_PATTERNS } from '../classify/private.ts';

/** Patterns of private segments, a line each; blank lines and repeated ones are left out. An error names the line. */
export const Patterns = v.pipe(
  v.array(
    v.pipe(v.string('Must be text.'), v.metadata({ format: 'path-pattern', maxLength: LONGEST_PATTERN })),
    'Must be a list.',
  ),
  v.maxLength(MOST_PATTERNS, `Must have at most ${MOST_PATTERNS} patterns.`),
  v.check(
    (lines) => faultIn(lines) === undefined,
    ({ input }) => faultIn(input) ?? '',
  ),
  v.transform((lines) => linesIn(joinLines(lines))),
);

/** The patterns in a text as it is stored. */
export const linesIn = (stored: string): string[] => stored.split('\n').filter((line) => line !== '');
