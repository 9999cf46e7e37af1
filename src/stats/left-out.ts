// Tells whether an answer lacks days or sums, from the codes of its notices.
//
// Example: a filtered report is about a week with a totals-only day. The answer has the notice `left_out`, because no
// filter can select the visits of that day. Then the dashboard does not compare the answer with the week before.
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
 * True if a notice says that an import lacked some sums. The notices `revenue_unknown` and `persons_unknown` are
 * ignored.
 */
export const isAnyUnknown = (notices: Notices = []): boolean => isAny(UNKNOWN, notices);

/** True if a notice says that the answer leaves out days. For several sites, one day of one site is enough. */
export const isAnyLeftOut = (notices: Notices = []): boolean => isAny(LEFT_OUT, notices);
