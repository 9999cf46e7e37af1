// Turns texts of hits into terms. A term is the number of a text of a site. A day has a limit, the cap, for each kind
// of text, for example for pages. When the cap is reached, a new text becomes `(other)`.
// Invariant: on a day of a site, the terms of a kind never exceed the cap. This is also true if several processes store
// hits.
//
// Example: the cap of pages is 10,000. The 10,001st path of a day gets the term of `(other)`. The first 10,000 paths
// still get terms of their own.
//
// This code runs inside the transaction that stores hits. If the transaction fails, the caller must call `forget`.
// Otherwise the cache would have terms that are not in the database. Test: test/ledger/open/append.test.ts.
// open/append.ts calls this file.
import { type CappedKind, capText } from '../../catalog/text-caps.ts';
import { copyText } from '../../lib/copy-text.ts';
import { makeDayKey, readKeyDay } from '../../lib/day-key.ts';
import { OTHER } from '../../stats/dimensions.ts';
import type { Db } from '../../store/db.ts';
import { listCrawledPages } from './crawls.ts';
import { addDayTerm, type DayTerm, findOrAddTerm, listDayTerms, readTexts } from './terms.ts';

/** A site's cache of terms (numbers of texts) is emptied at this many terms, so it takes little memory. */
const MAX_CACHED = 50_000;

export function makeTermIndex(db: Db) {
  const terms = new Map<number, Map<string, number>>();
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
    /**
     * The terms (numbers of texts) that the day already uses, by kind and then by text. Nearly every text is found
     * here, without a query of the database.
     */
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
      // The text `(other)` stands for all texts beyond the limit of the day. So it must not count toward this limit.
      if (text === OTHER) return id;
      known.set(kept, id);
      if (kind !== 'crawled') addDayTerm(db, siteId, day, kind, id);
      return id;
    };
  }

  return {
    /**
     * Returns the function that turns texts into terms (numbers of texts), for one day of a site. The function is kept,
     * because it has a cache of the day's terms.
     */
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

/**
 * Lists the pages that AI crawlers requested on a day, with their terms (numbers of texts). The table `day_term` does
 * not list these pages, because the tables of crawls already do.
 */
function listCrawled(db: Db, siteId: number, day: number): DayTerm[] {
  const { readText } = readTexts(db, siteId);
  return listCrawledPages(db, siteId, day)
    .map((id) => ({ id, text: readText(id) }))
    .filter(({ text }) => text !== OTHER);
}

export type TermIndex = ReturnType<typeof makeTermIndex>;
