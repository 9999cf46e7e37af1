import { type CappedKind, capText } from '../../catalog/text-caps.ts';
import { copyText } from '../../lib/copy-text.ts';
import { OTHER } from '../../stats/dimensions.ts';
import { addWord, listWords, removeWordsBefore } from '../../store/cluster/outbox.ts';
import type { Db } from '../../store/db.ts';

/**
 * At most this many texts are in memory. If there are more, all of them are removed from memory. They are read from the
 * outbox again when they are needed.
 */
const MOST_KEPT = 200_000;

/**
 * Limits the number of different texts of a day. A text above the limit is replaced by `OTHER`. `cap` writes each new
 * text to the outbox, in the same transaction as the rows. If that transaction fails, the caller must call `forget`.
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
