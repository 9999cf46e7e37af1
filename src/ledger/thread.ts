import type { Recounted } from '../engine/engine.ts';
import type { Db } from '../store/db.ts';
import { limitColumnBytes } from './column/column-cache.ts';
import { MOST_COMPACTED_ROWS } from './open/compaction.ts';
import { recount } from './upkeep/recount.ts';
import { makeTasks } from './work/tasks.ts';

/**
 * Makes the tasks of a worker thread, on a machine with `memory` bytes. A query reads at most 500,000 new hits of an
 * open day, which take 2 s and 100 MB. With more new hits, the query is refused until a compaction has taken
 * them in. Without this limit, a query read six million hits and took 1.7 GB, and all
 * reports failed for a minute.
 */
export const buildTasks = (db: Db, { checkpoint, memory }: { checkpoint: () => void; memory: number }) =>
  makeTasks(db, { checkpoint, bytes: limitColumnBytes(memory), mostRows: MOST_COMPACTED_ROWS });

/**
 * Counts the sealed (past) days of a backup again, and yields each day with its faults. So a damaged backup is noticed
 * before it is needed.
 */
export const recountBackup = (db: Db): Iterable<Recounted> => recount(db);
