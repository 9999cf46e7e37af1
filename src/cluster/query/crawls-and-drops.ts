import type { CrawlQuery, Crawls } from '../../engine/engine.ts';
import { byCodePoint } from '../../lib/code-points.ts';
import type { Range } from '../../stats/question.ts';
import { type Nodes, sumRows } from '../servers/nodes.ts';
import { binder } from './filters.ts';

const ofSite = (siteId: number, { from, to }: Range): string => `site = ${siteId} AND day >= ${from} AND day < ${to}`;

/**
 * The requests of crawlers by crawler and by page; if the question names a crawler, only its pages are listed. A row without a
 * crawler has the pages of all whose own were let go, and one without a page how many requests these were: a file that was moved here
 * has such days.
 */
export async function listCrawls(
  nodes: Nodes,
  { siteId, range, crawler, limit }: CrawlQuery,
  gone?: AbortSignal,
): Promise<Crawls> {
  const { values, bind } = binder();
  const one = crawler === undefined ? '1' : `crawler = ${bind(crawler)}`;
  const withoutCrawlers = `SELECT DISTINCT day FROM crawled WHERE ${ofSite(siteId, range)} AND crawler = ''`;
  const bare = crawler === undefined ? [] : await nodes.ask<{ day: number }>(withoutCrawlers, {}, gone);
  const leftOut = [...new Set(bare.map(({ day }) => day))].sort((a, b) => a - b);
  const named = leftOut.length === 0 ? one : `${one} AND day NOT IN (${leftOut.join()})`;
  type Found = { value: string; requests: number };
  const by = async (name: string, condition: string): Promise<Found[]> => {
    const rows = await nodes.ask<Found>(
      `SELECT toString(${name}) AS value, sum(requests) AS requests FROM (
         SELECT crawler, page, requests FROM crawled WHERE ${ofSite(siteId, range)} AND ${condition}) GROUP BY value`,
      values,
      gone,
    );
    return sumRows(rows, ['value']).sort((a, b) => b.requests - a.requests || byCodePoint(a.value, b.value));
  };
  const [crawlers, pages] = await Promise.all([by('crawler', "crawler <> ''"), by('page', `${named} AND page <> ''`)]);
  return {
    crawlers: crawlers.map(({ value, requests }) => ({ crawler: value, requests })),
    pages: pages.slice(0, limit).map(({ value, requests }) => ({ page: value, requests })),
    leftOut,
  };
}

export async function listDrops(
  nodes: Nodes,
  siteId: number,
  range: Range,
): Promise<{ reason: string; hits: number }[]> {
  const rows = await nodes.ask<{ reason: string; hits: number }>(
    `SELECT toString(reason) AS reason, sum(n) AS hits FROM (
       SELECT reason, hits AS n FROM dropped WHERE ${ofSite(siteId, range)}) GROUP BY reason`,
  );
  return sumRows(rows, ['reason']).sort((a, b) => b.hits - a.hits || byCodePoint(a.reason, b.reason));
}

export async function listDropped(nodes: Nodes, reason: string, from: number) {
  const { values, bind } = binder();
  const rows = await nodes.ask<{ siteId: number; day: number; hits: number }>(
    `SELECT site AS siteId, day, sum(n) AS hits FROM (
       SELECT site, day, hits AS n FROM dropped WHERE reason = ${bind(reason)} AND day >= ${from}) GROUP BY siteId, day`,
    values,
  );
  return sumRows(rows, ['siteId', 'day']).sort((one, other) => one.day - other.day);
}
