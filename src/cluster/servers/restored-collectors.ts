// The database file may be a backup from before a collector was retired. Then the file still accepts this collector.
import { listCollectors, retireCollector } from '../../store/cluster/collectors.ts';
import { findInstallation } from '../../store/cluster/installation.ts';
import type { Db } from '../../store/db.ts';

/** What a mark of this installation says. `retired` lists the numbers of the collectors that were retired then. */
type Mark = { beat: number; retired: readonly number[] };

/**
 * Retires collectors again that were retired after the backup was made. The newest mark on the servers lists them. Such
 * a collector may still have rows that a fill has copied from one server to another. If it sent them, they would count
 * twice (test/cluster/fill/retired-sender.test.ts). Gives the names of these collectors. Call this function inside a
 * transaction, and before the beat of the file is raised.
 */
export function retireAgain(db: Db, marks: readonly Mark[], now: number): string[] {
  const newest = marks.toSorted((one, other) => other.beat - one.beat)[0];
  // If the file is as new as the marks, a listed number may have been given to a new collector a moment ago.
  if (!newest || newest.beat <= (findInstallation(db)?.beat ?? 0)) return [];
  const retired = listCollectors(db).filter(({ number }) => newest.retired.includes(number));
  for (const one of retired) retireCollector(db, one, { now, isLost: one.status !== undefined });
  return retired.map(({ name }) => name);
}
