import * as v from 'valibot';
import { faultIn, joinLines, LONGEST_PATTERN, MOST_PATTERNS } from '../classify/private.ts';
import { coded } from '../lang/coded.ts';
import { fault, writeCoded } from '../lib/http/fault.ts';

/** Patterns of private segments, a line each; blank lines and repeated ones are left out. An error names the line. */
export const Patterns = v.pipe(
  v.array(
    v.pipe(v.string(fault('no_text')), v.metadata({ format: 'path-pattern', maxLength: LONGEST_PATTERN })),
    fault('no_list'),
  ),
  v.maxLength(MOST_PATTERNS, fault('too_many_patterns', { most: MOST_PATTERNS })),
  v.check(
    (lines) => faultIn(lines) === undefined,
    ({ input }) => writeCoded(faultIn(input) ?? coded('no_text')),
  ),
  v.transform((lines) => splitLines(joinLines(lines))),
);

/** The patterns in a text as it is stored. */
export const splitLines = (stored: string): string[] => stored.split('\n').filter((line) => line !== '');
