import * as v from 'valibot';
import { isPattern } from '../lib/pattern.ts';
import type { Db } from '../store/db.ts';
import { listFunnels } from '../store/sites/funnels.ts';
import { listGoals } from '../store/sites/goals.ts';

/** A page of a goal or of a funnel step, and how the page would be stored from then on. */
export const TargetChange = v.strictObject({ value: v.string(), becomes: v.string() });

/** Lists the pages of goals and funnel steps that would no longer occur, because `becomes` changes them. */
export function listLostTargets(
  db: Db,
  siteId: number,
  becomes: (page: string) => string,
): v.InferOutput<typeof TargetChange>[] {
  const targets = [...listGoals(db, siteId), ...listFunnels(db, siteId).flatMap(({ steps }) => steps)]
    // Goals with a pattern are not listed, because the pattern may also match the changed pages.
    .filter(({ type, value }) => type === 'page' && !isPattern(value) && becomes(value) !== value)
    .map(({ value }) => value);
  return [...new Set(targets)].map((value) => ({ value, becomes: becomes(value) }));
}
