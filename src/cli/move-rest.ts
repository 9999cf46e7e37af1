// Moves the rest: the open days, the crawls and the drops. Then switches to the other engine. The server must be
// stopped.
//
// Invariant: one transaction switches the database file. Nothing is deleted before this transaction
// (test/cluster/move.test.ts). If a move is interrupted between the switch and the deletion, the next run deletes the
// moved hits at the old place (test/cluster/move-ends.test.ts). The old place is the file or the cluster that the hits
// are moved from.
//
// Example: a move to a cluster has 20,000 hits of today. The hits are sent to the cluster and counted there. If all of
// them have arrived, the file notes the cluster as its engine. Then the hits in the file are deleted.
//
// move.ts first calls `endInterrupted`, in case an earlier move was interrupted. Then it calls `moveRest`.

import { listHeld, removeGone } from '../catalog/day-states.ts';
import { abandonOld } from '../catalog/imported.ts';
import { describeShownImports, forgetReplaced } from '../catalog/imports.ts';
import { forgetMoved } from '../catalog/moved-days.ts';
import type { SiteDay } from '../catalog/sealed-days.ts';
import { nameCluster, openClusterForMove } from '../cluster/engine.ts';
import { isHit } from '../engine/activity.ts';
import type { TransferDay } from '../engine/transfer.ts';
import { openLedgerInProcess } from '../ledger/in-process.ts';
import { countOwnCrawls } from '../ledger/own-hits.ts';
import { Refusal } from '../lib/errors.ts';
import { findReason } from '../lib/reason.ts';
import { DAY, formatDay } from '../lib/time.ts';
import { isOnCluster } from '../store/cluster/cluster-servers.ts';
import type { Db } from '../store/db.ts';
import { listSiteDomains } from '../store/sites/sites.ts';
import { clock } from './command.ts';
import { isEmptying, noteEmptying, noteMoving } from './move-note.ts';
import { FILE, type Way } from './move-way.ts';

/**
 * Moves the rest and switches. Returns the number of moved hits. `moved` has the sealed days that were moved. `how` says
 * how to start the server after the switch.
 */
export async function moveRest(way: Way, moved: readonly TransferDay[], how: string): Promise<number> {
  const { db, from, to, source, switched } = way;
  await to.deleteRest();
  const before = describeOthers(way);
  const held = new Set(listHeld(db).map(makeKey));
  let hits = 0;
  const days = new Set<string>();
  for await (const some of from.readActivities()) {
    const late = some.find((one) => held.has(makeKey(one)));
    if (late) throw refuseLate(db, late, source);
    await to.takeActivities(some);
    hits += some.filter(isHit).length;
    for (const one of some) days.add(makeKey(one));
  }
  for await (const some of from.readCrawls()) await to.takeCrawls(some);
  for await (const some of from.readDrops()) await to.takeDrops(some);
  const there = await to.countOpenHits();
  if (there !== hits) throw new Error(`${hits} hits of open days became ${there}`);
  db.write(() => {
    assertUnchanged(way, moved, before);
    // Imports that still run are stopped. Otherwise, they would show days that only the old place has.
    abandonOld(db, Number.MAX_SAFE_INTEGER);
    forgetReplaced(db);
    switched(days);
    forgetMoved(db);
    noteEmptying(db, source);
  });
  await from.deleteAll().catch((error: unknown) => {
    throw new Refusal(
      `everything was moved, but the old place still has hits: ${findReason(error)}. You can start the server ${how}. Run this again later to delete the old hits`,
    );
  });
  db.write(() => {
    removeGone(db);
    noteMoving(db, '');
  });
  return hits;
}

/**
 * Describes what other commands may change during the move, apart from sealed days: imports, and the crawler requests
 * that `daybook logs` counts in the file (test/cluster/move-logs.test.ts).
 */
const describeOthers = ({ db, source }: Way): string =>
  `${describeShownImports(db)} ${source === FILE ? countOwnCrawls(db) : 0}`;

/**
 * Refuses the switch if a command such as `daybook import` or `daybook seal` changed the hits after they were read. The
 * end of the move would delete what that command has stored. `before` is what `describeOthers` said then.
 */
function assertUnchanged(way: Way, moved: readonly TransferDay[], before: string): void {
  const describeDays = (days: readonly { id: number; hasHits: boolean | 0 | 1 }[]) =>
    days.map(({ id, hasHits }) => `${id} ${Number(hasHits)}`).join();
  if (describeDays(listHeld(way.db)) !== describeDays(moved) || describeOthers(way) !== before)
    throw new Refusal('another command changed the hits during the move. Nothing was switched. Run this again');
}

/**
 * Refuses late hits of a sealed day that are not sealed themselves. The move would lose when they arrived, so answers as
 * of earlier days would count them. The file would also delete late hits of a totals-only day
 * (test/cluster/move-late.test.ts).
 */
function refuseLate(db: Db, { siteId, day }: SiteDay, source: string): Refusal {
  const { domain = '' } = listSiteDomains(db).find(({ id }) => id === siteId) ?? {};
  const how = source === FILE ? 'Run daybook seal' : 'Start the server as before, wait two minutes, and stop it';
  return new Refusal(
    `late hits of ${domain} on ${formatDay(day * DAY)} are not sealed yet. Nothing was switched. ${how}. Then run this again`,
  );
}

const makeKey = ({ siteId, day }: SiteDay): string => `${siteId} ${day}`;

/**
 * Empties the old place if an earlier move was interrupted after its switch. Returns false if there is no such move.
 */
export async function endInterrupted(db: Db, target: string, engine: string | undefined): Promise<boolean> {
  const isBack = target === FILE;
  if (isOnCluster(db) === isBack) return false;
  const url = isBack ? engine : target;
  const source = isBack ? url && nameCluster(url) : FILE;
  if (!url || !source || !isEmptying(db, source)) return false;
  const from = isBack ? await openClusterForMove(url, db, clock) : openLedgerInProcess(db, clock);
  await from.transfer.deleteAll();
  noteMoving(db, '');
  return true;
}
