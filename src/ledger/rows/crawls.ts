// Counts requests of AI crawlers in the table `crawl_day`, with one row for each site, day, crawler and page.
//
// Invariant: at any moment, each request counts exactly once. For this reason, the transaction that packs rows also
// deletes them.
//
// Example: a crawler requests 5,000 pages on Monday, so Monday has 5,000 rows. At night, they become one row of the
// table `packed_crawl` (packed-crawls.ts). The answer for Monday stays the same. open/append.ts adds requests,
// work/nightly.ts packs rows, and queries list requests.
import type { Crawl } from '../../engine/activity.ts';
import type { CrawlQuery, Crawls } from '../../engine/engine.ts';
import { compareCodePoints } from '../../lib/code-points.ts';
import type { Steps } from '../../lib/steps.ts';
import type { Range } from '../../stats/query.ts';
import type { Db } from '../../store/db.ts';
import { listSiteIds } from '../../store/sites/sites.ts';
import { makeDayFinder } from '../../store/sites/zones.ts';
import {
  addCounts,
  addPacked,
  isOfAll,
  listAllPacked,
  listPacked,
  type PageCounts,
  readPackedPages,
  sumPacked,
} from './packed-crawls.ts';
import { cacheTexts, type Texts } from './terms.ts';
import { listTopRows } from './top-terms.ts';

/**
 * Lists requests of AI crawlers, by crawler and by page. A query for one crawler lists only the pages of this crawler.
 * For such a query, `leftOut` has the days that are older than the retention. These days store pages only for all
 * crawlers together.
 */
export function listCrawls(db: Db, query: CrawlQuery, readText: Texts['readText']): Crawls {
  const { pages, leftOut } = sumByPage(db, query);
  const requests = [...pages.values()];
  const top = listTopRows([...pages.keys()], requests, query, readText);
  return {
    crawlers: sumByCrawler(db, query.siteId, query.range),
    pages: top.map(({ value, place }) => ({ page: value, requests: requests[place] ?? 0 })),
    leftOut,
  };
}

export function addCrawl(db: Db, { siteId, day, crawler, requests }: Crawl, page: number): void {
  db.run(
    `INSERT INTO crawl_day (site_id, day, crawler, page, requests) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET requests = requests + excluded.requests`,
    siteId,
    day,
    crawler,
    page,
    requests,
  );
}

export function listCrawledPages(db: Db, siteId: number, day: number): number[] {
  const rows = db.all<{ page: number }>(
    'SELECT DISTINCT page FROM crawl_day WHERE site_id = ? AND day = ?',
    siteId,
    day,
  );
  const packed = listPacked(db, siteId, { from: day, to: day + 1 }).flatMap((key) => [
    ...readPackedPages(db, key).keys(),
  ]);
  return [...new Set([...rows.map(({ page }) => page), ...packed])];
}

const listOpenCrawls = (db: Db, siteId: number): { day: number; crawler: string; page: number; requests: number }[] =>
  db.all('SELECT day, crawler, page, requests FROM crawl_day WHERE site_id = ? ORDER BY day, crawler, page', siteId);

/** Counts the requests of all sites that are not packed yet. */
export const countOpenCrawls = (db: Db): number =>
  db.one<{ n: number }>('SELECT total(requests) AS n FROM crawl_day')?.n ?? 0;

/** Lists the requests of all days of a site, packed or not. */
export function* listSiteCrawls(db: Db, siteId: number): Generator<Crawl> {
  const readText = cacheTexts(db, siteId);
  for (const { page, ...crawl } of listOpenCrawls(db, siteId)) yield { ...crawl, siteId, page: readText(page) };
  for (const { day, crawler, pages } of listAllPacked(db, siteId))
    for (const [page, requests] of pages) yield { siteId, day, crawler, page: readText(page), requests };
}

const WHERE = 'site_id = ? AND day >= ? AND day < ?';

function sumByCrawler(db: Db, siteId: number, { from, to }: Range): { crawler: string; requests: number }[] {
  const sql = `SELECT crawler, sum(requests) AS requests FROM crawl_day WHERE ${WHERE} GROUP BY crawler`;
  const sums = new Map<string, number>();
  for (const { crawler, requests } of [
    ...sumPacked(db, siteId, { from, to }),
    ...db.all<{ crawler: string; requests: number }>(sql, siteId, from, to),
  ]) {
    sums.set(crawler, (sums.get(crawler) ?? 0) + requests);
  }
  return [...sums]
    .map(([crawler, requests]) => ({ crawler, requests }))
    .sort((a, b) => b.requests - a.requests || compareCodePoints(a.crawler, b.crawler));
}

/**
 * Adds up requests by page, for all crawlers or for one crawler. Days that are older than the retention store pages
 * only for all crawlers together. A query for one crawler therefore leaves out these days, and lists them in `leftOut`.
 */
function sumByPage(db: Db, { siteId, range, crawler }: CrawlQuery): { pages: PageCounts; leftOut: number[] } {
  const packed = listPacked(db, siteId, range);
  const leftOut = crawler === undefined ? [] : packed.filter(isOfAll).map(({ day }) => day);
  const isIn = (one: { crawler: string; day: number }): boolean =>
    crawler === undefined || (one.crawler === crawler && !leftOut.includes(one.day));
  const pages: PageCounts = new Map();
  for (const key of packed.filter(isIn)) addCounts(pages, readPackedPages(db, key));
  const rows = db.all<{ page: number; requests: number }>(
    `SELECT page, sum(requests) AS requests FROM crawl_day
     WHERE ${WHERE} AND (? = '' OR (crawler = ? AND day NOT IN (SELECT value FROM json_each(?)))) GROUP BY page`,
    siteId,
    range.from,
    range.to,
    crawler ?? '',
    crawler ?? '',
    JSON.stringify(leftOut),
  );
  return { pages: addCounts(pages, new Map(rows.map(({ page, requests }) => [page, requests]))), leftOut };
}

const NEXT = 'SELECT day, crawler FROM crawl_day WHERE site_id = ? AND day < ? ORDER BY day, crawler LIMIT 1';

/** About how many rows a transaction packs. Hits that wait for the transaction then wait only a few milliseconds. */
const ROWS_PER_TRANSACTION = 1_000;

const TAKE = `DELETE FROM crawl_day WHERE (site_id, day, crawler, page) IN
    (SELECT site_id, day, crawler, page FROM crawl_day WHERE site_id = ? AND day = ? AND crawler = ?
     LIMIT ${ROWS_PER_TRANSACTION})
  RETURNING page, requests`;

/** Packs up to 1,000 rows of one crawler on the first past day with rows. Returns how many rows were packed. */
function packNext(db: Db, siteId: number, today: number): number {
  const due = db.one<{ day: number; crawler: string }>(NEXT, siteId, today);
  if (!due) return 0;
  const { day, crawler } = due;
  const rows = db.all<{ page: number; requests: number }>(TAKE, siteId, day, crawler);
  addPacked(db, { siteId, day, crawler }, new Map(rows.map(({ page, requests }) => [page, requests])));
  return rows.length;
}

export function* packCrawls(db: Db, now: number): Steps {
  const findToday = makeDayFinder(db, now);
  function packSome(siteId: number, today: number): boolean {
    for (let sum = 0; sum < ROWS_PER_TRANSACTION; ) {
      const rows = packNext(db, siteId, today);
      if (rows === 0) return false;
      sum += rows;
    }
    return true;
  }
  for (const siteId of listSiteIds(db)) {
    // Most sites have nothing to pack. Then no transaction begins, because a transaction makes other writers wait.
    const today = findToday(siteId) ?? 0;
    while (db.one(NEXT, siteId, today) && db.write(() => packSome(siteId, today))) yield;
  }
}

export const removeSiteCrawls = (db: Db, siteId: number, most: number): number =>
  db.run(
    `DELETE FROM crawl_day WHERE (site_id, day, crawler, page) IN
       (SELECT site_id, day, crawler, page FROM crawl_day WHERE site_id = ? LIMIT ?)`,
    siteId,
    most,
  ).changes;

export const removeCrawlsWithin = (db: Db, siteId: number, { from, to }: Range, most: number): number =>
  db.run(
    `DELETE FROM crawl_day WHERE (site_id, day, crawler, page) IN
       (SELECT site_id, day, crawler, page FROM crawl_day WHERE ${WHERE} LIMIT ?)`,
    ...[siteId, from, to, most],
  ).changes;
