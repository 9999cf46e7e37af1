// Decides whether a day accepts hits, and records hits that arrive late.
//
// Invariant: an answer as of a past moment counts late hits only if they had arrived by then (store/file/as-of.ts).
//
// Example: the day 3 May was sealed. On 5 May, an access log of 3 May is read. The day is reopened, and the change
// `late_hits` records when this happened. If 3 May is not sealed, for example because it had no hits before, only the
// change is recorded. append.ts calls `open` for each day of a batch.
import { reopenDay } from '../../catalog/day-states.ts';
import { closeImports } from '../../catalog/imports.ts';
import { addLate, noteLate } from '../../catalog/late-hits.ts';
import { hasSumsOn, isSealed } from '../../catalog/sealed-days.ts';
import type { Db } from '../../store/db.ts';
import { findNewestId } from '../rows/hits.ts';
import { listOpenDays } from './row-sources.ts';
import { listShards } from './shard-table.ts';

/**
 * Returns whether a day accepts hits. If the day is sealed, this function reopens it. The sealed hits still count, and
 * the next sealing adds the new hits as a slice. Returns false for a totals-only day. Test:
 * test/ledger/open/reopen.test.ts.
 */
export function open(db: Db, siteId: number, day: number, now: number): boolean {
  if (!isSealed(db, siteId, day)) {
    noteLate(db, { siteId, day }, now, () => hasHits(db, siteId, day));
    return true;
  }
  if (hasSumsOn(db, siteId, day)) return false;
  reopenDay(db, siteId, day, { after: findNewestId(db), change: addLate(db, { siteId, day }, now) });
  closeImports(db, siteId, day);
  return true;
}

const hasHits = (db: Db, siteId: number, day: number): boolean =>
  listOpenDays(db, siteId, day, day + 1).length > 0 || listShards(db, { siteId, day }).length > 0;
