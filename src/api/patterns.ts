import * as v from 'valibot';
import { findListFault, joinLines, LONGEST_PATTERN, MOST_PATTERNS } from '../classify/private.ts';
import { coded } from '../lang/coded.ts';
import { fault, writeCoded } from '../lib/http/fault.ts';

/**
 * The schema of a list of patterns for private paths. It removes blank and repeated patterns. An error names the line
 * of the wrong pattern.
 */
export const Patterns = v.pipe(
  v.array(
    v.pipe(v.string(fault('no_text')), v.metadata({ format: 'path-pattern', maxLength: LONGEST_PATTERN })),
    fault('no_list'),
  ),
  v.maxLength(MOST_PATTERNS, fault('too_many_patterns', { most: MOST_PATTERNS })),
  v.check(
    (lines) => findListFault(lines) === undefined,
    ({ input }) => writeCoded(findListFault(input) ?? coded('no_text')),
  ),
  v.transform((lines) => splitLines(joinLines(lines))),
);

/** Splits a text into its lines. A line has one pattern, or one name of a page parameter. */
export const splitLines = (stored: string): string[] => stored.split('\n').filter((line) => line !== '');
