import type { Code } from '../lang/coded.ts';

type Notices = readonly { code: string }[];

const LEFT_OUT: readonly Code[] = ['left_out', 'crawler_pages_left_out'];
const UNKNOWN: readonly Code[] = [
  'bounces_unknown',
  'seconds_unknown',
  'rows_unknown',
  'page_unknown',
  'event_unknown',
];

const isAny = (codes: readonly string[], notices: Notices): boolean => notices.some(({ code }) => codes.includes(code));

/**
 * Tells whether a notice says that an import did not have some sums. A notice is a code that says what is missing in an
 * answer.
 */
export const isAnyUnknown = (notices: Notices = []): boolean => isAny(UNKNOWN, notices);

/**
 * Tells whether a notice (a code for what is missing in an answer) says that days are left out. In an answer over
 * several sites, one day of one site is enough.
 */
export const isAnyLeftOut = (notices: Notices = []): boolean => isAny(LEFT_OUT, notices);
