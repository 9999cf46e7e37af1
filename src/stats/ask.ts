import type { Answer } from './answer.ts';
import { isSummed, merge } from './measure.ts';
import type { Pool } from './pool.ts';
import { type Question, type Range, spanOf } from './question.ts';

/** Fewer days are not worth another thread. */
const WORTH_SPLITTING = 60;

/** Parts of a range, of which the last has the open days and is the smaller for it. */
function partsOf({ from, to }: Range, count: number): Range[] {
  const size = Math.ceil((to - from) / count);
  return Array.from({ length: count }, (_, i) => ({ from: from + i * size, to: Math.min(to, from + (i + 1) * size) }));
}

/** The door for every report: the API, the dashboard and the mails come in here. */
export type Ask = (question: Question) => Promise<Answer>;

/** Long ranges are measured by all threads at once. The latest days of a site always go to the same one. */
export const asker =
  (pool: Pool): Ask =>
  async (question) => {
    const { siteId } = question;
    const range = spanOf(question);
    const isLong = range.to - range.from > WORTH_SPLITTING;
    if (!isLong || isSummed(question) || pool.size === 1) return pool.run(siteId, 'answer', question);
    const parts = partsOf(range, pool.size);
    const measured = await Promise.all(
      parts.map((part, i) => pool.run(siteId + parts.length - 1 - i, 'measure', { question, range: part })),
    );
    return pool.run(siteId, 'present', { question, found: merge(measured) });
  };
