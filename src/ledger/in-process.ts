import type { Engine } from '../engine/engine.ts';
import type { Clock } from '../lib/time.ts';
import type { Db } from '../store/db.ts';
import { clockTrust } from '../store/server/clock-trust.ts';
import { sameThread } from '../threads/pool.ts';
import { openLedger } from './engine.ts';
import { makeTasks } from './work/tasks.ts';

/** Opens the engine for a command. All work is done in the command's own thread. */
export function openLedgerInProcess(db: Db, clock: Clock): Engine {
  const tasks = sameThread(makeTasks(db).tasks);
  return openLedger({ db, clock, trust: clockTrust(db, clock), log: () => {}, readers: tasks, sealers: () => tasks });
}
