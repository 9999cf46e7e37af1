import { availableParallelism, constants } from 'node:os';
import { hasSealedDays } from '../catalog/sealed-days.ts';
import type { Engine } from '../engine/engine.ts';
import type { Log } from '../lib/log.ts';
import type { Clock } from '../lib/time.ts';
import type { Meters } from '../metrics/meters.ts';
import type { Db } from '../store/db.ts';
import type { Trust } from '../store/server/clock-trust.ts';
import { pool, type Threads } from '../threads/pool.ts';
import { openLedger } from './engine.ts';
import { LIMITS, type Limits } from './open/compaction.ts';
import { findNewestId } from './rows/hits.ts';
import type { Tasks } from './work/tasks.ts';

const QUERY_PATIENCE_MS = 10_000;
const MAX_READERS = 4;
/** Sealing the largest day takes seconds, and minutes where hits leave it little of the CPU; after an hour its thread has hung. */
const SEALING_PATIENCE_MS = 3_600_000;

/** What tests replace. */
export type ThreadOptions = {
  /** How many milliseconds a query may take. */
  patience?: number | undefined;
  /** When an open day is large. */
  limits?: Limits | undefined;
  /** In place of worker threads, whose start costs more than what most tests ask. */
  threads?: ((path: string) => Threads<Tasks>) | undefined;
};

type Options = ThreadOptions & {
  db: Db;
  path: string;
  /** What a thread runs, which is src/worker.ts. */
  code: string;
  trust: Trust;
  clock: Clock;
  log: Log;
  meters?: Meters | undefined;
  capacity?: number;
};

/** The engine of a server: worker threads run the queries and the sealing. */
export function openLedgerInThreads(options: Options): Engine {
  const { path, code, patience = QUERY_PATIENCE_MS, limits = LIMITS, threads, ...deps } = options;
  const start = (size: number, patience: number, priority: number) =>
    threads?.(path) ?? pool<Tasks>({ code, path, size, patience, priority, log: deps.log });
  // Hits go first, then queries, and last what is done in the background.
  const { PRIORITY_BELOW_NORMAL, PRIORITY_LOW } = constants.priority;
  const readers = start(Math.min(availableParallelism(), MAX_READERS), patience, PRIORITY_BELOW_NORMAL);
  const sealers = () => start(1, SEALING_PATIENCE_MS, PRIORITY_LOW);
  return openLedger({ ...deps, readers, sealers, limits });
}

/** Whether a file has hits of its own, which a cluster would not know. */
export const hasHits = (db: Db): boolean => findNewestId(db) > 0 || hasSealedDays(db);
