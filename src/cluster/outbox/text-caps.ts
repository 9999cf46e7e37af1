import { type CappedKind, capText } from '../../catalog/text-caps.ts';
import { copyText } from '../../lib/copy-text.ts';
import { OTHER } from '../../stats/dimensions.ts';
import { addWord, listWords, removeWordsBefore } from '../../store/cluster/outbox.ts';
import type { Db } from '../../store/db.ts';

/** Memory has 200,000 texts at most. Then it is emptied, and texts are read from the file again. */
const MOST_KEPT = 200_000;

/**
 * Keeps the distinct texts of a day within their caps: a text beyond the cap becomes `OTHER`. `cap` writes new texts in the
 * transaction of the rows. If that fails, the caller must `forget`.
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
