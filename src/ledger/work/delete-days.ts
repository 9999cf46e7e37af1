// Deletes sealed days of a site for good.
//
// Invariant: rows of a sealed day stay in the table `hit` until the sweep has deleted them. If the sealed day were
// hidden before that, these rows would count as hits of an open day. For this reason, the sweep deletes the rows first.
// The transaction that hides the days checks that no row is left.
//
// Example: the owner deletes 1 to 31 March. First the sweep deletes the rows of these days that are still in `hit`. One
// transaction hides the 31 sealed days. Then the sweep deletes their columns and sums, one day at a time. Meanwhile,
// hits can be stored. engine.ts calls `deleteDays`.
import { listReopenedDays } from '../../catalog/day-states.ts';
import { hideDays } from '../../catalog/deletions.ts';
import { findImport } from '../../catalog/imports.ts';
import type { DeletionOptions } from '../../engine/engine.ts';
import { runPolitely } from '../../lib/steps.ts';
import { seconds } from '../../lib/time.ts';
import type { Range } from '../../stats/query.ts';
import type { Db } from '../../store/db.ts';
import { listHitDays } from '../rows/hits.ts';
import { sweepHits } from '../upkeep/sweep.ts';
import { type Deps, tryTidyUp } from './nightly.ts';

export async function deleteDays(
  deps: Deps,
  siteId: number,
  range: Range,
  { alongside }: DeletionOptions = {},
): Promise<void> {
  const { db, clock } = deps;
  await runPolitely(sweepHits(db), clock);
  hideDays(db, siteId, range, { now: seconds(clock), listOpen: () => listUnsealed(db, siteId, range), alongside });
  await tryTidyUp(deps);
}

/** Lists the days of a range that have rows or are reopened. Rows of an unfinished import do not count. */
function listUnsealed(db: Db, siteId: number, { from, to }: Range): number[] {
  const isVisible = (importId: number | null) =>
    importId === null || findImport(db, siteId, importId)?.state === 'shown';
  const withRows = listHitDays(db, siteId).filter(({ importId }) => isVisible(importId));
  const days = [...withRows.map(({ day }) => day), ...listReopenedDays(db, siteId)];
  return [...new Set(days)].filter((day) => day >= from && day < to);
}
