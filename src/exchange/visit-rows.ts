import type { Visit } from '../engine.ts';
import { VISIT_GAP } from '../stats/measured.ts';

/** A hit of a visit, or with `engaged` a sign of life on its page. */
export type VisitRow = { second: number; page: string; event: string; label: string; engaged: number | undefined };

/**
 * Makes rows of a visit, of which the same visit is cut again. When somebody was active without a hit is not kept, only until
 * when: where a visit lasted over more than a gap, there are signs of life in between.
 */
export function* visitRows({ hits, seconds }: Visit): Generator<VisitRow> {
  const over = (hits[0]?.second ?? 0) + seconds;
  for (const [i, hit] of hits.entries()) {
    const { second, page } = hit;
    const sign = (at: number, engaged: number): VisitRow => ({ second: at, page, event: '', label: '', engaged });
    const isLast = i + 1 === hits.length;
    yield { ...hit, engaged: undefined };
    if (hit.engaged > 0) yield sign(second, hit.engaged);
    const next = hits[i + 1]?.second ?? over;
    for (let alive = second + VISIT_GAP; alive < next; alive += VISIT_GAP) yield sign(alive, 0);
    if (isLast && over > second) yield sign(over, 0);
  }
}
