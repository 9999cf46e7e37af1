import type { Engine } from '../engine.ts';
import { VISIT_GAP } from '../stats/measured.ts';

/** Of more visitors than this in half an hour, those silent longest are forgotten; only their engagement is lost by it. */
const MOST = 500_000;
/**
 * When each visitor was last active, for as long as a visit can run: an engagement message counts only then. The figures do
 * not hang on it, because visits are cut from the hits themselves.
 */
export function activeVisitors({ activeSince }: Pick<Engine, 'activeSince'>) {
  let older = new Map<number, number>();
  let newer: Map<number, number> | undefined;
  let turned = 0;

  function restore(now: number): Map<number, number> {
    turned = now;
    return activeSince(now - VISIT_GAP);
  }

  /** Two maps that change places every half hour, so that nothing has to be swept. */
  function current(now: number): Map<number, number> {
    newer ??= restore(now);
    if (now - turned > VISIT_GAP || newer.size >= MOST / 2) {
      older = now - turned > 2 * VISIT_GAP ? new Map() : newer;
      newer = new Map();
      turned = now;
    }
    return newer;
  }

  return {
    /** A sign of life at a moment that may lie before now. */
    touch(visitor: number, at: number, now: number): void {
      const map = current(now);
      map.set(visitor, Math.max(at, map.get(visitor) ?? older.get(visitor) ?? 0));
    },
    /** Seconds since the visitor was active, if the visit is still running. */
    idle(visitor: number, now: number): number | undefined {
      const last = current(now).get(visitor) ?? older.get(visitor);
      return last === undefined || now - last > VISIT_GAP ? undefined : Math.max(0, now - last);
    },
  };
}
