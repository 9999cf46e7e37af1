import { reopenDay } from '../../catalog/day-states.ts';
import { closeImports } from '../../catalog/imports.ts';
import { isSealed } from '../../catalog/sealed-days.ts';
import type { Db } from '../../store/db.ts';
import { findNewestId } from '../rows/hits.ts';

/**
 * Makes a day take hits. A day that was sealed too early, under a clock that was ahead, is opened again. Its slices count as before,
 * beside the new hits. The next sealing adds one more slice (test/ledger/open/reopen.test.ts). False for a totals-only day.
 */
export function open(db: Db, siteId: number, day: number): boolean {
  if (!isSealed(db, siteId, day)) return true;
  if (!reopenDay(db, siteId, day, findNewestId(db))) return false;
  closeImports(db, siteId, day);
  return true;
}
