import assert from 'node:assert/strict';
import type { Program } from '../support/program.ts';
import { domainOf } from './crowd.ts';
import { rowsOn, type Server } from './servers.ts';

/* What a cluster has, beside what was acknowledged. */

export const TABLES = ['activity', 'brought', 'visit', 'tally', 'crawled', 'dropped'] as const;

/** Figures of these tables may be in several rows, which ClickHouse adds up when it likes. */
const SUMS: Partial<Record<(typeof TABLES)[number], [figure: string, keys: string]>> = {
  crawled: ['requests', 'site, day, crawler, page'],
  dropped: ['hits', 'site, day, reason'],
};

/** What tells the content of a table, whatever the order of its rows. */
function contentOf(table: (typeof TABLES)[number]): string {
  const [figure, keys] = SUMS[table] ?? [];
  const rows = figure ? `(SELECT ${keys}, sum(${figure}) AS ${figure} FROM ${table} GROUP BY ${keys})` : table;
  return `SELECT count() AS n, toString(sum(cityHash64(*))) AS hash FROM ${rows}`;
}

/** Where replicas of a shard differ, by table. */
export async function differences(servers: readonly Server[], database: string): Promise<string[]> {
  const found: string[] = [];
  for (const table of TABLES) {
    const answers = await Promise.all(
      servers.map(async (server) => ({
        ...server,
        text: JSON.stringify(await rowsOn(server, database, contentOf(table))),
      })),
    );
    for (const replicas of Map.groupBy(answers, ({ shard }) => shard).values()) {
      if (new Set(replicas.map(({ text }) => text)).size > 1)
        found.push(`${table}: ${replicas.map(({ http, text }) => `${http} ${text}`).join(' ')}`);
    }
  }
  return found;
}

export type Hit = { domain: string; date: string; page: string };

/** All hits of sites, as the cluster tells them. */
export async function exported({ print, db }: Program, engine: string, domains: Iterable<string>): Promise<Hit[]> {
  const hits: Hit[] = [];
  for (const domain of domains) {
    const text = await print(['export', domain, '--format', 'ndjson', '--engine', engine, '--db', db]);
    for (const line of text.split('\n').filter((one) => one !== '')) {
      const { at, url } = JSON.parse(line) as { at: string; url: string };
      hits.push({ domain, date: at.slice(0, 10), page: new URL(url).pathname });
    }
  }
  return hits;
}

/** Each page that was acknowledged is there once, and nothing that nobody sent. */
export function assertOnce(pages: readonly string[], sent: ReadonlySet<string>, acknowledged: Iterable<string>): void {
  const counts = new Map<string, number>();
  for (const page of pages) counts.set(page, (counts.get(page) ?? 0) + 1);
  const wrong = [...counts].filter(([page, n]) => n !== 1 || !sent.has(page));
  const lost = [...acknowledged].filter((page) => !counts.has(page));
  assert.deepEqual({ wrong, lost }, { wrong: [], lost: [] });
}

type Ask = (site: number, path: string) => Promise<{ body: { data: unknown } }>;

/** The figures of each site are those of its hits, and nobody was taken for two people. */
export async function assertFigures(ask: Ask, sites: Iterable<number>, hits: readonly Hit[]): Promise<void> {
  const days = [...new Set(hits.map(({ date }) => date))].sort();
  const bySite = Map.groupBy(hits, ({ domain }) => domain);
  for (const site of sites) {
    const own = bySite.get(domainOf(site)) ?? [];
    for (const day of days) {
      const count = own.filter(({ date }) => date === day).length;
      const { body } = await ask(site, `overview?range=${day}~${day}`);
      const { visitors, pageviews } = body.data as { visitors: number; pageviews: number };
      assert.deepEqual([visitors, pageviews], [Math.min(1, count), count], `${site} ${day}`);
    }
  }
}
