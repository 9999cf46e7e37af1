// Deletes days of a site for good, on a cluster.
//
// Invariant: the database file says which days count, so one transaction hides all deleted days. The transaction notes
// a row number (`after_id`) for each day. Rows with this number or a lower one do not count afterwards. Hits that come
// later count.
//
// Example: the owner deletes 1 to 31 March. No query counts these days from then on. The sweep deletes their visits and
// sums on each server within a minute. engine.ts calls `deleteDays`.
import { hideDays } from '../../catalog/deletions.ts';
import type { DeletionOptions } from '../../engine/engine.ts';
import { seconds } from '../../lib/time.ts';
import type { Range } from '../../stats/query.ts';
import { listOpenDays } from '../query/days.ts';
import { type Deps, finishDeletions } from './sweep.ts';

export async function deleteDays(
  deps: Pick<Deps, 'db' | 'nodes' | 'clock'>,
  siteId: number,
  range: Range,
  { alongside }: DeletionOptions = {},
): Promise<void> {
  const { db, clock } = deps;
  const open = await listOpenDays(deps, siteId, range);
  hideDays(db, siteId, range, { now: seconds(clock), listOpen: () => open, alongside });
  // The days are hidden. If a server does not respond, the sweep tries again each minute. After ten minutes, it goes on
  // without that server.
  await finishDeletions(deps).catch(() => {});
}
