import { DIMENSIONS, OTHER, type TextField } from '../stats/dimensions.ts';

/**
 * Gives the text under which a day counts a hit. For example, a day has at most 10,000 different pages; hits on further
 * pages count as `OTHER`. So totals stay exact, and memory stays limited. The empty text and `OTHER` itself do not use
 * up the limit.
 */
export function capText(known: DayTexts, kind: CappedKind, text: string): string {
  if (text === '' || text === OTHER || known.has(text)) return text;
  return known.size < DIMENSIONS[kind === 'crawled' ? 'page' : kind].cap ? text : OTHER;
}

/**
 * The kinds of texts whose number is limited for each day. They are the text fields of hits, and the pages that
 * crawlers requested (`crawled`).
 */
export type CappedKind = TextField | 'crawled';

/** The different texts of one kind that a site already has on a day, without `OTHER`. */
type DayTexts = { has(text: string): boolean; readonly size: number };
