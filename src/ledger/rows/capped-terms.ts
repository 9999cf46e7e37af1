// Turns texts of hits into terms. A day has a limit, the cap, for each kind of text, such as pages. Beyond the cap, new
// texts become `(other)`.
//
// Invariant: on one day, the terms of a kind never exceed the cap, apart from the term of `(other)`. Only open-days.ts
// applies no cap (`isLimited: false`), because the senders of a cluster cap the texts before.
//
// Example: the cap of pages is 10,000. The 10,001st page of a day gets the term of `(other)`. The first 10,000 pages
// keep terms of their own.
//
// open/append.ts, open-days.ts and transfer.ts make an index of terms, and use it inside the transaction that stores
// hits. If the transaction fails, `forget` must be called, because the cache then has terms that are not in the
// database file.
import { type CappedKind, capText } from '../../catalog/text-caps.ts';
import { copyText } from '../../lib/copy-text.ts';
import { makeDayKey, readKeyDay } from '../../lib/day-key.ts';
import { OTHER } from '../../stats/dimensions.ts';
import { MOST_MEMBERS_OF_DAY } from '../../stats/properties.ts';
import type { Db } from '../../store/db.ts';
import { listCrawledPages } from './crawls.ts';
import { addDayTerm, type DayTerm, findOrAddTerm, listDayTerms, readTexts } from './terms.ts';

/** The cache of a site is emptied when it has this many terms, so that it takes little memory. */
const MAX_CACHED = 50_000;

type FindTerm = (kind: CappedKind, text: string) => number;
/**
 * Functions for the texts of one day. `cap` returns the text itself, or `(other)` if the day has too many texts of its
 * kind.
 */
type DayLookup = {
  findTerm: FindTerm;
  cap(kind: CappedKind, text: string): string;
  /**
   * Counts a property set with `count` members (its properties). Returns false, and counts nothing, if the sets of the
   * day would then have too many members (`MOST_MEMBERS_OF_DAY`). The first call for a day calls `countFirst`, which
   * counts the day's members in the database file.
   */
  takeMembers(count: number, countFirst: () => number): boolean;
};

/**
 * Makes the index of terms. With `isLimited: false`, texts are not capped. This is for copies of hits from a cluster,
 * because the cluster's senders have already capped the texts.
 */
export function makeTermIndex(db: Db, { isLimited = true } = {}) {
  const limit = isLimited ? capText : (_: unknown, __: CappedKind, text: string) => text;
  const terms = new Map<number, Map<string, number>>();
  const days = new Map<number, DayLookup>();

  function remember(siteId: number, text: string, id: number): void {
    let ofSite = terms.get(siteId);
    if (!ofSite || ofSite.size >= MAX_CACHED) {
      ofSite = new Map();
      terms.set(siteId, ofSite);
    }
    ofSite.set(text, id);
  }

  function addLookup(siteId: number, day: number): DayLookup {
    // The terms of the day, by kind and then by text. Nearly every text is found here, without a query.
    const kinds = new Map<CappedKind, Map<string, number>>();

    function loadKind(kind: CappedKind): Map<string, number> {
      const rows = kind === 'crawled' ? listCrawled(db, siteId, day) : listDayTerms(db, siteId, day, kind);
      const found = new Map(rows.map(({ id, text }) => [text, id]));
      kinds.set(kind, found);
      return found;
    }

    function findId(kind: CappedKind, text: string): number {
      if (text === '') return 0;
      const known = kinds.get(kind) ?? loadKind(kind);
      const dayTerm = known.get(text);
      if (dayTerm !== undefined) return dayTerm;
      if (limit(known, kind, text) !== text) return findId(kind, OTHER);
      const id = terms.get(siteId)?.get(text) ?? findOrAddTerm(db, siteId, text);
      const kept = copyText(text);
      remember(siteId, kept, id);
      // `(other)` stands for all texts beyond the cap, so it does not count toward the cap itself.
      if (text === OTHER) return id;
      known.set(kept, id);
      if (kind !== 'crawled') addDayTerm(db, siteId, day, kind, id);
      return id;
    }

    const lookup: DayLookup = {
      findTerm: findId,
      takeMembers: isLimited ? limitMembers() : () => true,
      cap(kind, text) {
        const kept = limit(kinds.get(kind) ?? loadKind(kind), kind, text);
        findId(kind, kept);
        return kept;
      },
    };
    days.set(makeDayKey(siteId, day), lookup);
    return lookup;
  }

  const findLookup = (siteId: number, day: number): DayLookup =>
    days.get(makeDayKey(siteId, day)) ?? addLookup(siteId, day);

  return {
    /**
     * Returns a function that turns texts into terms, for one day of a site. All calls for this day return one
     * function, because the function caches the terms of the day.
     */
    on: (siteId: number, day: number): FindTerm => findLookup(siteId, day).findTerm,
    /**
     * Returns the functions `cap` and `takeMembers` for one day of a site. If the text that `cap` returns has no term
     * yet, `cap` adds one.
     */
    limitsOn: (siteId: number, day: number): Omit<DayLookup, 'findTerm'> => findLookup(siteId, day),
    forget(): void {
      terms.clear();
      days.clear();
    },
    forgetBefore(day: number): void {
      for (const key of days.keys()) if (readKeyDay(key) < day) days.delete(key);
    },
  };
}

function limitMembers(): DayLookup['takeMembers'] {
  let members: number | undefined;
  return (count, countFirst) => {
    members ??= countFirst();
    if (members + count > MOST_MEMBERS_OF_DAY) return false;
    members += count;
    return true;
  };
}

/**
 * Lists the pages that AI crawlers requested on a day. The terms of these pages are in the tables of crawls, and not in
 * the table `day_term`.
 */
function listCrawled(db: Db, siteId: number, day: number): DayTerm[] {
  const { readText } = readTexts(db, siteId);
  return listCrawledPages(db, siteId, day)
    .map((id) => ({ id, text: readText(id) }))
    .filter(({ text }) => text !== OTHER);
}

export type TermIndex = ReturnType<typeof makeTermIndex>;
