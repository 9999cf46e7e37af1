// Retention deletes the hits of old sealed days. A setting of the site says for how many days hits are kept. Totals and rollups stay, so
// the day becomes a totals-only day.
// Invariant: a day loses its hits only if two things hold. Its rollups can be read, and its sums without excluded visits are up to date. A
// query sees the day either with all of its hits or with none.
//
// Example: a site keeps hits for 90 days. On day 20,500, the days before day 20,410 lose their columns, some kilobytes to megabytes each. A
// list of pages can still be read for these days, but not filtered. work/nightly.ts calls `removeExpired`. Before somebody
// shortens that time, the dashboard calls `expired` to say what would be lost.
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
 * Deletes the hits of expired days. The first step for a day hides its hits from queries. The next steps delete its columns. A day with
 * stale sums is left for the next night, because its new sums need the hits.
 */
export function* removeExpired(db: Db, now: number): Steps {
  const findToday = makeDayFinder(db, now);
  for (const { id: siteId, keepDays } of listKeepingSites(db)) {
    const today = findToday(siteId) ?? 0;
    // `yield` makes a pause, in which hits can be written. Looking through years of days of many sites takes long, even if nothing is
    // deleted.
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

/**
 * Counts the days whose details retention would delete now, and the bytes of these details. Details are hits, and the pages of each
 * crawler.
 */
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

/** Lists sealed days that still have hits, but are older than the site keeps hits. */
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

const listExpiredCrawls = (db: Db, siteId: number, keepDays: number, today: number): CrawlerDay[] =>
  listPacked(db, siteId, { from: 0, to: today - keepDays }).filter((key) => !isOfAll(key));

/**
 * True if all rollups of a day can be read. If a rollup is damaged, the day keeps its hits, so that the rollup can be made again. `daybook
 * check` reports the damage.
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

/**
 * Adds up the requests of expired days over all crawlers, one packed row at a time. The day then no longer says which crawler read a page.
 */
function* removeExpiredCrawls(db: Db, siteId: number, keepDays: number, today: number): Steps {
  for (const key of listExpiredCrawls(db, siteId, keepDays, today)) {
    db.write(() => mergePages(db, key));
    yield;
  }
}

/**
 * Deletes the sums of rows such as bounces. A cluster does not store these sums for a totals-only day either. So both engines give the same
 * answers.
 */
function removeMoreSums(db: Db, siteId: number, { id, day }: SealedDay): void {
  for (const table of ['rollup', 'excluded_rollup'] as const) {
    for (const name of listBlobNames(db, table, id)) {
      if (!(name in BREAKDOWNS) && name !== TOTALS_NAME) removeBlob(db, table, id, name);
    }
  }
  removeMonthSums(db, { siteId, month: monthNumber(day) });
}

/**
 * Hides the hits of a day from queries. Returns false and changes nothing if the day has stale sums, because the hits are needed to make
 * new sums.
 */
const hideHits = (db: Db, siteId: number, day: SealedDay): boolean =>
  db.write(() => {
    if (isPending(db, siteId, day)) return false;
    removeMoreSums(db, siteId, day);
    addBlob(db, 'rollup', day.id, packTotals(day));
    setSumsOnly(db, day.id);
    return true;
  });
