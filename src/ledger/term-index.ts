import { DIMENSIONS, OTHER, type Word } from '../stats/dimensions.ts';
import type { Db } from '../store/statements.ts';
import { listCrawledPages } from './crawls.ts';
import { listSeen, noteSeen, type Seen, termFor, textsOf } from './terms.ts';

/** What the caps of a day count: the words of hits, and apart from them the pages that crawlers asked for. */
type TermKind = Word | 'crawled';

/** Beyond so many terms of one site in memory, they are looked up again. */
const REMEMBERED = 50_000;

/** The pages of crawlers are kept for good, so that they need not be noted apart. */
function listCrawled(db: Db, siteId: number, day: number): Seen[] {
  const { textOf } = textsOf(db, siteId);
  return listCrawledPages(db, siteId, day)
    .map((id) => ({ id, text: textOf(id) }))
    .filter(({ text }) => text !== OTHER);
}

/** One number for an id and a day, for maps that are asked for every hit: days stay below 2^17 until the year 2328. */
export const dayKey = (id: number, day: number): number => id * 131_072 + day;
export const idIn = (key: number): number => Math.floor(key / 131_072);
export const dayIn = (key: number): number => key % 131_072;

const capOf = (kind: TermKind): number => DIMENSIONS[kind === 'crawled' ? 'page' : kind].cap;

export type TermIndex = ReturnType<typeof termIndex>;

/**
 * Turns the texts of a site into small numbers, within the caps of the day. Everything here happens inside the transaction
 * that keeps the hits; when that fails, what is remembered is forgotten, because the file does not know it.
 */
export function termIndex(db: Db) {
  const terms = new Map<number, Map<string, number>>();
  /** By site and day, then by kind: the words that the day has seen, with their numbers. Nearly every word is found here. */
  const days = new Map<number, Map<TermKind, Map<string, number>>>();

  function remember(siteId: number, text: string, id: number): void {
    let known = terms.get(siteId);
    if (!known || known.size >= REMEMBERED) {
      known = new Map();
      terms.set(siteId, known);
    }
    known.set(text, id);
  }

  function seenOn(siteId: number, day: number, kind: TermKind): Map<string, number> {
    const key = dayKey(siteId, day);
    let kinds = days.get(key);
    if (!kinds) {
      kinds = new Map();
      days.set(key, kinds);
    }
    let seen = kinds.get(kind);
    if (!seen) {
      const rows = kind === 'crawled' ? listCrawled(db, siteId, day) : listSeen(db, siteId, day, kind);
      seen = new Map(rows.map(({ id, text }) => [text, id]));
      kinds.set(kind, seen);
    }
    return seen;
  }

  function idOf(siteId: number, day: number, kind: TermKind, text: string): number {
    if (text === '') return 0;
    const seen = seenOn(siteId, day, kind);
    const known = seen.get(text);
    if (known !== undefined) return known;
    const isFull = text !== OTHER && seen.size >= capOf(kind);
    // Totals stay exact: the hit is kept, only its word is not.
    if (isFull) return idOf(siteId, day, kind, OTHER);
    const id = terms.get(siteId)?.get(text) ?? termFor(db, siteId, text);
    remember(siteId, text, id);
    // The one word beyond the cap, which takes no place.
    if (text === OTHER) return id;
    seen.set(text, id);
    if (kind !== 'crawled') noteSeen(db, siteId, day, kind, id);
    return id;
  }

  return {
    idOf,
    forget(): void {
      terms.clear();
      days.clear();
    },
    /** Days that are over need not be remembered. */
    forgetBefore(day: number): void {
      for (const key of days.keys()) if (dayIn(key) < day) days.delete(key);
    },
  };
}
