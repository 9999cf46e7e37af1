// The command `daybook move`: moves all hits from the database file to a cluster, or back.
//
// Sealed days are moved while the server runs, 100 at a time. An interrupted move continues where it stopped. Then the
// server must be stopped. The command moves the open days, and one transaction switches the file to the other engine.
// Nothing is deleted before the switch (test/cluster/move.test.ts). If a move is interrupted between the switch and the
// deletion, the next run completes it (test/cluster/move-ends.test.ts).

import { existsSync, realpathSync } from 'node:fs';
import { stderr } from 'node:process';
import { listHeld, removeGone, reopenDay, showAll, showOwn } from '../catalog/day-states.ts';
import { abandonOld } from '../catalog/imported.ts';
import { describeShownImports, forgetReplaced } from '../catalog/imports.ts';
import { addMoved, forgetMoved, listMoved, removeMoved } from '../catalog/moved-days.ts';
import { nameCluster, openClusterForMove, openClusterForMoveBack } from '../cluster/engine.ts';
import { isHit } from '../engine/activity.ts';
import type { Transfer, TransferContent, TransferDay } from '../engine/transfer.ts';
import { openLedgerInProcess } from '../ledger/in-process.ts';
import { Refusal, USAGE } from '../lib/errors.ts';
import { plural } from '../lib/plural.ts';
import { findReason } from '../lib/reason.ts';
import { isOnCluster, setServers } from '../store/cluster/cluster-servers.ts';
import { listCollectors } from '../store/cluster/collectors.ts';
import { openOutbox } from '../store/cluster/outbox.ts';
import { findFirstWaiting } from '../store/cluster/outbox-pieces.ts';
import type { Db } from '../store/db.ts';
import { takeLock } from '../store/file/lock.ts';
import { findUpkeep, noteUpkeep } from '../store/server/upkeep.ts';
import { type Command, clock, type Invocation, now, withStore } from './command.ts';
import { progress } from './progress.ts';

const FILE = 'file';

/** One batch has at most this many sealed days, and about this many visits. */
const DAYS_AT_ONCE = 100;
const VISITS_AT_ONCE = 100_000;

type Way = {
  db: Db;
  from: Transfer;
  to: Transfer;
  /** The name of the target. An interrupted move goes on only if the target still has this name. */
  name: string;
  /** The name of the place from which everything is moved. */
  source: string;
  /** Switches the database file to the other engine. Called when everything has arrived there. */
  switched(days: ReadonlySet<string>): void;
};

function* batches(days: readonly TransferDay[]): Generator<TransferDay[]> {
  let [some, visits]: [TransferDay[], number] = [[], 0];
  for (const day of days) {
    if (some.length >= DAYS_AT_ONCE || (some.length > 0 && visits + day.totals.visits > VISITS_AT_ONCE)) {
      yield some;
      [some, visits] = [[], 0];
    }
    some.push(day);
    visits += day.totals.visits;
  }
  if (some.length > 0) yield some;
}

const makeKey = ({ siteId, day }: { siteId: number; day: number }): string => `${siteId} ${day}`;

/** Begins a move. An interrupted move to this target goes on. A target that already has other hits is refused. */
async function begin({ db, to, name }: Way): Promise<void> {
  if (findUpkeep(db, 'moving')?.words === name) return;
  if (!(await to.isEmpty()))
    throw new Refusal(`${name} has hits already. Name an empty place, or delete the hits there`);
  db.write(() => forgetMoved(db));
  noteMoving(db, name);
}

const noteMoving = (db: Db, words: string): void => noteUpkeep(db, 'moving', { at: now(), fine: true, words });

/**
 * Makes a note for the database file. The file has this note while the old place is emptied, after a move. If the
 * command is interrupted, the next run finds the note and goes on.
 */
const noteOfSource = (source: string): string => `emptying ${source}`;

/**
 * Moves the sealed days that have not arrived yet. Returns their number. `isLast` means that no server runs any more.
 */
async function moveDays({ db, from, to }: Way, isLast: boolean): Promise<number> {
  const held = listHeld(db).map(
    ({ id, siteId, day, slice, hasHits, ...totals }): TransferDay => ({
      id,
      siteId,
      day,
      slice,
      hasHits: hasHits === 1,
      totals,
    }),
  );
  const moved = listMoved(db);
  const ids = new Set(held.map(({ id }) => id));
  const gone = [...moved].filter((id) => !ids.has(id));
  await to.deleteDays(gone);
  db.write(() => removeMoved(db, gone));
  // Retention may delete the hits of a day that was moved before. So the last run moves this day again, without hits.
  const due = held.filter(({ id, hasHits }) => !moved.has(id) || (isLast && !hasHits));
  const bar = progress(stderr, clock.tick, 'moving', due.length);
  try {
    for (const batch of batches(due)) {
      await to.deleteDays(batch.map(({ id }) => id));
      const handed = batch.map(
        (day): TransferContent => ({
          ...day,
          readVisits: () => from.readVisits(day),
          readSums: () => from.readSums(day),
        }),
      );
      await to.takeDays(handed);
      db.write(() =>
        addMoved(
          db,
          batch.map(({ id }) => id),
        ),
      );
      bar.add(batch.length);
    }
  } finally {
    bar.end();
  }
  return held.length;
}

/**
 * Refuses the switch if a command such as `daybook import` changed the hits after they were read. Otherwise the switch
 * would delete what the command has stored.
 */
function assertUnchanged(db: Db, imports: string): void {
  const held = listHeld(db);
  const moved = listMoved(db);
  const isSame = held.length === moved.size && held.every(({ id }) => moved.has(id));
  if (!isSame || describeShownImports(db) !== imports)
    throw new Refusal('another command changed the hits during the move. Nothing was switched. Run this again');
}

async function moveRest(way: Way, how: string): Promise<number> {
  const { db, from, to, source, switched } = way;
  await to.deleteRest();
  const imports = describeShownImports(db);
  let hits = 0;
  const days = new Set<string>();
  for await (const some of from.readActivities()) {
    await to.takeActivities(some);
    hits += some.filter(isHit).length;
    for (const one of some) days.add(makeKey(one));
  }
  for await (const some of from.readCrawls()) await to.takeCrawls(some);
  for await (const some of from.readDrops()) await to.takeDrops(some);
  const there = await to.countOpenHits();
  if (there !== hits) throw new Error(`${hits} hits of open days became ${there}`);
  db.write(() => {
    assertUnchanged(db, imports);
    // Imports that still run are given up. They would show days that are only in the old place.
    abandonOld(db, Number.MAX_SAFE_INTEGER);
    forgetReplaced(db);
    switched(days);
    forgetMoved(db);
    noteMoving(db, noteOfSource(source));
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

/** Empties the old place after a move that was interrupted after the switch. Returns false if there is no such move. */
async function endInterrupted(db: Db, target: string, engine: string | undefined): Promise<boolean> {
  const isBack = target === FILE;
  if (isOnCluster(db) === isBack) return false;
  const url = isBack ? engine : target;
  const source = isBack ? url && nameCluster(url) : FILE;
  if (!url || !source || findUpkeep(db, 'moving')?.words !== noteOfSource(source)) return false;
  const from = isBack ? await openClusterForMove(url, db, clock) : openLedgerInProcess(db, clock);
  await from.transfer.deleteAll();
  noteMoving(db, '');
  return true;
}

/**
 * Prepares the move to a cluster. When everything has arrived, `switched` notes the servers of the cluster in the
 * database file.
 */
async function upTo(url: string, db: Db): Promise<Way> {
  if (isOnCluster(db)) throw new Refusal('the hits of this file are on a cluster already');
  const { name, servers, transfer: to } = await openClusterForMove(url, db, clock);
  const switched = () => {
    showAll(db);
    setServers(db, servers);
  };
  return { db, name, source: FILE, from: openLedgerInProcess(db, clock).transfer, to, switched };
}

/** Prepares the move back into the database file. All waiting hits must have arrived in the cluster before. */
async function backFrom(url: string | undefined, db: Db): Promise<Way> {
  if (url === undefined || !isOnCluster(db))
    throw new Refusal('the hits of this file are in it. There is nothing to move', USAGE);
  const from = await openClusterForMoveBack(url, db, clock);
  const switched = (days: ReadonlySet<string>) => {
    showOwn(db);
    for (const day of days) {
      const [siteId = 0, number = 0] = day.split(' ').map(Number);
      reopenDay(db, siteId, number, 0);
    }
    setServers(db, []);
  };
  return { db, name: FILE, source: nameCluster(url), from, to: openLedgerInProcess(db, clock).transfer, switched };
}

/** Refuses a move while hits for the cluster still wait at a collector or in the outbox. The move would lose them. */
function assertNothingWaits(db: Db, path: string): void {
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

/** The lock keeps a server from starting during the move. Undefined if a running server has the lock. */
function lockAgainstServer(path: string): { close(): void } | undefined {
  try {
    return takeLock(path, 'a server runs');
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

async function move({ flags, config, io }: Invocation): Promise<void> {
  const target = flags.to ?? '';
  const isBack = target === FILE;
  await withStore(config, async (db) => {
    const how = isBack ? 'without --engine' : `with --engine ${target.replace(/:[^:@/]+@/, ':…@')}`;
    if (await endInterrupted(db, target, config.engine))
      return io.print(
        `everything was moved before. The hits in the old place are now deleted. Start the server ${how}`,
      );
    const way = isBack ? await backFrom(config.engine, db) : await upTo(target, db);
    // The server locks the path without symbolic links, so this command uses that path too.
    const path = realpathSync(config.db);
    await begin(way);
    const own = lockAgainstServer(path);
    try {
      if (own && isBack) assertNothingWaits(db, path);
      const days = await moveDays(way, own !== undefined);
      if (!own) {
        const rest = `${plural(days, 'sealed day')} moved and verified, no differences. The server goes on as before`;
        return io.print(`${rest}. Stop it and run this again. That moves the hits of today, in seconds`);
      }
      const hits = await moveRest(way, how);
      io.print(`${plural(days, 'sealed day')} and ${plural(hits, 'hit')} of open days moved. Start the server ${how}`);
    } finally {
      own?.close();
    }
  });
}

export const moveCommands: Command[] = [
  {
    name: 'move',
    isUntimed: true,
    args: [],
    summary: 'Move all hits to a cluster or back into the file. Stop the server for the last step only',
    settings: ['db', 'engine'],
    flags: { to: { value: 'URL', help: 'a cluster as in --engine, or the word file', required: true } },
    run: move,
  },
];
