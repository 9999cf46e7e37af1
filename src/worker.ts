import { constants, setPriority, totalmem } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { backUpAndTest, type Order } from './jobs/backup.ts';
import { buildTasks, recountBackup } from './ledger/thread.ts';
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
  setPriority(constants.priority.PRIORITY_LOW);
  endWhenAsked();
  parentPort?.unref();
  parentPort?.postMessage(await backUpAndTest(path, order, recountHere));
}

/** The memory of the machine, or of its container if the container has less. */
const memory = Math.min(totalmem(), process.constrainedMemory() || totalmem());

loadSqlite();
parentPort?.postMessage('loaded');
const { order, ...data } = workerData as ThreadData & { order?: Order };
if (order) void copyOnce(data.path, order);
else workOn(data, (checkpoint) => buildTasks(openReader(data.path).db, { checkpoint, memory }));
