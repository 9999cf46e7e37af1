import type { Engine } from '../engine/engine.ts';
import type { Clock } from '../lib/time.ts';
import type { Db } from '../store/db.ts';
import { watchClock } from '../store/server/clock-trust.ts';
import { makeSameThread } from '../threads/pool.ts';
import { openLedger } from './engine.ts';
import { makeTasks } from './work/tasks.ts';

/** Opens the engine for a command. The command's own thread does all work. */
export function openLedgerInProcess(db: Db, clock: Clock): Engine {
  const tasks = makeSameThread(makeTasks(db).tasks);
  return openLedger({ db, clock, trust: watchClock(db, clock), log: () => {}, readers: tasks, sealers: () => tasks });
}
