import { DIMENSIONS, OTHER, type TextField } from '../stats/dimensions.ts';

/**
 * Gives the term as which a day counts a text. With 10,000 known pages, another page becomes `OTHER`. The hit is stored
 * all the same, so totals stay exact. The empty text and `OTHER` count toward no cap.
 */
export function capText(known: DayTexts, kind: CappedKind, text: string): string {
  if (text === '' || text === OTHER || known.has(text)) return text;
  return known.size < DIMENSIONS[kind === 'crawled' ? 'page' : kind].cap ? text : OTHER;
}

/** The kinds of terms with a cap by day: each text field of hits, and the pages that crawlers requested. */
export type CappedKind = TextField | 'crawled';

/** The distinct terms of a kind on a day of a site, without `OTHER`. */
type DayTexts = { has(text: string): boolean; readonly size: number };
