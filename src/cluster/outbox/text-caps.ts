import { type CappedKind, capText } from '../../catalog/text-caps.ts';
import { copyText } from '../../lib/copy-text.ts';
import { OTHER } from '../../stats/dimensions.ts';
import { addWord, listWords, removeWordsBefore } from '../../store/cluster/outbox-words.ts';
import type { Db } from '../../store/db.ts';

/**
 * After this many new texts, all texts are removed from memory, and read from the outbox again when needed. Otherwise
 * the texts of many sites and days would fill the memory.
 */
const MOST_KEPT = 200_000;

/**
 * Limits how many different texts, such as pages, a day of a site has. Above the limit a new text becomes `(other)`, so
 * that random URLs do not fill the disk.
 *
 * `cap` writes each new text to the outbox, in the transaction of the rows. If that transaction fails, call `forget`:
 * otherwise the memory would know texts that are not stored.
 */
export function buildTextCaps(db: Db) {
  const days = new Map<string, Set<string>>();
  let kept = 0;

  function listTexts(siteId: number, day: number, kind: CappedKind): Set<string> {
    const key = `${siteId} ${day} ${kind}`;
    let words = days.get(key);
    if (!words) {
      words = new Set(listWords(db, { siteId, day, kind }));
      days.set(key, words);
    }
    return words;
  }

  return {
    cap(siteId: number, day: number, kind: CappedKind, text: string): string {
      if (text === '' || text === OTHER) return text;
      const words = listTexts(siteId, day, kind);
      if (words.has(text)) return text;
      if (capText(words, kind, text) !== text) return OTHER;
      words.add(copyText(text));
      addWord(db, { siteId, day, kind }, text);
      if (++kept > MOST_KEPT) {
        days.clear();
        kept = 0;
      }
      return text;
    },
    forget(): void {
      days.clear();
      kept = 0;
    },
    removeBefore(day: number): void {
      removeWordsBefore(db, day);
      days.clear();
      kept = 0;
    },
  };
}

export type TextCaps = ReturnType<typeof buildTextCaps>;
