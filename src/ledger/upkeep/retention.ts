// Retention deletes the hits of old sealed days. A setting of the site says for how many days hits are kept. Totals,
// and the counts of each list such as pages, stay. The day becomes a totals-only day: it has sums, but no hits.
// Invariant: a day loses its hits only if two things hold. Its stored counts can be read, and its sums without excluded
// visits are up to date. A query sees the day either with all of its hits or with none.
//
// Example: a site keeps hits for 90 days. On day 20,500 (counted from 1970), the days before day 20,410 lose their
// columns, some kilobytes to megabytes each. A list of pages can still be read for these days, but not filtered.
// work/nightly.ts calls `removeExpired`. Before somebody shortens that time, the dashboard calls `expired` to say what
// would be lost.
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
 * Deletes the hits of days that are older than the site keeps hits. The first step for a day hides its hits from
 * queries. The next steps delete its columns. If exclusions of a day have just changed, new sums need its hits. Then
 * the day is left for the next night.
 */
export function* removeExpired(db: Db, now: number): Steps {
  const findToday = makeDayFinder(db, now);
  for (const { id: siteId, keepDays } of listKeepingSites(db)) {
    const today = findToday(siteId) ?? 0;
    // `yield` makes a pause, in which hits can be written. Looking through years of days of many sites takes long, even
    // if nothing is deleted.
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
 * Retention deletes details of old days: hits, and which pages each crawler read. This function counts the days and
 * bytes that it would delete now. The dashboard shows this before somebody shortens the time.
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

/**
 * Lists the sealed days that still have hits, but are older than `keepDays` days. The site keeps hits only for that
 * time.
 */
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
 * True if all stored counts (rollups) of a day can be read. If one is damaged, the day keeps its hits, so that the
 * counts can be made again. `daybook check` reports the damage.
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
 * Adds up the requests of expired days over all AI crawlers. A day then no longer says which crawler read a page. Each
 * step changes one crawler and day.
 */
function* removeExpiredCrawls(db: Db, siteId: number, keepDays: number, today: number): Steps {
  for (const key of listExpiredCrawls(db, siteId, keepDays, today)) {
    db.write(() => mergePages(db, key));
    yield;
  }
}

/**
 * Deletes sums of each row of a list, such as the bounces of each country. Visitors and hits of each row stay. The
 * engine on a cluster does not store these sums for a day without hits. So both engines give the same answers.
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
 * Hides the hits of a day from queries, before they are deleted. If exclusions (visits to leave out) of the day
 * changed, new sums need its hits. Then this function changes nothing and returns false.
 */
const hideHits = (db: Db, siteId: number, day: SealedDay): boolean =>
  db.write(() => {
    if (isPending(db, siteId, day)) return false;
    removeMoreSums(db, siteId, day);
    addBlob(db, 'rollup', day.id, packTotals(day));
    setSumsOnly(db, day.id);
    return true;
  });
