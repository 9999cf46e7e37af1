import { reopenDay } from '../../catalog/day-states.ts';
import { closeImports } from '../../catalog/imports.ts';
import { isSealed } from '../../catalog/sealed-days.ts';
import type { Db } from '../../store/db.ts';
import { findNewestId } from '../rows/hits.ts';

/**
 * Sees to it that a day takes hits. One that was sealed under a clock that was ahead is opened again: its parts count as before,
 * beside the hits that come, which become one more part when it is sealed anew (test/ledger/open/reopen.test.ts). False for a day that
 * has sums only.
 */
export function open(db: Db, siteId: number, day: number): boolean {
  if (!isSealed(db, siteId, day)) return true;
  if (!reopenDay(db, siteId, day, findNewestId(db))) return false;
  closeImports(db, siteId, day);
  return true;
}
