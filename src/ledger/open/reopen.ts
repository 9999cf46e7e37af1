import { reopenDay } from '../../catalog/day-states.ts';
import { closeImports } from '../../catalog/imports.ts';
import { isSealed } from '../../catalog/sealed-days.ts';
import type { Db } from '../../store/db.ts';
import { findNewestId } from '../rows/hits.ts';

/**
 * Returns true if a day takes hits. If the day is sealed, it was sealed too early, because the clock was ahead. So the day is opened again.
 * The sealed slices still count, and the next sealing adds one more slice. Test: test/ledger/open/reopen.test.ts. Returns false for a day
 * that has only totals.
 */
export function open(db: Db, siteId: number, day: number): boolean {
  if (!isSealed(db, siteId, day)) return true;
  if (!reopenDay(db, siteId, day, findNewestId(db))) return false;
  closeImports(db, siteId, day);
  return true;
}
