import { constants, setPriority, totalmem } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { copyAndTry, type Order } from './jobs/backup.ts';
import { columnBytes } from './ledger/column/column-cache.ts';
import { ROWS_OF_ROUND } from './ledger/open/compaction.ts';
import { recount } from './ledger/upkeep/recount.ts';
import { tasksOf } from './ledger/work/tasks.ts';
import { isOnCluster } from './store/cluster/cluster-servers.ts';
import type { Db } from './store/db.ts';
import { loadSqlite, openReader } from './store/file/open-file.ts';
import { workOn } from './threads/inside.ts';
import type { ThreadData } from './threads/pool.ts';

/** Days whose hits are on a cluster cannot be counted in a copy of the file. */
const recountHere = (db: Db) => (isOnCluster(db) ? [] : recount(db));

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
else
  workOn(data, (checkpoint) =>
    // Those of a round are counted in 2 s and take 100 MB. Six million took 1.7 GB, and all reports failed for a minute.
    tasksOf(openReader(data.path).db, { checkpoint, bytes: columnBytes(memory), mostRows: ROWS_OF_ROUND }),
  );
