import { type CappedField, findCap, OTHER } from '../stats/dimensions.ts';
import {
  MOST_NAMES_OF_DAY,
  MOST_VALUES_OF_DAY,
  PROPERTY_NAMES,
  type PropertyKind,
  VALUES_OF,
} from '../stats/properties.ts';

/**
 * Returns the text under which a hit counts on a day: its own text, or `(other)`. For example, a day has at most 10,000
 * different pages, because all its pages are in memory. Hits on further pages count as `(other)`.
 */
export function capText(known: DayTexts, kind: CappedKind, text: string): string {
  if (text === '' || text === OTHER || known.has(text)) return text;
  return known.size < findLimit(kind) ? text : OTHER;
}

/**
 * The kinds of texts that have a limit for each day: the text fields of hits, and the names and values of properties.
 * `crawled` stands for the pages that crawlers requested.
 */
export type CappedKind = CappedField | 'crawled' | PropertyKind;

const isOfValues = (kind: CappedKind): kind is `${typeof VALUES_OF}${string}` => kind.startsWith(VALUES_OF);

function findLimit(kind: CappedKind): number {
  if (kind === PROPERTY_NAMES) return MOST_NAMES_OF_DAY;
  if (isOfValues(kind)) return MOST_VALUES_OF_DAY;
  return findCap(kind === 'crawled' ? 'page' : kind);
}

/** The texts of one `CappedKind` that a day has already, such as its pages. `(other)` is not among them. */
type DayTexts = { has(text: string): boolean; readonly size: number };
