// Packs crawls of past days. A row of the table `packed_crawl` has all requests of one AI crawler on one past day. The
// pages and their counts are a blob.
//
// Invariant: if a row has pages, the sum of their counts is `requests`. Reading a row with another sum throws an error.
//
// Example: page 3 has 5 requests and page 9 has 2. The blob has the lists [3, 9] and [5, 2], and `requests` is 7. When
// the retention ends, the pages are moved to the row of all crawlers. This row has an empty text as its crawler. The
// crawler's own row keeps the number 7. crawls.ts packs and reads rows, and upkeep/retention.ts moves their pages.
import { crc32 } from 'node:zlib';
import { DAY, formatDay } from '../../lib/time.ts';
import type { Range } from '../../stats/query.ts';
import type { Db } from '../../store/db.ts';
import { narrow, pack, unpack } from '../column/packing.ts';

/** The number of requests of each page. The key is the term of the page. */
export type PageCounts = Map<number, number>;

/** An AI crawler on a past day. An empty name stands for all crawlers together. */
export type CrawlerDay = { siteId: number; day: number; crawler: string };
const ALL = '';

const THIS = 'site_id = ? AND day = ? AND crawler = ?';
const BETWEEN = 'site_id = ? AND day >= ? AND day < ?';

/**
 * Adds requests of an AI crawler to a past day. Retention may have moved the crawler's pages to the row of all
 * crawlers. The new pages are then added to the row of all crawlers. The crawler's own row gets only the number of
 * requests. Retention moves the pages of one crawler after the other, and may be interrupted in between. So a crawler
 * may still have its own pages although the row of all crawlers already exists.
 */
export function addPacked(db: Db, key: CrawlerDay, pages: PageCounts): void {
  const all = { ...key, crawler: ALL };
  if (findRow(db, key)?.data || !findRow(db, all)) addTo(db, key, pages);
  else {
    addTo(db, all, pages);
    removePages(db, key, sumRequests(pages));
  }
}

export function addCounts(sums: PageCounts, more: PageCounts): PageCounts {
  for (const [page, requests] of more) sums.set(page, (sums.get(page) ?? 0) + requests);
  return sums;
}

function sumRequests(pages: PageCounts): number {
  let sum = 0;
  for (const requests of pages.values()) sum += requests;
  return sum;
}

type StoredCrawls = { requests: number; data: Buffer | null; crc: number };

const findRow = (db: Db, { siteId, day, crawler }: CrawlerDay): StoredCrawls | undefined =>
  db.one(`SELECT requests, data, crc FROM packed_crawl WHERE ${THIS}`, siteId, day, crawler);

function unpackPages({ day, crawler }: CrawlerDay, { requests, data, crc }: StoredCrawls): PageCounts {
  if (!data) return new Map();
  const [terms = [], counts = []] = crc32(data) === crc ? unpack(data) : [];
  const pages = new Map(Array.from(terms, (term, i) => [term, counts[i] as number]));
  if (sumRequests(pages) !== requests) {
    throw new Error(
      `the requests of ${crawler || 'all crawlers'} on ${formatDay(day * DAY)} are damaged. Run daybook check`,
    );
  }
  return pages;
}

/**
 * Returns the pages that an AI crawler requested on a past day. If the day is older than the retention, only the row of
 * all crawlers has pages. The result for a single crawler is then empty.
 */
export function readPackedPages(db: Db, key: CrawlerDay): PageCounts {
  const row = findRow(db, key);
  return row ? unpackPages(key, row) : new Map();
}

function put(db: Db, { siteId, day, crawler }: CrawlerDay, pages: PageCounts): void {
  const terms = Float64Array.from(pages.keys()).sort();
  const data = pack([narrow(terms), narrow(Array.from(terms, (term) => pages.get(term) as number))]);
  db.run(
    'REPLACE INTO packed_crawl (site_id, day, crawler, requests, data, crc) VALUES (?, ?, ?, ?, ?, ?)',
    siteId,
    day,
    crawler,
    sumRequests(pages),
    data,
    crc32(data),
  );
}

const addTo = (db: Db, key: CrawlerDay, pages: PageCounts): void =>
  put(db, key, addCounts(readPackedPages(db, key), pages));

const removePages = (db: Db, { siteId, day, crawler }: CrawlerDay, more: number): void => {
  db.run(
    `INSERT INTO packed_crawl (site_id, day, crawler, requests, data, crc) VALUES (?, ?, ?, ?, NULL, 0)
     ON CONFLICT DO UPDATE SET requests = requests + excluded.requests, data = NULL, crc = 0`,
    siteId,
    day,
    crawler,
    more,
  );
};

/**
 * Moves the pages of one crawler to the row of all crawlers. The crawler's own row keeps only its number of requests.
 */
export function mergePages(db: Db, key: CrawlerDay): void {
  addTo(db, { ...key, crawler: ALL }, readPackedPages(db, key));
  removePages(db, key, 0);
}

/**
 * Adds requests to a day that is older than the retention. On such a day, only the row of all crawlers has pages. The
 * row of a single crawler has only a number of requests.
 */
export function addAfterRetention(db: Db, key: CrawlerDay, pages: PageCounts): void {
  if (isOfAll(key)) addTo(db, key, pages);
  else removePages(db, key, sumRequests(pages));
}

/**
 * Lists all packed requests of a site, by day, crawler and page. Requests without pages are listed with term 0, the
 * empty text.
 */
export function* listAllPacked(db: Db, siteId: number): Generator<CrawlerDay & { pages: PageCounts }> {
  const sql =
    'SELECT site_id AS siteId, day, crawler, requests, data IS NULL AS isBare FROM packed_crawl WHERE site_id = ? ORDER BY day, crawler';
  for (const { requests, isBare, ...key } of db.all<CrawlerDay & { requests: number; isBare: 0 | 1 }>(sql, siteId))
    yield { ...key, pages: isBare === 1 ? new Map([[0, requests]]) : readPackedPages(db, key) };
}

/**
 * Lists the days and crawlers with stored pages. On a day that is older than the retention, only the row of all
 * crawlers has pages.
 */
export function listPacked(db: Db, siteId: number, { from, to }: Range): CrawlerDay[] {
  const sql = `SELECT site_id AS siteId, day, crawler FROM packed_crawl
    WHERE ${BETWEEN} AND data IS NOT NULL ORDER BY day, crawler`;
  return db.all(sql, siteId, from, to);
}

export const isOfAll = ({ crawler }: CrawlerDay): boolean => crawler === ALL;

/**
 * Adds up the requests of each AI crawler. The row of all crawlers is left out. Otherwise, its requests would count
 * twice.
 */
export const sumPacked = (db: Db, siteId: number, { from, to }: Range): { crawler: string; requests: number }[] =>
  db.all(
    `SELECT crawler, sum(requests) AS requests FROM packed_crawl WHERE ${BETWEEN} AND crawler <> '${ALL}' GROUP BY crawler`,
    siteId,
    from,
    to,
  );

/**
 * Returns how many bytes of pages the retention would remove from the rows of single crawlers. The row of all crawlers
 * keeps its pages, so their bytes are not counted.
 */
export const sumPackedBytes = (db: Db, siteId: number, { from, to }: Range): number =>
  db.one<{ bytes: number }>(
    `SELECT coalesce(sum(length(data)), 0) AS bytes FROM packed_crawl WHERE ${BETWEEN} AND crawler <> '${ALL}'`,
    siteId,
    from,
    to,
  )?.bytes ?? 0;

export function* checkPacked(db: Db, siteId: number): Generator<{ day: number; faults: string[] }> {
  for (const key of listPacked(db, siteId, { from: 0, to: Number.MAX_SAFE_INTEGER })) {
    try {
      readPackedPages(db, key);
    } catch {
      yield { day: key.day, faults: [`requests of crawler ${key.crawler || 'all'}: their bytes changed`] };
    }
  }
}

export const removeSitePacked = (db: Db, siteId: number, most: number): number =>
  db.run(
    `DELETE FROM packed_crawl WHERE (site_id, day, crawler) IN
       (SELECT site_id, day, crawler FROM packed_crawl WHERE site_id = ? LIMIT ?)`,
    siteId,
    most,
  ).changes;

export const removePackedWithin = (db: Db, siteId: number, { from, to }: Range, most: number): number =>
  db.run(
    `DELETE FROM packed_crawl WHERE (site_id, day, crawler) IN
       (SELECT site_id, day, crawler FROM packed_crawl WHERE ${BETWEEN} LIMIT ?)`,
    ...[siteId, from, to, most],
  ).changes;
