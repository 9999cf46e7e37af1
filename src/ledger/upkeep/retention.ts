// Deletes the hits of sealed days that are older than their site keeps hits. Totals and rollups stay, so the day becomes a totals-only day.
// Invariant: a day loses its hits only if its rollups can be read and its sums with exclusions are made. A query sees the day with hits or
// without, never half of it.
//
// Example: a site keeps hits for 90 days. On day 20,500 the days before 20,410 lose their columns, some kilobytes to megabytes each.
// Visitors by page can still be asked for, but no filters.
// Called by work/nightly.ts; the dashboard asks `expired` before somebody shortens the time.
import { listSealed, type SealedDay, setSumsOnly } from '../../catalog/sealed-days.ts';
import type { Steps } from '../../lib/steps.ts';
import { monthNumber } from '../../stats/calendar.ts';
import { BREAKDOWN_NAMES, BREAKDOWNS } from '../../stats/dimensions.ts';
import type { Db } from '../../store/db.ts';
import { listKeepingSites } from '../../store/sites/sites.ts';
import { makeDayFinder } from '../../store/sites/zones.ts';
import { addBlob, listBlobNames, listWithColumns, removeBlob, sumBytes } from '../column/blobs.ts';
import { type CrawlerDay, isOfAll, listPacked, mergePages, sumPackedBytes } from '../rows/packed-crawls.ts';
import { isPending } from '../sealed/excluded-sums.ts';
import { removeMonthSums } from '../sealed/month.ts';
import { readRollup } from '../sealed/rollup.ts';
import { packTotals, TOTALS_NAME } from '../sealed/totals-only.ts';

/**
 * Deletes the hits of expired days. The first step of a day hides its hits from queries; the next steps delete its columns. Days with
 * stale sums wait until these are made again.
 */
export function* removeExpired(db: Db, now: number): Steps {
  const findToday = makeDayFinder(db, now);
  for (const { id: siteId, keepDays } of listKeepingSites(db)) {
    const today = findToday(siteId) ?? 0;
    // Many sites with years of days take long to look through, even if nothing is to be deleted.
    yield;
    yield* removeExpiredCrawls(db, siteId, keepDays, today);
    for (const day of listExpired(db, siteId, keepDays, today)) {
      if (!hasSoundRollups(db, day) || !hideHits(db, siteId, day)) continue;
      yield;
      for (const name of listBlobNames(db, 'sealed_blob', day.id)) {
        db.write(() => removeBlob(db, 'sealed_blob', day.id, name));
        yield;
      }
    }
  }
}

/** How many days a site would lose hits of now, and the bytes of these hits and of pages by crawler. */
export function expired(db: Db, siteId: number, today: number): { count: number; bytes: number } {
  const { keepDays } = listKeepingSites(db).find(({ id }) => id === siteId) ?? {};
  if (keepDays === undefined) return { count: 0, bytes: 0 };
  const days = listExpired(db, siteId, keepDays, today);
  const crawls = listExpiredCrawls(db, siteId, keepDays, today);
  const bytes = sumBytes(
    db,
    days.map(({ id }) => id),
    ['sealed_blob'],
  );
  return {
    count: new Set([...days, ...crawls].map(({ day }) => day)).size,
    bytes: bytes + sumPackedBytes(db, siteId, { from: 0, to: today - keepDays }),
  };
}

/** The sealed days that still have hits but are older than their site keeps them. */
function listExpired(db: Db, siteId: number, keepDays: number, today: number): SealedDay[] {
  const days = listSealed(db, siteId, 0, today - keepDays);
  const withHits = new Set(
    listWithColumns(
      db,
      days.map(({ id }) => id),
    ),
  );
  return days.filter(({ id }) => withHits.has(id));
}

/** The packed pages by crawler of days that are older than their site keeps hits. */
const listExpiredCrawls = (db: Db, siteId: number, keepDays: number, today: number): CrawlerDay[] =>
  listPacked(db, siteId, { from: 0, to: today - keepDays }).filter((key) => !isOfAll(key));

/**
 * Whether the rollups of a day can be read. If one is damaged, the day keeps its hits, from which it can be counted again. `daybook
 * check` reports such a day.
 */
function hasSoundRollups(db: Db, day: SealedDay): boolean {
  try {
    for (const name of BREAKDOWN_NAMES) readRollup(db, day, name);
    return true;
  } catch (error) {
    if ((error as { code?: string }).code?.startsWith('SQLITE_')) throw error;
    return false;
  }
}

/** Adds the requests of expired days up over all crawlers, one packed row at a time. */
function* removeExpiredCrawls(db: Db, siteId: number, keepDays: number, today: number): Steps {
  for (const key of listExpiredCrawls(db, siteId, keepDays, today)) {
    db.write(() => mergePages(db, key));
    yield;
  }
}

/** Deletes sums that a cluster does not keep of a totals-only day either, so that both engines answer alike. */
function removeMoreSums(db: Db, siteId: number, { id, day }: SealedDay): void {
  for (const table of ['rollup', 'excluded_rollup'] as const) {
    for (const name of listBlobNames(db, table, id)) {
      if (!(name in BREAKDOWNS) && name !== TOTALS_NAME) removeBlob(db, table, id, name);
    }
  }
  removeMonthSums(db, { siteId, month: monthNumber(day) });
}

/** Hides the hits of a day from queries. False for a day whose sums with exclusions are not made yet. */
const hideHits = (db: Db, siteId: number, day: SealedDay): boolean =>
  db.write(() => {
    if (isPending(db, siteId, day)) return false;
    removeMoreSums(db, siteId, day);
    addBlob(db, 'rollup', day.id, packTotals(day));
    setSumsOnly(db, day.id);
    return true;
  });
