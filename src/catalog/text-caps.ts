import { DIMENSIONS, OTHER, type TextField } from '../stats/dimensions.ts';

/** What has a cap of its own per day: each text field of hits, and the pages that crawlers requested. */
export type CappedKind = TextField | 'crawled';

/** The distinct texts that a day of a site has of a kind. `OTHER` is not among them. */
type DayTexts = { has(text: string): boolean; readonly size: number };

/**
 * The text as which a day counts it. With 10,000 pages known, a page that is not among them becomes `OTHER`. The hit is stored all
 * the same, so that totals stay exact. The empty text and `OTHER` count toward no cap.
 */
export function capText(known: DayTexts, kind: CappedKind, text: string): string {
  if (text === '' || text === OTHER || known.has(text)) return text;
  return known.size < DIMENSIONS[kind === 'crawled' ? 'page' : kind].cap ? text : OTHER;
}
