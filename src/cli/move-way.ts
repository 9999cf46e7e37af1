// Prepares the two directions of a move: from the database file to a cluster, and back. A `Way` has the place to read
// from, the place to write to, and the switch between them.
//
// Invariant: `switched` changes only the database file, which then says that the other engine has the hits. `switched`
// moves no hits.
//
// Example: `daybook move --to http://ch1:8123` has the file as its source, and the name of the cluster as its target.
//
// move.ts chooses the direction. move-days.ts and move-rest.ts move the hits.

import { existsSync } from 'node:fs';
import { listHeld, reopenDay, showAll, showOwn } from '../catalog/day-states.ts';
import { keepReducedTotals } from '../catalog/reduced-days.ts';
import { nameCluster, openClusterForMove, openClusterForMoveBack } from '../cluster/engine.ts';
import type { Transfer } from '../engine/transfer.ts';
import { openLedgerInProcess } from '../ledger/in-process.ts';
import { Refusal, USAGE } from '../lib/errors.ts';
import { isOnCluster, removeCluster, setServers } from '../store/cluster/cluster-servers.ts';
import { listCollectors } from '../store/cluster/collectors.ts';
import { openOutbox } from '../store/cluster/outbox.ts';
import { findFirstWaiting } from '../store/cluster/outbox-pieces.ts';
import type { Db } from '../store/db.ts';
import { clock } from './command.ts';

/** The value of `--to` for a move back. In `name` and `source` of a `Way`, this word stands for the database file. */
export const FILE = 'file';

export type Way = {
  db: Db;
  from: Transfer;
  to: Transfer;
  /**
   * The name of the target. While hits are moved, a note in the database file has this name (move-note.ts). The next
   * run continues an interrupted move only to the target in the note.
   */
  name: string;
  /** The name of the place that is emptied at the end. */
  source: string;
  /**
   * Switches the database file to the other engine. Called when everything has arrived at the other engine. `days` has
   * a text for each moved open day: the id of the site and the number of the day, such as `7 20000`.
   */
  switched(days: ReadonlySet<string>): void;
};

/** Prepares the move to a cluster. `switched` notes the servers of the cluster in the database file. */
export async function openWayToCluster(url: string, db: Db): Promise<Way> {
  if (isOnCluster(db)) throw new Refusal('the hits of this file are on a cluster already');
  const { name, servers, transfer: to } = await openClusterForMove(url, db, clock);
  const switched = () => {
    showAll(db);
    forgetReduced(db);
    setServers(db, servers);
  };
  return { db, name, source: FILE, from: openLedgerInProcess(db, clock).transfer, to, switched };
}

/**
 * Prepares the move back into the database file. move.ts then calls `assertNothingWaits`, because hits that still wait
 * for the cluster would be lost.
 */
export async function openWayBack(url: string | undefined, db: Db): Promise<Way> {
  if (url === undefined || !isOnCluster(db))
    throw new Refusal('the hits of this file are in it. There is nothing to move', USAGE);
  const from = await openClusterForMoveBack(url, db, clock);
  const switched = (days: ReadonlySet<string>) => {
    showOwn(db);
    forgetReduced(db);
    for (const day of days) {
      const [siteId = 0, number = 0] = day.split(' ').map(Number);
      reopenDay(db, siteId, number, { after: 0 });
    }
    removeCluster(db);
  };
  return { db, name: FILE, source: nameCluster(url), from, to: openLedgerInProcess(db, clock).transfer, switched };
}

/**
 * Deletes the reduced totals of days with hits, because a move does not copy the reduced rollups of these days. The
 * ledger computes both again. The cluster needs reduced totals only for totals-only days.
 */
const forgetReduced = (db: Db): void => {
  const kept = listHeld(db).filter(({ hasHits }) => hasHits === 0);
  keepReducedTotals(
    db,
    kept.map(({ id }) => id),
  );
};

/**
 * Refuses a move back while hits wait in the outbox, or while there is a collector, where hits may wait too. The move
 * would lose these hits.
 */
export function assertNothingWaits(db: Db, path: string): void {
  const [collector] = listCollectors(db);
  if (collector)
    throw new Refusal(
      `there is a collector ${collector.name}. While it runs, run daybook collectors retire ${collector.name}. Then wait until daybook collectors no longer lists it`,
    );
  if (!existsSync(`${path}.outbox`)) return;
  const outbox = openOutbox(`${path}.outbox`, '');
  const waiting = findFirstWaiting(outbox.db);
  outbox.close();
  if (waiting)
    throw new Refusal('hits wait to be sent to the cluster. Start the server with --engine until they are there');
}
