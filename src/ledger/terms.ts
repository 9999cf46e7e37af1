import { CAPS, dayIn, dayKey, OTHER } from '../collect/hit.ts';
import type { Word } from '../store/hits.ts';
import type { Db } from '../store/statements.ts';

type Kind = Word | 'crawled';

/** Beyond so many terms of one site in memory, they are looked up again. */
const REMEMBERED = 50_000;

const SEEN = `SELECT t.id, t.text FROM day_word w JOIN term t ON t.site_id = w.site_id AND t.id = w.term
  WHERE w.site_id = ? AND w.day = ? AND w.kind = ?`;
/** The pages of crawlers are kept for good, so that they need not be noted apart. */
const CRAWLED = `SELECT DISTINCT t.id, t.text FROM crawl_day c JOIN term t ON t.site_id = c.site_id AND t.id = c.page
  WHERE c.site_id = ? AND c.day = ? AND t.text <> '${OTHER}'`;

const capOf = (kind: Kind): number => (kind === 'crawled' ? CAPS.page : CAPS[kind]);

/**
 * Turns the texts of a site into small numbers, within the caps of the day. Everything here happens inside the transaction
 * that keeps the hits; when that fails, what is remembered is forgotten, because the file does not know it.
 */
export function words(db: Db) {
  const terms = new Map<number, Map<string, number>>();
  /** By site and day, then by kind: the words that the day has seen, with their numbers. Nearly every word is found here. */
  const days = new Map<number, Map<Kind, Map<string, number>>>();

  function termOf(siteId: number, text: string): number | undefined {
    const known = terms.get(siteId)?.get(text);
    return known ?? db.one<{ id: number }>('SELECT id FROM term WHERE site_id = ? AND text = ?', siteId, text)?.id;
  }

  function newTerm(siteId: number, text: string): number {
    const last = db.one<{ id: number }>('SELECT max(id) AS id FROM term WHERE site_id = ?', siteId)?.id ?? 0;
    db.run('INSERT INTO term (site_id, id, text) VALUES (?, ?, ?)', siteId, last + 1, text);
    return last + 1;
  }

  function remember(siteId: number, text: string, id: number): void {
    let known = terms.get(siteId);
    if (!known || known.size >= REMEMBERED) {
      known = new Map();
      terms.set(siteId, known);
    }
    known.set(text, id);
  }

  function seenOn(siteId: number, day: number, kind: Kind): Map<string, number> {
    const key = dayKey(siteId, day);
    let kinds = days.get(key);
    if (!kinds) {
      kinds = new Map();
      days.set(key, kinds);
    }
    let seen = kinds.get(kind);
    if (!seen) {
      const rows = db.all<{ id: number; text: string }>(
        kind === 'crawled' ? CRAWLED : SEEN,
        ...(kind === 'crawled' ? [siteId, day] : [siteId, day, kind]),
      );
      seen = new Map(rows.map(({ id, text }) => [text, id]));
      kinds.set(kind, seen);
    }
    return seen;
  }

  function idOf(siteId: number, day: number, kind: Kind, text: string): number {
    if (text === '') return 0;
    const seen = seenOn(siteId, day, kind);
    const known = seen.get(text);
    if (known !== undefined) return known;
    const isFull = text !== OTHER && seen.size >= capOf(kind);
    // Totals stay exact: the hit is kept, only its word is not.
    if (isFull) return idOf(siteId, day, kind, OTHER);
    const id = termOf(siteId, text) ?? newTerm(siteId, text);
    remember(siteId, text, id);
    // The one word beyond the cap, which takes no place.
    if (text === OTHER) return id;
    seen.set(text, id);
    // A command beside the server may have brought the word in already.
    const sql = 'INSERT INTO day_word (site_id, day, kind, term) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING';
    if (kind !== 'crawled') db.run(sql, siteId, day, kind, id);
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
