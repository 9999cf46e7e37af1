import type { Visit, VisitHit } from '../engine/activity.ts';
import { VISIT_GAP } from './definitions.ts';

/**
 * A hit or a heartbeat of a visit. A heartbeat has `engaged`, the visible seconds, and may have `scroll` and `vitals`.
 * In a hit, `engaged` and `scroll` are undefined, and `vitals` is 0.
 */
export type VisitRow = Omit<VisitHit, 'engaged'> & { engaged: number | undefined };

/** The depth and vitals of a row without these values. */
const NOTHING = { scroll: undefined, vitals: 0 };

/**
 * The most seconds of one row, because an import accepts five digits. A hit with more seconds gets several heartbeats.
 */
const MOST_ENGAGED = 90_000;

/**
 * Makes rows from which an import can make the same visit again. A visit does not store its heartbeats. In a pause of
 * more than 1,800 s the visit would end, therefore heartbeats of 0 seconds fill the pause. Test:
 * test/stats/visit-rows.test.ts.
 */
export function* makeVisitRows({ hits, seconds }: Visit): Generator<VisitRow> {
  const end = (hits[0]?.second ?? 0) + seconds;
  for (const [i, hit] of hits.entries()) {
    const { second } = hit;
    let { engaged: rest, scroll, vitals } = hit;
    const engagement = (at: number, engaged: number, told: Pick<VisitHit, 'scroll' | 'vitals'> = NOTHING) => ({
      ...{ ...hit, second: at, event: '', label: '', properties: '', revenue: '', engaged, ...told },
    });
    const isLast = i + 1 === hits.length;
    yield { ...hit, engaged: undefined, ...NOTHING };
    for (; rest > 0 || scroll !== undefined || vitals !== 0; rest -= MOST_ENGAGED) {
      yield engagement(second, Math.min(Math.max(rest, 0), MOST_ENGAGED), { scroll, vitals });
      ({ scroll, vitals } = NOTHING);
    }
    const next = hits[i + 1]?.second ?? end;
    for (let at = second + VISIT_GAP; at < next; at += VISIT_GAP) yield engagement(at, 0);
    if (isLast && end > second) yield engagement(end, 0);
  }
}
