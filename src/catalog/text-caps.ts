import { findCap, OTHER, type TextField } from '../stats/dimensions.ts';

/**
 * Returns the text under which a day counts a hit. For example, a day has at most 10,000 different pages. Hits on
 * further pages count as `(other)`, so memory stays limited.
 */
export function capText(known: DayTexts, kind: CappedKind, text: string): string {
  if (text === '' || text === OTHER || known.has(text)) return text;
  return known.size < findCap(kind === 'crawled' ? 'page' : kind) ? text : OTHER;
}

/** The kinds of texts with a limit for each day: text fields of hits, and pages that crawlers requested (`crawled`). */
export type CappedKind = TextField | 'crawled';

/** The different texts of one kind on one day, without `(other)`. */
type DayTexts = { has(text: string): boolean; readonly size: number };
