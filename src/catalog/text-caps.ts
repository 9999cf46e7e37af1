import { DIMENSIONS, OTHER, type TextField } from '../stats/dimensions.ts';

/**
 * Gives the text under which a day counts a hit. A day has at most 10,000 different pages, for example: further pages
 * are counted as `OTHER`. The hit itself is stored, so totals stay exact. The empty text and `OTHER` count toward no
 * limit.
 */
export function capText(known: DayTexts, kind: CappedKind, text: string): string {
  if (text === '' || text === OTHER || known.has(text)) return text;
  return known.size < DIMENSIONS[kind === 'crawled' ? 'page' : kind].cap ? text : OTHER;
}

/**
 * The kinds of texts whose number is limited for each day. These are the text fields of hits, and the pages that
 * crawlers requested.
 */
export type CappedKind = TextField | 'crawled';

/** The different texts of one kind on a day of a site, without `OTHER`. */
type DayTexts = { has(text: string): boolean; readonly size: number };
