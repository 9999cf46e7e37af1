import type { Crawl, CrawlQuestion, Crawls } from '../engine.ts';
import { byCodePoint } from '../lib/code-points.ts';
import type { Db } from '../store/statements.ts';
import type { Texts } from './terms.ts';
import { topRows } from './top.ts';

/** Adds requests of a crawler; `page` is the term of the page. */
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

/** The terms of the pages that crawlers requested on a day. */
export const listCrawledPages = (db: Db, siteId: number, day: number): number[] =>
  db
    .all<{ page: number }>('SELECT DISTINCT page FROM crawl_day WHERE site_id = ? AND day = ?', siteId, day)
    .map(({ page }) => page);

/** The requests by crawler and by page. If the question names a crawler, only its pages are listed. */
export function listCrawls(db: Db, question: CrawlQuestion, textOf: Texts['textOf']): Crawls {
  const { siteId, range, crawler, limit } = question;
  const where = 'site_id = ? AND day >= ? AND day < ?';
  const crawlers = db.all<{ crawler: string; requests: number }>(
    `SELECT crawler, sum(requests) AS requests FROM crawl_day WHERE ${where} GROUP BY crawler`,
    siteId,
    range.from,
    range.to,
  );
  const pages = db.all<{ page: number; requests: number }>(
    `SELECT page, sum(requests) AS requests FROM crawl_day WHERE ${where} AND (? = '' OR crawler = ?) GROUP BY page`,
    siteId,
    range.from,
    range.to,
    crawler ?? '',
    crawler ?? '',
  );
  const top = topRows(
    pages.map(({ page }) => page),
    pages.map(({ requests }) => requests),
    limit,
    textOf,
  );
  return {
    crawlers: crawlers.sort((a, b) => b.requests - a.requests || byCodePoint(a.crawler, b.crawler)),
    pages: top.map(({ value, visitors }) => ({ page: value, requests: visitors })),
  };
}

export const removeSiteCrawls = (db: Db, siteId: number, most: number): number =>
  db.run(
    `DELETE FROM crawl_day WHERE (site_id, day, crawler, page) IN
       (SELECT site_id, day, crawler, page FROM crawl_day WHERE site_id = ? LIMIT ?)`,
    siteId,
    most,
  ).changes;
