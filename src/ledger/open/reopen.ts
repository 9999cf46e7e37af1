import { reopenDay } from '../../catalog/day-states.ts';
import { closeImports } from '../../catalog/imports.ts';
import { isSealed } from '../../catalog/sealed-days.ts';
import type { Db } from '../../store/db.ts';
import { findNewestId } from '../rows/hits.ts';

/**
 * Returns whether a day accepts hits, and opens a sealed day again. A day may have been sealed too early, because the
 * server's clock was ahead. The sealed hits still count, and the next sealing adds the new hits as a slice. Returns
 * false for a totals-only day. Test: test/ledger/open/reopen.test.ts.
 */
export function open(db: Db, siteId: number, day: number): boolean {
  if (!isSealed(db, siteId, day)) return true;
  if (!reopenDay(db, siteId, day, findNewestId(db))) return false;
  closeImports(db, siteId, day);
  return true;
}
