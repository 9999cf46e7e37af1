import { reopenDay } from '../../catalog/day-states.ts';
import { closeImports } from '../../catalog/imports.ts';
import { isSealed } from '../../catalog/sealed-days.ts';
import type { Db } from '../../store/db.ts';
import { findNewestId } from '../rows/hits.ts';

/**
 * Returns whether a day takes hits. A day is sealed when its hits are packed for good. If the server's clock was ahead,
 * a day was sealed too early and may still get a hit. Then the day is opened again. What was packed still counts, and
 * the next sealing packs the new hits beside it. Returns false for a day that has only totals. Test:
 * test/ledger/open/reopen.test.ts.
 */
export function open(db: Db, siteId: number, day: number): boolean {
  if (!isSealed(db, siteId, day)) return true;
  if (!reopenDay(db, siteId, day, findNewestId(db))) return false;
  closeImports(db, siteId, day);
  return true;
}
