import type { Db } from '../store/statements.ts';
import { CAPS, OTHER, type Word } from './hit.ts';

export type Words = ReturnType<typeof words>;

/** Beyond so many terms of one site in memory, they are looked up again. */
const REMEMBERED = 50_000;

/**
 * Turns the texts of a site into small numbers, within the caps of the day. Everything here happens inside the transaction
 * that keeps the hits; when that fails, what is remembered is forgotten, because the file does not know it.
 */
export function words(db: Db) {
  const terms = new Map<number, Map<string, number>>();
  const seen = new Map<string, Set<number>>();

  function knownTerm(siteId: number, text: string): number | undefined {
    return db.one<{ id: number }>('SELECT id FROM term WHERE site_id = ? AND text = ?', siteId, text)?.id;
  }

  function newTerm(siteId: number, text: string): number {
    const next =
      db.one<{ id: number }>('SELECT coalesce(max(id), 0) + 1 AS id FROM term WHERE site_id = ?', siteId)?.id ?? 1;
    db.run('INSERT INTO term (site_id, id, text) VALUES (?, ?, ?)', siteId, next, text);
    return next;
  }

  function remembered(siteId: number): Map<string, number> {
    let map = terms.get(siteId);
    if (!map || map.size >= REMEMBERED) {
      map = new Map();
      terms.set(siteId, map);
    }
    return map;
  }

  /** What the day has seen of one kind of word; from the file when it is first asked for. */
  function seenBy(siteId: number, day: number, kind: string): Set<number> {
    const key = `${siteId} ${day} ${kind}`;
    let set = seen.get(key);
    if (!set) {
      const rows = db.all<{ term: number }>(
        'SELECT term FROM day_word WHERE site_id = ? AND day = ? AND kind = ?',
        siteId,
        day,
        kind,
      );
      set = new Set(rows.map(({ term }) => term));
      seen.set(key, set);
    }
    return set;
  }

  function idOf(siteId: number, day: number, kind: Word | 'crawled', text: string): number {
    if (text === '') return 0;
    const map = remembered(siteId);
    let id = map.get(text) ?? knownTerm(siteId, text);
    if (text !== OTHER) {
      const words = seenBy(siteId, day, kind);
      if (id === undefined || !words.has(id)) {
        // Totals stay exact: the hit is kept, only its word is not.
        if (words.size >= (kind === 'crawled' ? CAPS.page : CAPS[kind])) return idOf(siteId, day, kind, OTHER);
        id ??= newTerm(siteId, text);
        db.run('INSERT INTO day_word (site_id, day, kind, term) VALUES (?, ?, ?, ?)', siteId, day, kind, id);
        words.add(id);
      }
    }
    id ??= newTerm(siteId, text);
    map.set(text, id);
    return id;
  }

  return {
    idOf,
    forget(): void {
      terms.clear();
      seen.clear();
    },
    /** Days that are over need not be remembered. */
    forgetBefore(day: number): void {
      for (const key of seen.keys()) if (Number(key.split(' ')[1]) < day) seen.delete(key);
    },
  };
}
