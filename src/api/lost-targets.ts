import * as v from 'valibot';
import { isPattern } from '../lib/pattern.ts';
import { takeInTurns } from '../lib/turns.ts';
import type { Db } from '../store/db.ts';
import { listFunnels } from '../store/sites/funnels.ts';
import { listGoals } from '../store/sites/goals.ts';

/**
 * A page of a goal or of a funnel step. `becomes` is how daybook would store this page after the site's settings
 * change.
 */
export const TargetChange = v.strictObject({ value: v.string(), becomes: v.string() });

type TargetChange = v.InferOutput<typeof TargetChange>;

/**
 * A site may have 20 patterns for private paths. Comparing one very long path with all these patterns takes 1 ms. So
 * other requests get a turn after 10 pages.
 */
export const PAGES_A_TURN = 10;

/**
 * Lists the pages of goals and funnel steps that would no longer occur in hits after a change of the settings.
 * `becomes` writes a page as the new settings would store it.
 */
export async function listLostTargets(
  db: Db,
  siteId: number,
  becomes: (page: string) => string,
): Promise<TargetChange[]> {
  const pages = [...listGoals(db, siteId), ...listFunnels(db, siteId).flatMap(({ steps }) => steps)]
    // Patterns are left out, because a pattern may still match stored pages after the settings have changed.
    .filter(({ type, value }) => type === 'page' && !isPattern(value))
    .map(({ value }) => value);
  const changes: TargetChange[] = [];
  await takeInTurns([...new Set(pages)], PAGES_A_TURN, (some) => {
    changes.push(...some.map((value) => ({ value, becomes: becomes(value) })));
  });
  return changes.filter(({ value, becomes }) => becomes !== value);
}
