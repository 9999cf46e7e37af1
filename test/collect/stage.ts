import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Activity, Crawl } from '../../src/engine/activity.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { openLedgerInProcess } from '../../src/ledger/in-process.ts';
import { TEXT_FIELDS } from '../../src/stats/dimensions.ts';
import { packVitals } from '../../src/stats/vitals.ts';
import type { Db } from '../../src/store/db.ts';
import { type Opened, openStore } from '../../src/store/file/open-file.ts';
import { addUser } from '../../src/store/people/users.ts';
import { addSite } from '../../src/store/sites/sites.ts';
import { freshFile } from '../support/fresh-file.ts';
import { type Hit, NO_WORDS } from '../support/held.ts';
import { folder, NOON } from '../support/helpers.ts';

export type { Hit };

export const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36';
export const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';
export const GPTBOT =
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)';
export const CURL = 'curl/8.7.1 (x86_64-pc-linux-gnu)';

/** What a person's browser says with each message. */
export const BROWSER = { 'user-agent': CHROME, 'accept-language': 'de-DE,de;q=0.9' };

/** Addresses in Germany, in the United States, and one that nobody has (RFC 5737). */
export const GERMAN = '85.214.1.1';
export const AMERICAN = '8.8.8.8';
export const NOWHERE = '192.0.2.1';

export const activityOf = ({ engaged, scroll, measured, ...hit }: Hit): Activity => {
  if (engaged === null) return hit;
  const { siteId, day, second, visitor, page } = hit;
  const heartbeat = { siteId, day, second, visitor, page, engaged, scroll };
  return measured ? { ...heartbeat, vitals: packVitals(measured) } : heartbeat;
};

/** As the file keeps it: of a sign of life only the page. */
export const asKept = (hit: Hit): Hit => {
  return hit.engaged === null ? hit : { ...hit, ...NO_WORDS, page: hit.page };
};

/** An engine over a file, on the tests' clock. */
export const engineOver = (db: Db, now = NOON): Engine =>
  openLedgerInProcess(db, { now: () => now, tick: () => performance.now() });

/** Keeps hits and crawls in the engine's way. */
export async function appendTo(
  engine: Engine,
  hits: readonly Hit[],
  crawls: readonly Omit<Crawl, 'requests'>[] = [],
): Promise<void> {
  for (let from = 0; from < Math.max(hits.length, 1); from += 5_000) {
    await engine.intake.append({
      activities: hits.slice(from, from + 5_000).map(activityOf),
      crawls: from === 0 ? crawls.map((crawl) => ({ ...crawl, requests: 1 })) : [],
    });
  }
}

/** The same with an engine of its own over a file. */
export const append = (db: Db, hits: readonly Hit[], crawls: readonly Omit<Crawl, 'requests'>[] = []): Promise<void> =>
  appendTo(engineOver(db), hits, crawls);

/** A word that the file does not know would be null here, and so differ from every text. */
const word = (name: string): string =>
  `CASE h.${name} WHEN 0 THEN '' ELSE (SELECT text FROM term WHERE site_id = h.site_id AND id = h.${name}) END AS ${name}`;

/** The properties of a hit as the collector writes them. */
const PROPERTIES = `coalesce((SELECT json_group_object(key, (SELECT text FROM term WHERE site_id = h.site_id AND id = value) ORDER BY key)
  FROM property_set p, json_each(p.members) WHERE p.id = h.properties HAVING count(*) > 0), '') AS properties`;
const WORDS = TEXT_FIELDS.map((name) => (name === 'properties' ? PROPERTIES : word(name))).join(', ');
const HITS = `SELECT site_id AS siteId, day, second, visitor, engaged, scroll, ${WORDS} FROM hit h ORDER BY id`;

/** What the file holds, in order of arrival and as it was taken in. */
export const storedHits = (db: Db): Hit[] =>
  db
    .all<Hit & { scroll: number | null }>(HITS)
    .map(({ scroll, ...hit }) => (scroll === null ? hit : { ...hit, scroll }));

/** How often each page of a site is in its open days. */
export function storedPages(db: Db, siteId: number): Map<string, number> {
  const rows = db.all<{ page: string; n: number }>(
    `SELECT t.text AS page, count(*) AS n FROM hit h LEFT JOIN term t ON t.site_id = h.site_id AND t.id = h.page
     WHERE h.site_id = ? GROUP BY h.page`,
    siteId,
  );
  return new Map(rows.map(({ page, n }) => [page, n]));
}

/** What was not counted of a site: one number for each reason, summed over its days or of one. */
export function storedDrops(db: Db, siteId: number, day?: number): Record<string, number> {
  const rows = db.all<{ day: number; reason: string; hits: number }>(
    'SELECT day, reason, hits FROM drop_day WHERE site_id = ? ORDER BY reason',
    siteId,
  );
  const counts: Record<string, number> = {};
  for (const row of rows)
    if (day === undefined || row.day === day) counts[row.reason] = (counts[row.reason] ?? 0) + row.hits;
  return counts;
}

/** Requests of AI crawlers to a site, by crawler and page. */
export function storedCrawls(db: Db, siteId: number): Record<string, number> {
  const rows = db.all<{ crawler: string; page: string; requests: number }>(
    `SELECT crawler, (SELECT text FROM term WHERE site_id = c.site_id AND id = c.page) AS page, sum(requests) AS requests
     FROM crawl_day c WHERE site_id = ? GROUP BY crawler, page ORDER BY crawler, page`,
    siteId,
  );
  return Object.fromEntries(rows.map(({ crawler, page, requests }) => [`${crawler} ${page}`, requests]));
}

/** The events of an account in March 2026, where the tests' clock stands. */
export const storedUsage = (db: Db, accountId: number): number =>
  db.one<{ events: number }>("SELECT events FROM usage WHERE account_id = ? AND month = '2026-03'", accountId)
    ?.events ?? 0;

/** The zone of a site that always had this one. */
export const IN_UTC = { timeZone: 'UTC', earliestDay: 0 };

/** The day on which the tests' clock begins, as hits count it. */
export const TODAY = Date.parse('2026-03-10') / 86_400_000;

/** A pageview of nobody in particular. */
export const pageview = (more: Partial<Hit> = {}): Hit => ({
  siteId: 1,
  day: TODAY,
  second: 43_200,
  visitor: 1,
  engaged: null,
  ...NO_WORDS,
  page: '/',
  ...more,
});

/** A file with the sites 1, 2 and so on of account 1, which may be opened again as after a restart. */
export function fileOf(t: TestContext, { sites = 2 } = {}): { path: string; open(): Opened } {
  const path = join(folder(t), 'daybook.db');
  const open = (): Opened => {
    const store = openStore(path);
    t.after(() => store.close());
    return store;
  };
  freshFile(path);
  const { db, close } = openStore(path);
  db.write(() => {
    const { accountId } = addUser(db, { email: 'ann@example.com', password: null, now: 0 });
    for (let n = 1; n <= sites; n++) addSite(db, { accountId, domain: `site${n}.example`, now: 0 });
  });
  close();
  return { path, open };
}
