// The code of worker threads. A thread of a pool does tasks of the ledger. Other threads do one job, and end.
//
// Invariant: threads only read the database file. The main thread writes what they send.
//
// Example: threads/thread.ts starts a thread with `{ path, receipts }`. A receipt is a signed record of a day's
// figures. The thread counts the days whose receipts are due, sends the figures in groups, and ends.

import { parentPort, workerData } from 'node:worker_threads';
import { answerDumps } from './forgetting/dump-threads.ts';
import { backUpAndTest, type Order } from './jobs/backup.ts';
import { type MirrorOrder, mirrorDays } from './jobs/parquet-folder.ts';
import { type CountedOrFault, countDueDays } from './jobs/receipt-days.ts';
import type { CountedGroup, ReceiptOrder } from './jobs/receipts.ts';
import { type SearchOrder, searchForSalts } from './jobs/search-salts.ts';
import { openLedgerInProcess } from './ledger/in-process.ts';
import { buildTasks, readTables, recountBackup } from './ledger/thread.ts';
import { findMemory } from './lib/memory.ts';
import { lowerPriority, PRIORITY_LOW } from './lib/priority.ts';
import type { Clock } from './lib/time.ts';
import { isOnCluster } from './store/cluster/cluster-servers.ts';
import type { Db } from './store/db.ts';
import { loadSqlite, openReader } from './store/file/open-file.ts';
import { workOn } from './threads/inside.ts';
import type { ThreadData } from './threads/pool.ts';
import { endWhenAsked } from './threads/thread.ts';

/**
 * Counts the days in a backup again, to test the backup. With a cluster, there is nothing to count, because the hits
 * are not in the database file.
 */
const recountHere = (db: Db) => (isOnCluster(db) ? [] : recountBackup(db));

/** Makes and tests a backup. The low priority leaves the processor to requests. The thread ends after the backup. */
async function copyOnce(path: string, order: Order): Promise<void> {
  lowerPriority(PRIORITY_LOW);
  endWhenAsked();
  parentPort?.unref();
  parentPort?.postMessage(await backUpAndTest(path, order, recountHere));
}

type Mirror = MirrorOrder & { engine: string | undefined };

/** Opens the cluster. The code of this engine is loaded only here, because most threads do not need it. */
async function openCluster(engine: string, db: Db, clock: Clock) {
  const { openClusterForCommand } = await import('./cluster/engine.ts');
  return await openClusterForCommand(engine, db, clock);
}

/** The clock is made here, because functions cannot be passed to a thread. */
const clock: Clock = { now: () => Date.now(), tick: () => performance.now() };

/** The number of days whose receipts are signed in one transaction. Such days are a group. */
const GROUP = 100;
/** After this time, a group is signed even if it has fewer days. */
const GROUP_MS = 1_000;

/** Counts the days whose receipts are due. The thread ends afterwards. */
async function countOnce(path: string, { engine }: ReceiptOrder): Promise<void> {
  lowerPriority(PRIORITY_LOW);
  endWhenAsked();
  parentPort?.unref();
  const send = (group: CountedGroup) => parentPort?.postMessage(group);
  const { db } = openReader(path);
  const opened = engine === undefined ? openLedgerInProcess(db, clock) : await openCluster(engine, db, clock);
  let [group, since]: [CountedOrFault[], number] = [[], clock.tick()];
  for await (const day of countDueDays(db, opened)) {
    group.push(day);
    if (group.length < GROUP && clock.tick() - since < GROUP_MS) continue;
    send(group);
    [group, since] = [[], clock.tick()];
  }
  send(group);
  send(undefined);
  await opened.close();
}

/** Writes the Parquet files that are due. The thread ends afterwards. */
async function mirrorOnce(path: string, { engine, ...order }: Mirror): Promise<void> {
  lowerPriority(PRIORITY_LOW);
  endWhenAsked();
  parentPort?.unref();
  const { db } = openReader(path);
  const cluster = engine === undefined ? undefined : await openCluster(engine, db, clock);
  const read = cluster?.queries.readTables ?? ((siteId, range) => readTables(db, siteId, range));
  parentPort?.postMessage(await mirrorDays(db, order, read));
  await cluster?.close();
}

/** Searches files for removed salts. The thread ends afterwards. */
async function searchOnce(order: SearchOrder): Promise<void> {
  lowerPriority(PRIORITY_LOW);
  endWhenAsked();
  parentPort?.unref();
  parentPort?.postMessage(await searchForSalts(order));
}

const memory = findMemory();

answerDumps();
loadSqlite();
parentPort?.postMessage('loaded');
type Given = ThreadData & { order?: Order; mirror?: Mirror; receipts?: ReceiptOrder; search?: SearchOrder };
const { order, mirror, receipts, search, ...data } = workerData as Given;
if (order) void copyOnce(data.path, order);
else if (mirror) void mirrorOnce(data.path, mirror);
else if (receipts) void countOnce(data.path, receipts);
else if (search) void searchOnce(search);
else workOn(data, (checkpoint) => buildTasks(openReader(data.path).db, { checkpoint, memory }));
