import type { Recounted } from '../engine/engine.ts';
import type { Db } from '../store/db.ts';
import { limitColumnBytes } from './column/column-cache.ts';
import { MOST_COMPACTED_ROWS } from './open/compaction.ts';
import { recount } from './upkeep/recount.ts';
import { makeTasks } from './work/tasks.ts';

/**
 * Makes the tasks of a worker thread. A query reads at most 500,000 rows that are not in a shard, which takes 2 s and
 * 100 MB. A query of a day with more such rows is refused until a compaction is done. Without this limit, a query of
 * six million rows took 1.7 GB.
 */
export const buildTasks = (db: Db, { checkpoint, memory }: { checkpoint: () => void; memory: number }) =>
  makeTasks(db, { checkpoint, bytes: limitColumnBytes(memory), mostRows: MOST_COMPACTED_ROWS });

/** Reads the hits of a site as columns, for Parquet files. */
export { readTablesByDay as readTables } from './query/export-tables.ts';

/** Counts the sealed days of a backup again, so that a damaged backup is noticed before it is needed. */
export const recountBackup = (db: Db): Iterable<Recounted> => recount(db);
