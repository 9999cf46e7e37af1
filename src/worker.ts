import { totalmem } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { backUpAndTest, type Order } from './jobs/backup.ts';
import { type MirrorOrder, mirrorDays } from './jobs/parquet-folder.ts';
import { buildTasks, readTables, recountBackup } from './ledger/thread.ts';
import { lowerPriority, PRIORITY_LOW } from './lib/priority.ts';
import type { Clock } from './lib/time.ts';
import { isOnCluster } from './store/cluster/cluster-servers.ts';
import type { Db } from './store/db.ts';
import { loadSqlite, openReader } from './store/file/open-file.ts';
import { workOn } from './threads/inside.ts';
import type { ThreadData } from './threads/pool.ts';
import { endWhenAsked } from './threads/thread.ts';

/** Counts days of a backup again, to test the backup. With a cluster, the database file has no hits to count. */
const recountHere = (db: Db) => (isOnCluster(db) ? [] : recountBackup(db));

/** The low priority leaves the processor to requests. The thread ends after the backup. */
async function copyOnce(path: string, order: Order): Promise<void> {
  lowerPriority(PRIORITY_LOW);
  endWhenAsked();
  parentPort?.unref();
  parentPort?.postMessage(await backUpAndTest(path, order, recountHere));
}

type Mirror = MirrorOrder & { engine: string | undefined };

/** Other threads do not need the engine of clusters, so only this one loads it. */
async function openCluster(engine: string, db: Db, clock: Clock) {
  const { openClusterForCommand } = await import('./cluster/engine.ts');
  return await openClusterForCommand(engine, db, clock);
}

/** Writes the Parquet files that are due. The thread ends afterwards. */
async function mirrorOnce(path: string, { engine, ...order }: Mirror): Promise<void> {
  lowerPriority(PRIORITY_LOW);
  endWhenAsked();
  parentPort?.unref();
  const { db } = openReader(path);
  // A thread cannot be given functions, so its clock is made here.
  const clock = { now: () => Date.now(), tick: () => performance.now() };
  const cluster = engine === undefined ? undefined : await openCluster(engine, db, clock);
  const read = cluster?.queries.readTables ?? ((siteId, range) => readTables(db, siteId, range));
  parentPort?.postMessage(await mirrorDays(db, order, read));
  await cluster?.close();
}

/** The memory of the machine, or of its container if the container has less. */
const memory = Math.min(totalmem(), process.constrainedMemory() || totalmem());

loadSqlite();
parentPort?.postMessage('loaded');
const { order, mirror, ...data } = workerData as ThreadData & { order?: Order; mirror?: Mirror };
if (order) void copyOnce(data.path, order);
else if (mirror) void mirrorOnce(data.path, mirror);
else workOn(data, (checkpoint) => buildTasks(openReader(data.path).db, { checkpoint, memory }));
