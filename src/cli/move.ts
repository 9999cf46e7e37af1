import { existsSync, realpathSync } from 'node:fs';
import { stderr } from 'node:process';
import { listHeld, removeGone, reopenDay, showAll, showOwn } from '../catalog/day-states.ts';
import { forgetReplaced } from '../catalog/imports.ts';
import { addMoved, forgetMoved, listMoved, removeMoved } from '../catalog/moved-days.ts';
import { openClusterForCommand, openClusterForMove } from '../cluster/engine.ts';
import { isHit } from '../engine/activity.ts';
import type { Transfer, TransferContent, TransferDay } from '../engine/transfer.ts';
import { openLedgerInProcess } from '../ledger/in-process.ts';
import { Refusal, USAGE } from '../lib/errors.ts';
import { plural } from '../lib/plural.ts';
import { isOnCluster, setServers } from '../store/cluster/cluster-servers.ts';
import { listCollectors } from '../store/cluster/collectors.ts';
import { firstWaiting, openOutbox } from '../store/cluster/outbox.ts';
import type { Db } from '../store/db.ts';
import { lock } from '../store/file/open-file.ts';
import { findUpkeep, noteUpkeep } from '../store/server/upkeep.ts';
import { type Command, clock, type Invocation, now, withStore } from './command.ts';
import { progress } from './progress.ts';

const FILE = 'file';

/** So many sealed days, with so many visits together, are handed over at once. */
const DAYS_AT_ONCE = 100;
const VISITS_AT_ONCE = 100_000;

type Way = {
  db: Db;
  from: Transfer;
  to: Transfer;
  /** Where it goes, by which a move that was begun is known. */
  name: string;
  /** What is written down when everything is there. */
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

const keyOf = ({ siteId, day }: { siteId: number; day: number }): string => `${siteId} ${day}`;

/** Begins a move, or goes on with one that was begun. */
async function begin({ db, to, name }: Way): Promise<void> {
  if (findUpkeep(db, 'moving')?.words === name) return;
  if (!(await to.isEmpty())) throw new Refusal(`${name} has hits already; name an empty place, or drop what is there`);
  db.write(() => forgetMoved(db));
  noteUpkeep(db, 'moving', { at: now(), fine: true, words: name });
}

/** Hands over the sealed days that are not there yet. `isLast` says that no more will come. Gives how many there are. */
async function moveDays({ db, from, to }: Way, isLast: boolean): Promise<number> {
  const held = listHeld(db).map(
    ({ id, siteId, day, part, hasHits, ...totals }): TransferDay => ({
      id,
      siteId,
      day,
      part,
      hasHits: hasHits === 1,
      totals,
    }),
  );
  const moved = listMoved(db);
  const ids = new Set(held.map(({ id }) => id));
  const gone = [...moved].filter((id) => !ids.has(id));
  await to.deleteDays(gone);
  db.write(() => removeMoved(db, gone));
  // What had hits when it was moved may have sums only by now.
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

/** Hands over what changes all the time, and gives the engine over. */
async function moveRest(way: Way): Promise<number> {
  const { db, from, to, switched } = way;
  await to.deleteRest();
  let hits = 0;
  const days = new Set<string>();
  for await (const some of from.readActivities()) {
    await to.takeActivities(some);
    hits += some.filter(isHit).length;
    for (const one of some) days.add(keyOf(one));
  }
  for await (const some of from.readCrawls()) await to.takeCrawls(some);
  for await (const some of from.readDrops()) await to.takeDrops(some);
  const there = await to.countOpenHits();
  if (there !== hits) throw new Error(`${hits} hits of open days became ${there}`);
  db.write(() => {
    forgetReplaced(db);
    switched(days);
    forgetMoved(db);
    noteUpkeep(db, 'moving', { at: now(), fine: true, words: '' });
  });
  await from.deleteAll();
  db.write(() => removeGone(db));
  return hits;
}

/** To a cluster: its servers are written down, and what comes from now on counts beside the sealed days. */
async function upTo(url: string, db: Db): Promise<Way> {
  if (isOnCluster(db)) throw new Refusal('the hits of this file are on a cluster already');
  const { name, servers, transfer: to } = await openClusterForMove(url, db, clock);
  const switched = () => {
    showAll(db);
    setServers(db, servers);
  };
  return { db, name, from: openLedgerInProcess(db, clock).transfer, to, switched };
}

/** Back into the file: nothing may be on its way to the cluster any more. */
async function backFrom(url: string | undefined, db: Db): Promise<Way> {
  if (url === undefined || !isOnCluster(db))
    throw new Refusal('the hits of this file are in it; there is nothing to move', USAGE);
  const { transfer: from } = await openClusterForCommand(url, db, clock);
  const switched = (days: ReadonlySet<string>) => {
    showOwn(db);
    for (const day of days) {
      const [siteId = 0, number = 0] = day.split(' ').map(Number);
      reopenDay(db, siteId, number, 0);
    }
    setServers(db, []);
  };
  return { db, name: FILE, from, to: openLedgerInProcess(db, clock).transfer, switched };
}

/** What is still on its way to a cluster would be lost. */
function assertNothingWaits(db: Db, path: string): void {
  const [collector] = listCollectors(db);
  if (collector)
    throw new Refusal(
      `there is a collector ${collector.name}; while it runs, run daybook collectors retire ${collector.name}, and wait until daybook collectors lists it no more`,
    );
  if (!existsSync(`${path}.outbox`)) return;
  const outbox = openOutbox(`${path}.outbox`, '');
  const waiting = firstWaiting(outbox.db);
  outbox.close();
  if (waiting)
    throw new Refusal('hits wait to be sent to the cluster; start the server with --engine until they are there');
}

/** The lock of the server, if none runs. */
function lockOf(path: string): { close(): void } | undefined {
  try {
    return lock(path, 'a server runs');
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

async function move({ flags, config, io }: Invocation): Promise<void> {
  const target = flags.to ?? '';
  const isBack = target === FILE;
  await withStore(config, async (db) => {
    const way = isBack ? await backFrom(config.engine, db) : await upTo(target, db);
    // As the server locks it, whatever name leads to it.
    const path = realpathSync(config.db);
    await begin(way);
    const own = lockOf(path);
    try {
      if (own && isBack) assertNothingWaits(db, path);
      const days = await moveDays(way, own !== undefined);
      if (!own) {
        const rest = `${plural(days, 'sealed day')} there, counted again, all as they were. The server goes on as before`;
        return io.print(`${rest}; stop it and run this again, which moves what came today and takes seconds`);
      }
      const hits = await moveRest(way);
      const how = isBack ? 'without --engine' : `with --engine ${target.replace(/:[^:@/]+@/, ':…@')}`;
      io.print(`${plural(days, 'sealed day')} and ${plural(hits, 'hit')} of open days moved; start the server ${how}`);
    } finally {
      own?.close();
    }
  });
}

export const moveCommands: Command[] = [
  {
    name: 'move',
    args: [],
    summary:
      'Move all hits to a cluster, or back into the file, beside a running server; the last step is made while it is stopped',
    settings: ['db', 'engine'],
    flags: { to: { value: 'URL', help: 'where to: a cluster as in --engine, or the word file', required: true } },
    run: move,
  },
];
