import { constants, setPriority, totalmem } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { copyAndTry, type Order } from './jobs/backup.ts';
import { buildTasks, recountBackup } from './ledger/thread.ts';
import { isOnCluster } from './store/cluster/cluster-servers.ts';
import type { Db } from './store/db.ts';
import { loadSqlite, openReader } from './store/file/open-file.ts';
import { workOn } from './threads/inside.ts';
import type { ThreadData } from './threads/pool.ts';

/** Days whose hits are on a cluster cannot be counted in a copy of the file. */
const recountHere = (db: Db) => (isOnCluster(db) ? [] : recountBackup(db));

/** Makes one backup at low priority, then the thread ends. */
async function copyOnce(path: string, order: Order): Promise<void> {
  setPriority(constants.priority.PRIORITY_LOW);
  parentPort?.postMessage(await copyAndTry(path, order, recountHere));
}

/** Of the machine, or less where a container was given less. */
const memory = Math.min(totalmem(), process.constrainedMemory() || totalmem());

loadSqlite();
parentPort?.postMessage('loaded');
const { order, ...data } = workerData as ThreadData & { order?: Order };
if (order) void copyOnce(data.path, order);
else workOn(data, (checkpoint) => buildTasks(openReader(data.path).db, { checkpoint, memory }));
