// A row of the table `packed_crawl` has all requests of one AI crawler on one past day. Pages and counts are a blob,
// which is some packed lists. The row also has the CRC-32 checksum of this blob and the sum of the counts.
// Invariant: if a row has pages, their counts add up to `requests`. Otherwise, reading the row throws an error.
//
// Example: page 3 has 5 requests and page 9 has 2. The blob has the lists [3, 9] and [5, 2], and `requests` is 7.
// Later, retention deletes the old pages of this crawler. Then the row has 7 requests and no pages. The two pages are
// added to a row with an empty text as its crawler. That row has the pages of all crawlers together.
//
// crawls.ts packs rows and reads them. upkeep/retention.ts takes their pages away. A transfer to another engine copies
// the rows.
import { crc32 } from 'node:zlib';
import type { Range } from '../../stats/query.ts';
import type { Db } from '../../store/db.ts';
import { narrow, pack, unpack } from '../column/packing.ts';

/** How many requests of AI crawlers each page has. The key is the term, the number of the page's text. */
export type PageCounts = Map<number, number>;

/**
 * An AI crawler on a past day. An empty name stands for all crawlers together, whose pages are added up when a day gets
 * old.
 */
export type CrawlerDay = { siteId: number; day: number; crawler: string };
const ALL = '';

const THIS = 'site_id = ? AND day = ? AND crawler = ?';
const BETWEEN = 'site_id = ? AND day >= ? AND day < ?';

/**
 * Adds requests of an AI crawler to a past day. Retention may have deleted the pages of single crawlers on that day.
 * Then the row of all crawlers together gets the pages, and the crawler's own row only the number of requests.
 */
export function addPacked(db: Db, key: CrawlerDay, pages: PageCounts): void {
  const all = { ...key, crawler: ALL };
  if (!findRow(db, all)) addTo(db, key, pages);
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

/**
 * Returns the pages in a row with their requests. Throws if the bytes are damaged, because a wrong figure is worse than
 * none.
 */
function unpackPages({ day, crawler }: CrawlerDay, { requests, data, crc }: StoredCrawls): PageCounts {
  if (!data) return new Map();
  const [terms = [], counts = []] = crc32(data) === crc ? unpack(data) : [];
  const pages = new Map(Array.from(terms, (term, i) => [term, counts[i] as number]));
  if (sumRequests(pages) !== requests) {
    throw new Error(`the requests of ${crawler || 'all crawlers'} on day ${day} are damaged; run daybook check`);
  }
  return pages;
}

/**
 * Returns the pages that an AI crawler requested on a past day. The result is empty if retention, the deletion of old
 * data, has deleted the pages.
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
 * Adds the pages of an old day of one crawler to the row of all crawlers together. The crawler's own row keeps only its
 * number of requests. Retention, the deletion of old data, does this.
 */
export function mergePages(db: Db, key: CrawlerDay): void {
  addTo(db, { ...key, crawler: ALL }, readPackedPages(db, key));
  removePages(db, key, 0);
}

/**
 * Adds requests of an old day. On old days, pages are stored only for all AI crawlers together. So pages go to the row
 * of all crawlers. The row of one crawler stores only a number of requests.
 */
export function addAfterRetention(db: Db, key: CrawlerDay, pages: PageCounts): void {
  if (isOfAll(key)) addTo(db, key, pages);
  else removePages(db, key, sumRequests(pages));
}

/**
 * Lists all packed requests of AI crawlers on a site, by day, crawler and page. If the pages of a row were deleted, all
 * its requests are listed with term 0, the empty text.
 */
export function* listAllPacked(db: Db, siteId: number): Generator<CrawlerDay & { pages: PageCounts }> {
  const sql =
    'SELECT site_id AS siteId, day, crawler, requests, data IS NULL AS isBare FROM packed_crawl WHERE site_id = ? ORDER BY day, crawler';
  for (const { requests, isBare, ...key } of db.all<CrawlerDay & { requests: number; isBare: 0 | 1 }>(sql, siteId))
    yield { ...key, pages: isBare === 1 ? new Map([[0, requests]]) : readPackedPages(db, key) };
}

/**
 * Lists the days and crawlers for which pages are stored. On old days, pages are stored only in the row of all crawlers
 * together.
 */
export function listPacked(db: Db, siteId: number, { from, to }: Range): CrawlerDay[] {
  const sql = `SELECT site_id AS siteId, day, crawler FROM packed_crawl
    WHERE ${BETWEEN} AND data IS NOT NULL ORDER BY day, crawler`;
  return db.all(sql, siteId, from, to);
}

export const isOfAll = ({ crawler }: CrawlerDay): boolean => crawler === ALL;

/**
 * Adds up the requests of each AI crawler. The row of all crawlers together is left out, because its requests are in
 * the crawlers' own rows too. Otherwise they would count twice.
 */
export const sumPacked = (db: Db, siteId: number, { from, to }: Range): { crawler: string; requests: number }[] =>
  db.all(
    `SELECT crawler, sum(requests) AS requests FROM packed_crawl WHERE ${BETWEEN} AND crawler <> '${ALL}' GROUP BY crawler`,
    siteId,
    from,
    to,
  );

/**
 * Retention deletes the pages of single crawlers on old days. Returns how many bytes this would free. The row of all
 * crawlers together is left out, because retention keeps this row.
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
