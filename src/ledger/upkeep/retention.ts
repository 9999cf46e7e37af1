// Deletes the hits of old sealed days. A setting of the site says for how many days hits are kept. Sums stay, so the
// day becomes a totals-only day.
//
// Invariant: the hits of a day are deleted only if the day's rollups can be read, and no sums are stale. A query sees
// either all hits of a day or none.
//
// Example: a site keeps hits for 90 days. On day 20,500 (counted from 1970), the columns of all days before day 20,410
// are deleted. Before that, sums that only the hits can give, such as the visitors of each channel, are counted and
// stored. The pages of these days can still be listed, but not filtered.
//
// work/nightly.ts calls `removeExpired`. queries.ts calls `expired`, so that `daybook site` can say what the next night
// will delete.
import { listIdsOn } from '../../catalog/exclusion-days.ts';
import { loseHits } from '../../catalog/lost-days.ts';
import { findReduced } from '../../catalog/reduced-days.ts';
import { hasSumsOnly, isShown, listSealed, type SealedDay, setSumsOnly } from '../../catalog/sealed-days.ts';
import type { Steps } from '../../lib/steps.ts';
import { monthNumber } from '../../stats/calendar.ts';
import { BREAKDOWNS, type Breakdown, DERIVED_BREAKDOWNS, REVENUE, STORED_BREAKDOWNS } from '../../stats/dimensions.ts';
import { type Db, isSqliteError } from '../../store/db.ts';
import { listExclusions } from '../../store/sites/exclusions.ts';
import { isExpired, listKeepingSites } from '../../store/sites/sites.ts';
import { makeDayFinder } from '../../store/sites/zones.ts';
import { addBlob, listBlobNames, listWithColumns, removeBlob, type StoredBlob, sumBytes } from '../column/blobs.ts';
import { readColumn } from '../column/column.ts';
import { readSealedProperties } from '../column/properties.ts';
import { makeReducer } from '../count/exclude.ts';
import type { Day } from '../day/day.ts';
import { readOnce } from '../day/shard.ts';
import { type CrawlerDay, isOfAll, listPacked, mergePages, sumPackedBytes } from '../rows/packed-crawls.ts';
import { readTexts } from '../rows/terms.ts';
import { isPending } from '../sealed/excluded-sums.ts';
import { removeMonthSums } from '../sealed/month.ts';
import { readRollup } from '../sealed/rollup.ts';
import { packDerived, packNoDerived, packTotals, TOTALS_NAME } from '../sealed/totals-only.ts';

/**
 * Deletes the hits of days that are older than the retention. For each day, one step hides the hits from queries, and
 * the next steps delete the columns. If the day has stale sums, its hits stay for another night.
 */
export function* removeExpired(db: Db, now: number): Steps {
  const findToday = makeDayFinder(db, now);
  for (const { id: siteId, keepDays } of listKeepingSites(db)) {
    const today = findToday(siteId) ?? 0;
    // During this pause, hits can be stored. Looking through the days of many sites takes long, even if nothing is
    // deleted.
    yield;
    yield* removeExpiredCrawls(db, siteId, keepDays, today);
    const expired = Map.groupBy(listExpired(db, siteId, keepDays, today), ({ day }) => day);
    for (const slices of expired.values()) {
      // An earlier night may have hidden the hits of a slice from queries, and then have been interrupted. Such a slice
      // is not counted again, because some of its columns may already be deleted.
      const visible = slices.filter(({ id }) => !hasSumsOnly(db, id));
      if (!visible.every((slice) => hasSoundRollups(db, slice))) continue;
      const last: LastSums[] = [];
      for (const slice of visible) {
        last.push(countLast(db, siteId, slice));
        yield;
      }
      if (!hideHits(db, siteId, last, { now, today })) continue;
      yield;
      for (const { id } of slices) {
        for (const name of listBlobNames(db, 'sealed_blob', id)) {
          db.write(() => removeBlob(db, 'sealed_blob', id, name));
          yield;
        }
      }
    }
  }
}

/**
 * Measures the hits and crawled pages that are older than the retention. `count` is the number of days with such hits
 * or pages. `bytes` is the size of these hits and pages.
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
 * True if all rollups of a day can be read. Otherwise, the day keeps its hits, so that damaged rollups can be made
 * again.
 */
const hasSoundRollups = (db: Db, day: SealedDay): boolean =>
  isReadable(() => {
    for (const name of STORED_BREAKDOWNS) readRollup(db, day, name);
  });

/**
 * Returns false if the work fails because of damaged bytes. The retention must go on with the other days and sites,
 * even if the data of one day is damaged. Errors of SQLite itself, such as a full disk, are thrown.
 */
function isReadable(work: () => void): boolean {
  try {
    work();
    return true;
  } catch (error) {
    if (isSqliteError(error)) throw error;
    return false;
  }
}

/**
 * Deletes the counts of single crawlers by page, on days that are older than the retention. Two kinds of numbers stay:
 * the requests of each crawler, and the requests of each page by all crawlers together. Damaged data stays too, and
 * `daybook check` reports it.
 */
function* removeExpiredCrawls(db: Db, siteId: number, keepDays: number, today: number): Steps {
  for (const key of listExpiredCrawls(db, siteId, keepDays, today)) {
    const merge = (): void => {
      if (isExpired(db, siteId, { day: key.day, today })) mergePages(db, key);
    };
    if (isReadable(() => db.write(merge))) yield;
  }
}

const KEPT_NAMES = new Set<string>([TOTALS_NAME, REVENUE]);

/**
 * Deletes all sums of a day except its rollups, totals and revenue. For example, the bounces of each country and the
 * time on page are deleted. The cluster stores no such sums for totals-only days, and both engines must give the same
 * answers.
 */
function removeMoreSums(db: Db, siteId: number, { id, day }: SealedDay): void {
  for (const table of ['rollup', 'excluded_rollup'] as const) {
    for (const name of listBlobNames(db, table, id)) {
      if (!(name in BREAKDOWNS) && !KEPT_NAMES.has(name)) removeBlob(db, table, id, name);
    }
  }
  removeMonthSums(db, { siteId, month: monthNumber(day) });
}

/**
 * Sums that can only be counted from the hits of a slice, such as the sums of channels. `reduced` has these sums
 * without the visits that the exclusions in `exclusions` leave out. `unknown` names sums that could not be counted,
 * because columns are damaged.
 */
type LastSums = {
  slice: SealedDay;
  exclusions: string;
  whole: StoredBlob[];
  reduced: StoredBlob[];
  unknown: readonly Breakdown[];
};

/**
 * Counts the sums that are stored only with a totals-only day. If the columns of a day are damaged, these sums are
 * unknown. The hits of the day are deleted all the same.
 */
function countLast(db: Db, siteId: number, slice: SealedDay): LastSums {
  const texts = readTexts(db, siteId);
  const reducer = makeReducer(listExclusions(db, siteId), texts);
  const counted = { slice, exclusions: reducer.nameExclusions(slice.day), unknown: [] };
  const day: Day = {
    day: slice.day,
    totals: slice,
    column: readOnce((name: Parameters<Day['column']>[0]) => readColumn(db, slice, name)),
    properties: readSealedProperties(db, slice),
  };
  let sums: Pick<LastSums, 'whole' | 'reduced'> | undefined;
  const isRead = isReadable(() => {
    const { day: left, excluded } = reducer.reduce(day);
    sums = { whole: packDerived(day, texts), reduced: excluded[0] === undefined ? [] : packDerived(left, texts) };
  });
  if (isRead && sums) return { ...counted, ...sums };
  const empty = packNoDerived();
  const isReduced = findReduced(db, slice.id)?.excluded[0] !== undefined;
  return { ...counted, whole: empty, reduced: isReduced ? empty : [], unknown: DERIVED_BREAKDOWNS };
}

/**
 * Hides the hits of a day from queries before they are deleted. Returns false if the day has changed since `countLast`
 * counted its slices. For example, a late hit may have reopened the day, or another process may have already hidden its
 * hits. Also returns false if the day has stale sums, because new sums need the hits, or if the site now keeps its hits
 * for longer.
 */
const hideHits = (
  db: Db,
  siteId: number,
  slices: readonly LastSums[],
  { now, today }: { now: number; today: number },
): boolean =>
  db.write(() => {
    const exclusions = listExclusions(db, siteId);
    const isCurrent = ({ slice, exclusions: counted }: LastSums) =>
      isExpired(db, siteId, { day: slice.day, today }) &&
      isShown(db, slice.id) &&
      !hasSumsOnly(db, slice.id) &&
      !isPending(db, siteId, slice) &&
      counted === listIdsOn(exclusions, slice.day);
    if (!slices.every(isCurrent)) return false;
    const days = slices.map(({ slice }) => slice.day);
    loseHits(db, siteId, days, now);
    for (const { slice, whole, reduced, unknown } of slices) {
      removeMoreSums(db, siteId, slice);
      for (const blob of [packTotals(slice), ...whole]) addBlob(db, 'rollup', slice.id, blob);
      for (const blob of reduced) addBlob(db, 'excluded_rollup', slice.id, blob);
      setSumsOnly(db, slice.id, unknown);
    }
    return true;
  });
