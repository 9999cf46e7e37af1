import type { Visit } from '../engine/activity.ts';
import { VISIT_GAP } from './definitions.ts';

/** A hit of a visit. With `engaged`, a heartbeat on the hit's page. */
export type VisitRow = {
  second: number;
  page: string;
  event: string;
  label: string;
  engaged: number | undefined;
};

/**
 * Makes rows of a visit, from which the same visit can be made again. Heartbeats of 0 seconds fill pauses above VISIT_GAP, because a visit
 * does not keep its heartbeats. Test: test/stats/visit-rows.test.ts.
 */
export function* makeVisitRows({ hits, seconds }: Visit): Generator<VisitRow> {
  const end = (hits[0]?.second ?? 0) + seconds;
  for (const [i, hit] of hits.entries()) {
    const { second, page } = hit;
    const engagement = (at: number, engaged: number) => ({ second: at, page, event: '', label: '', engaged });
    const isLast = i + 1 === hits.length;
    yield { ...hit, engaged: undefined };
    if (hit.engaged > 0) yield engagement(second, hit.engaged);
    const next = hits[i + 1]?.second ?? end;
    for (let at = second + VISIT_GAP; at < next; at += VISIT_GAP) yield engagement(at, 0);
    if (isLast && end > second) yield engagement(end, 0);
  }
}
