import { crc32 } from 'node:zlib';
import type { Range } from '../../stats/question.ts';
import type { Db } from '../../store/db.ts';
import { narrow, pack, unpack } from '../column/packing.ts';

/** Requests by the term of their page. */
export type PageCounts = Map<number, number>;

/** The requests of one crawler on a past day. A row of this crawler has the pages of all whose own were let go. */
export type CrawlerDay = { siteId: number; day: number; crawler: string };
const ALL = '';

const THIS = 'site_id = ? AND day = ? AND crawler = ?';
const BETWEEN = 'site_id = ? AND day >= ? AND day < ?';

export function addCounts(sums: PageCounts, more: PageCounts): PageCounts {
  for (const [page, requests] of more) sums.set(page, (sums.get(page) ?? 0) + requests);
  return sums;
}

function sumOf(pages: PageCounts): number {
  let sum = 0;
  for (const requests of pages.values()) sum += requests;
  return sum;
}

type Row = { requests: number; data: Buffer | null; crc: number };

const findRow = (db: Db, { siteId, day, crawler }: CrawlerDay): Row | undefined =>
  db.one(`SELECT requests, data, crc FROM packed_crawl WHERE ${THIS}`, siteId, day, crawler);

/** The pages of a row. Throws if they are damaged, because a wrong figure is worse than none. */
function pagesOf({ day, crawler }: CrawlerDay, { requests, data, crc }: Row): PageCounts {
  if (!data) return new Map();
  const [terms = [], counts = []] = crc32(data) === crc ? unpack(data) : [];
  const pages = new Map(Array.from(terms, (term, i) => [term, counts[i] as number]));
  if (sumOf(pages) !== requests) {
    throw new Error(`the requests of ${crawler || 'all crawlers'} on day ${day} are damaged; run daybook check`);
  }
  return pages;
}

/** The pages that a crawler requested on a past day; none if they were let go. */
export function packedPages(db: Db, key: CrawlerDay): PageCounts {
  const row = findRow(db, key);
  return row ? pagesOf(key, row) : new Map();
}

function put(db: Db, { siteId, day, crawler }: CrawlerDay, pages: PageCounts): void {
  const terms = Float64Array.from(pages.keys()).sort();
  const data = pack([narrow(terms), narrow(Array.from(terms, (term) => pages.get(term) as number))]);
  db.run(
    'REPLACE INTO packed_crawl (site_id, day, crawler, requests, data, crc) VALUES (?, ?, ?, ?, ?, ?)',
    siteId,
    day,
    crawler,
    sumOf(pages),
    data,
    crc32(data),
  );
}

const addTo = (db: Db, key: CrawlerDay, pages: PageCounts): void =>
  put(db, key, addCounts(packedPages(db, key), pages));

const letGoPages = (db: Db, { siteId, day, crawler }: CrawlerDay, more: number): void => {
  db.run(
    `INSERT INTO packed_crawl (site_id, day, crawler, requests, data, crc) VALUES (?, ?, ?, ?, NULL, 0)
     ON CONFLICT DO UPDATE SET requests = requests + excluded.requests, data = NULL, crc = 0`,
    siteId,
    day,
    crawler,
    more,
  );
};

/** Adds requests to a past day. One that has sums only gets no pages by crawler again. */
export function addPacked(db: Db, key: CrawlerDay, pages: PageCounts): void {
  const all = { ...key, crawler: ALL };
  if (!findRow(db, all)) addTo(db, key, pages);
  else {
    addTo(db, all, pages);
    letGoPages(db, key, sumOf(pages));
  }
}

/** Keeps of a crawler's day how many requests there were, and the pages only together with those of all crawlers. */
export function letGo(db: Db, key: CrawlerDay): void {
  addTo(db, { ...key, crawler: ALL }, packedPages(db, key));
  letGoPages(db, key, 0);
}

/** Adds requests of which it is known of all crawlers together on which pages they were, or of one how many there were. */
export function addReduced(db: Db, key: CrawlerDay, pages: PageCounts): void {
  if (isOfAll(key)) addTo(db, key, pages);
  else letGoPages(db, key, sumOf(pages));
}

/** What is packed of a site, crawler by crawler: the requests by page, or with page 0 those of which the pages were let go. */
export function* listAllPacked(db: Db, siteId: number): Generator<CrawlerDay & { pages: PageCounts }> {
  const sql =
    'SELECT site_id AS siteId, day, crawler, requests, data IS NULL AS isBare FROM packed_crawl WHERE site_id = ? ORDER BY day, crawler';
  for (const { requests, isBare, ...key } of db.all<CrawlerDay & { requests: number; isBare: 0 | 1 }>(sql, siteId))
    yield { ...key, pages: isBare === 1 ? new Map([[0, requests]]) : packedPages(db, key) };
}

/** The crawlers of past days that have pages, by day. With `letGo` these are the sums of all whose own were let go. */
export function listPacked(db: Db, siteId: number, { from, to }: Range): CrawlerDay[] {
  const sql = `SELECT site_id AS siteId, day, crawler FROM packed_crawl
    WHERE ${BETWEEN} AND data IS NOT NULL ORDER BY day, crawler`;
  return db.all(sql, siteId, from, to);
}

export const isOfAll = ({ crawler }: CrawlerDay): boolean => crawler === ALL;

/** Requests by crawler on past days. */
export const sumPacked = (db: Db, siteId: number, { from, to }: Range): { crawler: string; requests: number }[] =>
  db.all(
    `SELECT crawler, sum(requests) AS requests FROM packed_crawl WHERE ${BETWEEN} AND crawler <> '${ALL}' GROUP BY crawler`,
    siteId,
    from,
    to,
  );

/** The bytes that the pages by crawler take on some days. */
export const packedBytes = (db: Db, siteId: number, { from, to }: Range): number =>
  db.one<{ bytes: number }>(
    `SELECT coalesce(sum(length(data)), 0) AS bytes FROM packed_crawl WHERE ${BETWEEN} AND crawler <> '${ALL}'`,
    siteId,
    from,
    to,
  )?.bytes ?? 0;

/** The days of a site on which packed requests are damaged, with what is wrong. */
export function* packedFaults(db: Db, siteId: number): Generator<{ day: number; faults: string[] }> {
  for (const key of listPacked(db, siteId, { from: 0, to: Number.MAX_SAFE_INTEGER })) {
    try {
      packedPages(db, key);
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
