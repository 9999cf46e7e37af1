import type { Range } from '../stats/question.ts';
import { byCodePoint } from '../stats/reports.ts';
import type { Db } from '../store/statements.ts';

export type CrawlQuestion = { siteId: number; range: Range; crawler: string | undefined; limit: number };

export type Crawls = ReturnType<typeof listCrawls>;

/** The requests of each crawler, and the pages they were for; of one crawler where it is named. */
export function listCrawls(db: Db, { siteId, range, crawler, limit }: CrawlQuestion) {
  const where = 'c.site_id = ? AND c.day >= ? AND c.day < ?';
  const crawlers = db.all<{ crawler: string; requests: number }>(
    `SELECT c.crawler, sum(c.requests) AS requests FROM crawl_day c WHERE ${where} GROUP BY c.crawler`,
    siteId,
    range.from,
    range.to,
  );
  const pages = db.all<{ page: string; requests: number }>(
    `SELECT t.text AS page, sum(c.requests) AS requests
     FROM crawl_day c JOIN term t ON t.site_id = c.site_id AND t.id = c.page
     WHERE ${where} AND (? = '' OR c.crawler = ?)
     GROUP BY c.page ORDER BY requests DESC, t.text LIMIT ?`,
    siteId,
    range.from,
    range.to,
    crawler ?? '',
    crawler ?? '',
    limit,
  );
  return {
    crawlers: crawlers.sort((a, b) => b.requests - a.requests || byCodePoint(a.crawler, b.crawler)),
    pages,
  };
}
