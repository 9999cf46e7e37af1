import type { Visit } from '../engine/activity.ts';
import { VISIT_GAP } from './definitions.ts';

/** A hit of a visit, or with `engaged` an engagement message on the hit's page. */
export type VisitRow = {
  second: number;
  page: string;
  event: string;
  label: string;
  engaged: number | undefined;
};

/**
 * Makes rows of a visit, from which the same visit can be made again (test/stats/visit-rows.test.ts). A visit ends when
 * its visitor is inactive for VISIT_GAP, and times of activity without a hit are not stored; so engagement rows of 0 seconds
 * fill longer pauses.
 */
export function* visitRows({ hits, seconds }: Visit): Generator<VisitRow> {
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
