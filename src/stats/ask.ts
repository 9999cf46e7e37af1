import type { Pool } from '../threads/pool.ts';
import type { Answer } from './answer.ts';
import { isSummed, merge } from './measure.ts';
import { type Question, type Range, spanOf } from './question.ts';

/** The same days of a site always go to the same thread, which finds in its memory what it has read of them before. */
const BLOCK = 32;

/** The days of a range in blocks, under the key of the thread for each. */
function blocksOf(siteId: number, { from, to }: Range, threads: number): Map<number, Range[]> {
  const blocks = new Map<number, Range[]>();
  for (let day = from; day < to; ) {
    const end = Math.min((Math.floor(day / BLOCK) + 1) * BLOCK, to);
    const key = (siteId + Math.floor(day / BLOCK)) % threads;
    blocks.set(key, [...(blocks.get(key) ?? []), { from: day, to: end }]);
    day = end;
  }
  return blocks;
}

/** The door for every report: the API, the dashboard and the mails come in here. */
export type Ask = (question: Question) => Promise<Answer>;

/** What has to be scanned over a long range is scanned by all threads at once. */
export const asker =
  (pool: Pool): Ask =>
  async (question) => {
    const range = spanOf(question);
    const latest = question.siteId + Math.floor((question.range.to - 1) / BLOCK);
    const blocks = isSummed(question) ? undefined : blocksOf(question.siteId, range, pool.size);
    if (!blocks || blocks.size < 2) return pool.run(latest, 'answer', question);
    const measured = await Promise.all(
      [...blocks].map(([key, ranges]) => pool.run(key, 'measure', { question, ranges })),
    );
    return pool.run(latest, 'present', { question, found: merge(measured) });
  };
