import { reopenDay } from '../../catalog/day-states.ts';
import { closeImports } from '../../catalog/imports.ts';
import { isSealed } from '../../catalog/sealed-days.ts';
import type { Db } from '../../store/db.ts';
import { findNewestId } from '../rows/hits.ts';

/**
 * Returns whether a day takes hits. If the clock was ahead, a day may have been sealed too early. This function then opens the day again.
 * The sealed slices still count, and the next sealing adds one more slice (test/ledger/open/reopen.test.ts). Returns false for a
 * totals-only day, which has no hits.
 */
export function open(db: Db, siteId: number, day: number): boolean {
  if (!isSealed(db, siteId, day)) return true;
  if (!reopenDay(db, siteId, day, findNewestId(db))) return false;
  closeImports(db, siteId, day);
  return true;
}
