// Opens the ledger for a server, with worker threads.
//
// Invariant: the main thread receives hits and writes. Worker threads only read, so a long query never delays a hit.
//
// Example: on a machine with 8 cores, up to 4 threads answer queries. For a compaction, or for sealing at night, one
// more thread is started.
import { availableParallelism } from 'node:os';
import type { Engine } from '../engine/engine.ts';
import type { Log } from '../lib/log.ts';
import { PRIORITY_BELOW_NORMAL, PRIORITY_LOW } from '../lib/priority.ts';
import type { Clock } from '../lib/time.ts';
import type { Meters } from '../metrics/meters.ts';
import type { Db } from '../store/db.ts';
import type { Trust } from '../store/server/clock-trust.ts';
import { makePool, type Threads } from '../threads/pool.ts';
import { openLedger } from './engine.ts';
import { type CompactionLimits, LIMITS } from './open/compaction.ts';
import type { Tasks } from './work/tasks.ts';

const QUERY_PATIENCE_MS = 10_000;
const MAX_READERS = 4;
/**
 * How long the query threads may take to end when the server stops. The server must stop within 8 s. First it answers
 * the open requests, which may take 6 s. Only then does it end the query threads.
 */
const LONGEST_READERS_END_MS = 1_500;
/**
 * A sealing thread is ended if one of its jobs takes longer than this. Sealing the largest day takes seconds, or
 * minutes on a busy machine. A job that takes an hour must have a fault.
 */
const SEALING_PATIENCE_MS = 3_600_000;

export type ThreadOptions = {
  /** The longest time that a query may take, in milliseconds. A query that takes longer fails. */
  patience?: number | undefined;
  /** When an open day is compacted, and how large its shards are. */
  limits?: CompactionLimits | undefined;
  /** Replaces worker threads in tests, because starting a thread takes longer than most tests. */
  threads?: ((path: string) => Threads<Tasks>) | undefined;
};

export type LedgerOptions = ThreadOptions & {
  db: Db;
  path: string;
  /** The path of the code that a thread runs. The build makes this code from src/worker.ts. */
  code: string;
  trust: Trust;
  clock: Clock;
  log: Log;
  meters?: Meters | undefined;
  capacity?: number;
};

/** Opens the engine for a server. Worker threads run queries, and those parts of upkeep that only read. */
export function openLedgerInThreads(options: LedgerOptions): Engine {
  const { limits = LIMITS } = options;
  return openLedger({ ...options, readers: startReaders(options), sealers: () => startSealers(options), limits });
}

type StartOptions = Pick<LedgerOptions, 'path' | 'code' | 'log' | 'patience' | 'threads'>;
type Own = { size: number; patience: number; priority: number; longestEnd?: number };

const start = ({ path, code, log, threads }: StartOptions, own: Own): Threads<Tasks> =>
  threads?.(path) ?? makePool<Tasks>({ code, path, log, ...own });

/**
 * Starts the query threads. These threads have a lower priority than the main thread, so that hits come first.
 * Background work has the lowest priority.
 */
export const startReaders = (options: StartOptions): Threads<Tasks> =>
  start(options, {
    size: Math.min(availableParallelism(), MAX_READERS),
    patience: options.patience ?? QUERY_PATIENCE_MS,
    priority: PRIORITY_BELOW_NORMAL,
    longestEnd: LONGEST_READERS_END_MS,
  });

export const startSealers = (options: StartOptions): Threads<Tasks> =>
  start(options, { size: 1, patience: SEALING_PATIENCE_MS, priority: PRIORITY_LOW });
