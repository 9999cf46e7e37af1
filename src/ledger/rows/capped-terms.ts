import { type CappedKind, capText } from '../../catalog/text-caps.ts';
import { copyText } from '../../lib/copy-text.ts';
import { dayIn, dayKey } from '../../lib/day-key.ts';
import { OTHER } from '../../stats/dimensions.ts';
import type { Db } from '../../store/db.ts';
import { listCrawledPages } from './crawls.ts';
import { addDayTerm, type DayTerm, listDayTerms, readTexts, termFor } from './terms.ts';

/** The cache of a site is emptied at this many terms. */
const MAX_CACHED = 50_000;

/** The crawled pages of a day come from their own tables, which are permanent, so day_word does not list them. */
function listCrawled(db: Db, siteId: number, day: number): DayTerm[] {
  const { readText } = readTexts(db, siteId);
  return listCrawledPages(db, siteId, day)
    .map((id) => ({ id, text: readText(id) }))
    .filter(({ text }) => text !== OTHER);
}

export type TermIndex = ReturnType<typeof termIndex>;

/**
 * Turns texts into terms, within the caps of the day. It runs inside the transaction that stores the hits. If that fails, the
 * caller must `forget` the cache, which may have terms that were rolled back (test/ledger/open/append.test.ts).
 */
export function termIndex(db: Db) {
  /** All terms, by site and text. */
  const terms = new Map<number, Map<string, number>>();
  /** Those of each day, by site and day. */
  const days = new Map<number, (kind: CappedKind, text: string) => number>();

  function remember(siteId: number, text: string, id: number): void {
    let ofSite = terms.get(siteId);
    if (!ofSite || ofSite.size >= MAX_CACHED) {
      ofSite = new Map();
      terms.set(siteId, ofSite);
    }
    ofSite.set(text, id);
  }

  function termsOf(siteId: number, day: number): (kind: CappedKind, text: string) => number {
    /** By kind and text. Nearly every lookup ends here. */
    const kinds = new Map<CappedKind, Map<string, number>>();

    function ofKind(kind: CappedKind): Map<string, number> {
      const rows = kind === 'crawled' ? listCrawled(db, siteId, day) : listDayTerms(db, siteId, day, kind);
      const found = new Map(rows.map(({ id, text }) => [text, id]));
      kinds.set(kind, found);
      return found;
    }

    return function idOf(kind, text) {
      if (text === '') return 0;
      const known = kinds.get(kind) ?? ofKind(kind);
      const dayTerm = known.get(text);
      if (dayTerm !== undefined) return dayTerm;
      if (capText(known, kind, text) !== text) return idOf(kind, OTHER);
      const id = terms.get(siteId)?.get(text) ?? termFor(db, siteId, text);
      const kept = copyText(text);
      remember(siteId, kept, id);
      // OTHER does not count toward the cap.
      if (text === OTHER) return id;
      known.set(kept, id);
      if (kind !== 'crawled') addDayTerm(db, siteId, day, kind, id);
      return id;
    };
  }

  return {
    /** Gives the terms of texts on a day of a site. */
    on(siteId: number, day: number): (kind: CappedKind, text: string) => number {
      const key = dayKey(siteId, day);
      const known = days.get(key);
      if (known) return known;
      const made = termsOf(siteId, day);
      days.set(key, made);
      return made;
    },
    forget(): void {
      terms.clear();
      days.clear();
    },
    forgetBefore(day: number): void {
      for (const key of days.keys()) if (dayIn(key) < day) days.delete(key);
    },
  };
}
