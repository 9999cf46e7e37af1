// The sweep deletes what no query needs any more, such as hits of sealed days, replaced shards and failed imports.
//
// Invariant: each step is one short transaction, so that hits can be stored between two steps.
//
// Example: a day with 100,000 rows was sealed. The sweep deletes these rows, with their visitor codes, in about 100
// transactions of up to 1,000 rows. work/nightly.ts calls `sweep` after sealing and after imports. Other functions of
// this file delete the data of a site.
import { listReopened } from '../../catalog/day-states.ts';
import { abandonOld } from '../../catalog/imported.ts';
import { findImport, removeDeadImports, removeSiteImports } from '../../catalog/imports.ts';
import { isSealed, type SiteDay } from '../../catalog/sealed-days.ts';
import { findDeadDay, findSiteDayId, listSiteDayIds, removeDay } from '../../catalog/swept-days.ts';
import type { Steps } from '../../lib/steps.ts';
import { DAY } from '../../lib/time.ts';
import type { Db } from '../../store/db.ts';
import { removeInSteps } from '../../store/in-steps.ts';
import { type Deletion, endDeletion, listDeletions } from '../../store/sites/deletions.ts';
import { hasSite, listSiteIds } from '../../store/sites/sites.ts';
import { makeDayFinder } from '../../store/sites/zones.ts';
import { removeBlobs } from '../column/blobs.ts';
import { sweepShards } from '../open/compaction.ts';
import { findShardOfSite, removeFromShard } from '../open/shard-table.ts';
import { removeCrawlsWithin, removeSiteCrawls } from '../rows/crawls.ts';
import { removeDropsWithin, removeSiteDrops } from '../rows/drops.ts';
import { listHitDays, type OriginDay, removeHits, removeHitsUntil, removeSiteHits } from '../rows/hits.ts';
import { removePackedWithin, removeSitePacked } from '../rows/packed-crawls.ts';
import { findSetDay, removeSets, removeSiteSets } from '../rows/property-sets.ts';
import { removeDayTermsBefore, removeSiteTerms } from '../rows/terms.ts';
import { removeReduced } from '../sealed/excluded-sums.ts';
import { removeSiteMonths } from '../sealed/month.ts';

/**
 * How many rows of packed crawls a transaction deletes. The number is small, because such a row may have tens of
 * thousands of bytes.
 */
const PACKED_PER_TRANSACTION = 20;
/**
 * Days, imports and shards that are still staged after this time are deleted. Their sealing, import or compaction must
 * have failed.
 */
const ABANDONED_SECONDS = DAY;

/**
 * Deletes everything that is no longer needed. Shards and hits of sealed days come first, because they have visitor
 * codes. The documents promise that these codes are deleted within minutes after sealing.
 */
export function* sweep(db: Db, now: number): Steps {
  abandonOld(db, now - ABANDONED_SECONDS);
  yield* sweepShards(db, now - ABANDONED_SECONDS);
  yield* sweepHits(db);
  yield* sweepSets(db);
  yield* removeDays(db, () => findDeadDay(db, now - ABANDONED_SECONDS));
  for (const deletion of listDeletions(db)) {
    yield* removeCrawlsAndDrops(db, deletion);
    db.write(() => endDeletion(db, deletion.id));
  }
  yield* removeInSteps(db, (most) => removeDeadImports(db, now - ABANDONED_SECONDS, most));
  const findToday = makeDayFinder(db, now);
  for (const id of listSiteIds(db)) {
    const yesterday = (findToday(id) ?? 0) - 1;
    yield* removeInSteps(db, (most) => removeDayTermsBefore(db, id, yesterday, most));
  }
}

/**
 * Deletes the hits that no query counts. Must also run before an import or a sealed day is removed. Otherwise, live
 * hits that were replaced or sealed would count again (test/ledger/work/past-imports.test.ts).
 */
export function* sweepHits(db: Db): Steps {
  for (const originDay of listHitDays(db)) yield* removeInSteps(db, (most) => removeDead(db, originDay, most));
}

/**
 * Deletes the property sets of days without rows. Each step checks again that the day has no rows, because a late hit
 * may have added some. Only rows of the day's own site are looked up. With a thousand sites, looking through all sites
 * for each day would take a minute.
 */
function* sweepSets(db: Db): Steps {
  const hasRows = ({ siteId, day }: SiteDay) => listHitDays(db, siteId).some((one) => one.day === day);
  for (let next = findSetDay(db); next; next = findSetDay(db, next)) {
    const siteDay = next;
    if (hasRows(siteDay)) yield;
    else yield* removeInSteps(db, (most) => (hasRows(siteDay) ? 0 : removeSets(db, siteDay, most)));
  }
}

/**
 * Deletes the crawls and drops of the days that a user has deleted. Crawls may be packed meanwhile, so unpacked rows
 * are deleted before packed rows.
 */
function* removeCrawlsAndDrops(db: Db, { siteId, ...range }: Deletion): Steps {
  yield* removeInSteps(db, (most) => removeCrawlsWithin(db, siteId, range, most));
  yield* removeInSteps(db, (most) => removePackedWithin(db, siteId, range, most), PACKED_PER_TRANSACTION);
  yield* removeInSteps(db, (most) => removeDropsWithin(db, siteId, range, most));
}

export function* forgetSite(db: Db, siteId: number): Steps {
  yield* forgetRest(db, siteId);
  yield* removeDays(db, () => findSiteDayId(db, siteId));
  for (const remove of REMOVERS) yield* removeInSteps(db, (most) => remove(db, siteId, most));
}

export function* forgetRest(db: Db, siteId: number): Steps {
  for (let id = findShardOfSite(db, siteId); id !== undefined; id = findShardOfSite(db, siteId)) {
    const slice = id;
    db.write(() => removeFromShard(db, slice));
    yield;
  }
  yield* removeInSteps(db, (most) => removeSitePacked(db, siteId, most), PACKED_PER_TRANSACTION);
  for (const remove of OF_REST) yield* removeInSteps(db, (most) => remove(db, siteId, most));
}

/**
 * Deletes all hits and sums of a site after a transfer. The list of sealed days stays, because the engine that now has
 * the data uses the list too.
 */
export function* emptySite(db: Db, siteId: number): Steps {
  yield* forgetRest(db, siteId);
  yield* emptyDays(db, listSiteDayIds(db, siteId));
  for (const remove of [removeSiteTerms, removeSiteMonths])
    yield* removeInSteps(db, (most) => remove(db, siteId, most));
}

/**
 * Deletes the blobs of some sealed days: their columns and rollups. The list of sealed days stays, and so do their
 * reduced totals (totals without the excluded visits). After `daybook move` has moved the data to a cluster, the
 * cluster uses this list and these totals.
 */
export function* emptyDays(db: Db, ids: readonly number[]): Steps {
  for (const id of ids) {
    while (!db.write(() => removeBlobs(db, id))) yield;
    yield;
  }
}

function* removeDays(db: Db, find: () => number | undefined): Steps {
  for (let id = find(); id !== undefined; id = find()) {
    const dayId = id;
    db.write(() => {
      if (!removeBlobs(db, dayId)) return;
      removeReduced(db, dayId);
      removeDay(db, dayId);
    });
    yield;
  }
}

type Remover = (db: Db, siteId: number, most: number) => number;

const OF_REST: readonly Remover[] = [
  removeSiteHits,
  removeSiteSets,
  (db, siteId, most) => removeDayTermsBefore(db, siteId, Number.MAX_SAFE_INTEGER, most),
  removeSiteDrops,
  removeSiteCrawls,
];
const REMOVERS: readonly Remover[] = [removeSiteTerms, removeSiteMonths, removeSiteImports];

/**
 * Deletes up to `most` dead rows of a day: rows that no query needs. Each transaction determines again which rows are
 * dead, because a late hit may reopen the day between two transactions. In a reopened day, rows that were not imported
 * are dead only if they are older than the reopening. Such rows were sealed, or an import replaced them.
 */
function removeDead(db: Db, originDay: OriginDay, most: number): number {
  const { siteId, importId, day } = originDay;
  if (isDead(db, originDay)) return removeHits(db, originDay, most);
  const after = importId === null ? Math.max(0, ...listReopened(db, siteId, day).map((slice) => slice.after)) : 0;
  return after > 0 ? removeHitsUntil(db, originDay, after, most) : 0;
}

/**
 * True if no query needs these hits, because the day is sealed. For the hits of an import, also true if the import
 * failed or was removed, or if the site was deleted.
 */
function isDead(db: Db, { siteId, importId, day }: OriginDay): boolean {
  if (isSealed(db, siteId, day)) return true;
  if (importId === null) return false;
  const { state = 'gone' } = findImport(db, siteId, importId) ?? {};
  return state === 'gone' || !hasSite(db, siteId);
}
