import type { Engine } from '../engine/engine.ts';
import type { Clock } from '../lib/time.ts';
import type { Db } from '../store/db.ts';
import { clockTrust } from '../store/server/clock-trust.ts';
import { sameThread } from '../threads/pool.ts';
import { openLedger } from './engine.ts';
import { tasksOf } from './work/tasks.ts';

/** The engine of a command, which does everything in its own thread. */
export function openLedgerInProcess(db: Db, clock: Clock): Engine {
  const tasks = sameThread(tasksOf(db).tasks);
  return openLedger({ db, clock, trust: clockTrust(db, clock), log: () => {}, readers: tasks, sealers: () => tasks });
}
