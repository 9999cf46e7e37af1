// An index of terms turns texts of hits into terms, within the caps of the day. Further texts of a kind become `(other)`.
// Invariant: a day of a site has at most as many different terms of a kind as the cap says, whichever process stored its hits.
//
// Example: the cap of pages is 10,000. The 10,001st path of a day gets the term of `(other)`. A path that the day already has keeps its
// own term, also when the cap is reached.
//
// It runs inside the transaction that stores hits. If that fails, the caller must call `forget`, because the cache may have terms that
// were rolled back. Test: test/ledger/open/append.test.ts. open/append.ts calls it.
import { type CappedKind, capText } from '../../catalog/text-caps.ts';
import { copyText } from '../../lib/copy-text.ts';
import { makeDayKey, readKeyDay } from '../../lib/day-key.ts';
import { OTHER } from '../../stats/dimensions.ts';
import type { Db } from '../../store/db.ts';
import { listCrawledPages } from './crawls.ts';
import { addDayTerm, type DayTerm, findOrAddTerm, listDayTerms, readTexts } from './terms.ts';

/** The cache of a site is emptied at this many terms. */
const MAX_CACHED = 50_000;

/** Makes an index with empty caches. */
export function makeTermIndex(db: Db) {
  /** All terms, by site and text. */
  const terms = new Map<number, Map<string, number>>();
  /** The lookup of each day, by site and day. */
  const days = new Map<number, (kind: CappedKind, text: string) => number>();

  function remember(siteId: number, text: string, id: number): void {
    let ofSite = terms.get(siteId);
    if (!ofSite || ofSite.size >= MAX_CACHED) {
      ofSite = new Map();
      terms.set(siteId, ofSite);
    }
    ofSite.set(text, id);
  }

  function makeLookup(siteId: number, day: number): (kind: CappedKind, text: string) => number {
    /** The terms of the day, by kind and text. Nearly every lookup ends here. */
    const kinds = new Map<CappedKind, Map<string, number>>();

    function loadKind(kind: CappedKind): Map<string, number> {
      const rows = kind === 'crawled' ? listCrawled(db, siteId, day) : listDayTerms(db, siteId, day, kind);
      const found = new Map(rows.map(({ id, text }) => [text, id]));
      kinds.set(kind, found);
      return found;
    }

    return function findId(kind, text) {
      if (text === '') return 0;
      const known = kinds.get(kind) ?? loadKind(kind);
      const dayTerm = known.get(text);
      if (dayTerm !== undefined) return dayTerm;
      if (capText(known, kind, text) !== text) return findId(kind, OTHER);
      const id = terms.get(siteId)?.get(text) ?? findOrAddTerm(db, siteId, text);
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
    /** Gives the function that turns texts into terms on a day of a site. */
    on(siteId: number, day: number): (kind: CappedKind, text: string) => number {
      const key = makeDayKey(siteId, day);
      const known = days.get(key);
      if (known) return known;
      const made = makeLookup(siteId, day);
      days.set(key, made);
      return made;
    },
    forget(): void {
      terms.clear();
      days.clear();
    },
    forgetBefore(day: number): void {
      for (const key of days.keys()) if (readKeyDay(key) < day) days.delete(key);
    },
  };
}

/** Lists the crawled pages of a day. Tables of crawls have them, and these stay, so `day_term` does not list them. */
function listCrawled(db: Db, siteId: number, day: number): DayTerm[] {
  const { readText } = readTexts(db, siteId);
  return listCrawledPages(db, siteId, day)
    .map((id) => ({ id, text: readText(id) }))
    .filter(({ text }) => text !== OTHER);
}

export type TermIndex = ReturnType<typeof makeTermIndex>;
