import type { Recounted } from '../engine/engine.ts';
import type { Db } from '../store/db.ts';
import { limitColumnBytes } from './column/column-cache.ts';
import { MOST_COMPACTED_ROWS } from './open/compaction.ts';
import { recount } from './upkeep/recount.ts';
import { tasksOf } from './work/tasks.ts';

/**
 * The tasks of a worker thread, on a machine with so many bytes of memory.
 * A reader takes no more rows at once than a compaction does: these are counted in 2 s and take 100 MB. Six million rows took 1.7 GB,
 * and all reports failed for a minute.
 */
export const buildTasks = (db: Db, { checkpoint, memory }: { checkpoint: () => void; memory: number }) =>
  tasksOf(db, { checkpoint, bytes: limitColumnBytes(memory), mostRows: MOST_COMPACTED_ROWS });

/** Counts the sealed days of a backup again. */
export const recountBackup = (db: Db): Iterable<Recounted> => recount(db);
