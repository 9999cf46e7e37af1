// Counts the requests of crawlers, and dropped hits, such as hits of bots. ClickHouse has a table for each of the two.
//
// Invariant: every row of the two tables counts. Hits become visits in another table when their day is sealed, but
// crawls and drops stay in these tables.
//
// Example: a crawler requested /a on two days, 3 and 4 times. The list of its pages says 7 for /a. queries.ts uses this
// file.
import type { Crawl, Drop } from '../../engine/activity.ts';
import type { BlockedHits, CrawlQuery, Crawls } from '../../engine/engine.ts';
import { compareCodePoints } from '../../lib/code-points.ts';
import type { Range } from '../../stats/query.ts';
import { type Nodes, sumRows } from '../servers/nodes.ts';
import { buildBinder } from './filters.ts';

/**
 * Counts the requests of crawlers, by crawler and by page. With `crawler`, the list of pages counts only this crawler.
 *
 * The ledger counts the pages of old days only for all crawlers together. If a transfer moved such days to the cluster,
 * the crawler in their rows is empty. With `crawler`, the list of pages does not count these days, and `leftOut` lists
 * them.
 */
export async function listCrawls(
  nodes: Nodes,
  { siteId, range, crawler, limit }: CrawlQuery,
  signal?: AbortSignal,
): Promise<Crawls> {
  const { values, bind } = buildBinder();
  const one = crawler === undefined ? '1' : `crawler = ${bind(crawler)}`;
  const withoutCrawlers = `SELECT DISTINCT day FROM crawled WHERE ${matchSite(siteId, range)} AND crawler = ''`;
  const bare = crawler === undefined ? [] : await nodes.ask<{ day: number }>(withoutCrawlers, {}, signal);
  const leftOut = [...new Set(bare.map(({ day }) => day))].sort((a, b) => a - b);
  const named = leftOut.length === 0 ? one : `${one} AND day NOT IN (${leftOut.join()})`;
  type Found = { value: string; requests: number };
  const by = async (name: string, condition: string): Promise<Found[]> => {
    const rows = await nodes.ask<Found>(
      `SELECT toString(${name}) AS value, sum(requests) AS requests FROM (
         SELECT crawler, page, requests FROM crawled WHERE ${matchSite(siteId, range)} AND ${condition}) GROUP BY value`,
      values,
      signal,
    );
    return sumRows(rows, ['value']).sort((a, b) => b.requests - a.requests || compareCodePoints(a.value, b.value));
  };
  const [crawlers, pages] = await Promise.all([by('crawler', "crawler <> ''"), by('page', `${named} AND page <> ''`)]);
  return {
    crawlers: crawlers.map(({ value, requests }) => ({ crawler: value, requests })),
    pages: pages.slice(0, limit).map(({ value, requests }) => ({ page: value, requests })),
    leftOut,
  };
}

const matchSite = (siteId: number, { from, to }: Range): string =>
  `site = ${siteId} AND day >= ${from} AND day < ${to}`;

export async function countDropsByDay(
  nodes: Nodes,
  siteId: number,
  range: Range,
  signal?: AbortSignal,
): Promise<Map<number, number>> {
  const sql = `SELECT day, sum(hits) AS n FROM dropped WHERE ${matchSite(siteId, range)} GROUP BY day`;
  const rows = sumRows(await nodes.ask<{ day: number; n: number }>(sql, {}, signal), ['day']);
  return new Map(rows.map(({ day, n }) => [day, n]));
}

export async function listDrops(
  nodes: Nodes,
  siteId: number,
  range: Range,
): Promise<{ reason: string; hits: number }[]> {
  const rows = await nodes.ask<{ reason: string; hits: number }>(
    `SELECT toString(reason) AS reason, sum(n) AS hits FROM (
       SELECT reason, hits AS n FROM dropped WHERE ${matchSite(siteId, range)}) GROUP BY reason`,
  );
  return sumRows(rows, ['reason']).sort((a, b) => b.hits - a.hits || compareCodePoints(a.reason, b.reason));
}

/** Counts the hits that each block dropped on each day. The drops of collectors count too. */
export async function countBlocked(nodes: Nodes, siteId: number, range: Range): Promise<BlockedHits[]> {
  const sql = `SELECT block, day, sum(n) AS hits FROM (
    SELECT block, day, hits AS n FROM dropped WHERE ${matchSite(siteId, range)} AND block <> 0) GROUP BY block, day`;
  return sumRows(await nodes.ask<BlockedHits>(sql), ['block', 'day']);
}

/**
 * Lists the requests of crawlers by day. A row with an empty crawler counts the requests of all crawlers. A row with an
 * empty page counts the requests of all pages.
 */
export async function listCrawlDays(nodes: Nodes, siteId: number): Promise<Crawl[]> {
  const sql = `SELECT day, toString(crawler) AS crawler, page, sum(n) AS requests FROM (
    SELECT day, crawler, page, requests AS n FROM crawled WHERE site = ${siteId}) GROUP BY day, crawler, page`;
  const rows = sumRows(await nodes.ask<Omit<Crawl, 'siteId'>>(sql), ['day', 'crawler', 'page']);
  return rows.map((row) => ({ siteId, ...row }));
}

export async function listDropDays(nodes: Nodes, siteId: number): Promise<Drop[]> {
  const sql = `SELECT day, toString(reason) AS reason, sum(n) AS hits FROM (
    SELECT day, reason, hits AS n FROM dropped WHERE site = ${siteId}) GROUP BY day, reason`;
  const rows = sumRows(await nodes.ask<Omit<Drop, 'siteId'>>(sql), ['day', 'reason']);
  return rows.map((row) => ({ siteId, ...row }));
}

/** Counts the hits that were dropped for one reason, by site and day. `from` is the first day. */
export async function listDroppedDays(nodes: Nodes, reason: string, from: number) {
  const { values, bind } = buildBinder();
  const rows = await nodes.ask<{ siteId: number; day: number; hits: number }>(
    `SELECT site AS siteId, day, sum(n) AS hits FROM (
       SELECT site, day, hits AS n FROM dropped WHERE reason = ${bind(reason)} AND day >= ${from}) GROUP BY siteId, day`,
    values,
  );
  return sumRows(rows, ['siteId', 'day']).sort((one, other) => one.day - other.day);
}
