// Deletes days of a site for good: their hits, their sums, their imports, and their searches. Searches are figures from
// files of Google's Search Console. The owner of a site asks for such a deletion.
//
// Invariant: one transaction hides all hits and sums of the days and deletes their searches, or does nothing. The
// transaction also writes the journal, and a row of the table `deletion`. So no answer counts the visits or searches of
// only some of the days (test/api/deletions.test.ts). Crawler requests and drops are deleted later, in small
// transactions. Until then, reports show them. After a kill or an error, the next sweep continues the deletion, because
// its row in `deletion` still exists.
//
// Hits that arrive later for these days stay. Crawler requests and drops that arrive before the sweep has ended are
// deleted too. They may come from a collector that was off, or from an old access log.
//
// Example: the owner deletes March. One transaction makes its 31 days `gone` and notes them as lost. It also removes an
// import that had only days of March, and deletes the searches of March. Then the sweep deletes columns, crawler
// requests and drops.

import { coded } from '../lang/coded.ts';
import { invalid } from '../lib/errors.ts';
import type { Totals } from '../stats/aggregates.ts';
import { listDaySpans } from '../stats/notices.ts';
import type { Range } from '../stats/query.ts';
import type { Db } from '../store/db.ts';
import { addChange, findLastChange } from '../store/sites/changes.ts';
import { addDeletion } from '../store/sites/deletions.ts';
import { countSearchesWithin, removeSearchesWithin } from '../store/sites/searches.ts';
import { hasSite } from '../store/sites/sites.ts';
import { markDaysGone } from './day-states.ts';
import { listShownImports, markImportGone } from './imports.ts';
import { loseSlices } from './lost-days.ts';
import { listImported, listSlicesWithin, listStates, sumSealed } from './sealed-days.ts';

type Hiding = {
  now: number;
  /** Lists the days of the range that have hits and are not sealed. This function runs inside the transaction. */
  listOpen(): readonly number[];
  /** Makes more writes in the transaction. `last` is the id of the latest change before the deletion. */
  alongside?: ((last: number) => void) | undefined;
};

/** Hides all sealed days of a range for good. Refuses the whole range if one of its days is open. */
export function hideDays(db: Db, siteId: number, range: Range, { now, listOpen, alongside }: Hiding): void {
  db.write(() => {
    if (!hasSite(db, siteId)) return;
    refuseOpen(listOpen());
    const last = findLastChange(db);
    const slices = listSlicesWithin(db, siteId, range);
    const days = slices.map(({ day }) => day);
    if (days.length > 0) {
      const changed = { from: Math.min(...days), to: Math.max(...days) + 1 };
      loseSlices(db, siteId, slices, addChange(db, { siteId, reason: 'days_removed', ...changed, now }));
    }
    const imports = listImportsWithin(db, siteId, range).filter(({ isWhole }) => isWhole);
    markDaysGone(db, siteId, range);
    for (const { id } of imports) markImportGone(db, siteId, id);
    removeSearchesWithin(db, siteId, range);
    addDeletion(db, { siteId, ...range, at: now });
    alongside?.(last);
  });
}

function refuseOpen(days: readonly number[]): void {
  if (days.length > 0) throw invalid({ to: coded('days_open', { days: listDaySpans(days) }) });
}

/**
 * An import with days of the range. If the import has no other day, `isWhole` is true, and the import is deleted with
 * its days.
 */
type ImportWithin = { id: number; days: number; isWhole: boolean };

/**
 * Lists the imports that have days of a range. An import can have hits of the day that was open while it ran. On a
 * cluster, the row of the import keeps this day even after the day is sealed.
 */
function listImportsWithin(db: Db, siteId: number, { from, to }: Range): ImportWithin[] {
  const days = Map.groupBy(listImported(db, siteId), ({ importId }) => importId);
  return listShownImports(db, siteId).flatMap(({ id, openDay }) => {
    const own = new Set([...(days.get(id) ?? []).map(({ day }) => day), ...(openDay === null ? [] : [openDay])]);
    const within = [...own].filter((day) => day >= from && day < to);
    return within.length === 0 ? [] : [{ id, days: within.length, isWhole: within.length === own.size }];
  });
}

/** What a deletion deletes. The figures include excluded visits, because these are deleted as well. */
export type DeletionCount = {
  days: number;
  /** How many of the days are totals-only days. */
  sumDays: number;
  totals: Totals;
  imports: ImportWithin[];
  searches: number;
  /**
   * Searches are stored for periods of several days. This is the number of periods that lie only partly in the range.
   * These periods stay, because their figures cannot be divided into days.
   */
  dividedSearches: number;
};

export const countDeletion = (db: Db, siteId: number, range: Range): DeletionCount =>
  db.read(() => {
    const states = listStates(db, siteId, range.from, range.to);
    return {
      days: states.length,
      sumDays: states.filter(({ hasHits }) => hasHits === 0).length,
      totals: sumSealed(db, siteId, range.from, range.to),
      imports: listImportsWithin(db, siteId, range),
      ...countSearchesWithin(db, siteId, range),
    };
  });
