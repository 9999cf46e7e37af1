import { addUpMonths } from '../ledger/months.ts';
import type { SiteDay } from '../ledger/open-days.ts';
import { type Computed, seal } from '../ledger/seal.ts';
import { sweep } from '../ledger/sweep.ts';
import type { Log } from '../lib/log.ts';
import { politely } from '../lib/steps.ts';
import { type Clock, DAY, seconds } from '../lib/time.ts';
import type { Db } from '../store/statements.ts';
import { deleteOldHits } from './keep.ts';

/** What reads and computes: a thread of a server, or a command itself. */
export type Sealer = {
  due(before: number): SiteDay[] | Promise<SiteDay[]>;
  compute(siteDay: SiteDay): Computed | Promise<Computed>;
};

/** Seals each past day that is still open, and deletes what is not needed any more; gives how many days it sealed. */
export async function sealDue({ db, clock, log }: { db: Db; clock: Clock; log: Log }, sealer: Sealer): Promise<number> {
  const today = Math.floor(seconds(clock) / DAY);
  let days = 0;
  for (const siteDay of await sealer.due(today)) {
    const computed = await sealer.compute(siteDay);
    if (await politely(seal(db, siteDay, computed, seconds(clock)), clock)) days++;
  }
  await politely(addUpMonths(db, today), clock);
  await politely(sweep(db, seconds(clock)), clock);
  await politely(deleteOldHits(db, today), clock);
  // Visitor codes that have been deleted are still in the WAL until that is emptied.
  db.emptyWal();
  if (days > 0) log('days sealed', { days });
  return days;
}
