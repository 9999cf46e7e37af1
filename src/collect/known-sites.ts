import { type Clock, seconds } from '../lib/time.ts';
import type { Db } from '../store/db.ts';
import { type CollectedSite, findVisitedSite } from '../store/sites/sites.ts';

/** How many milliseconds a site stays in memory. Hits that come within about this time are written together anyway. */
const KEPT_MS = 5;

/**
 * Finds a site by its present domain or an earlier one. The cache is emptied when this process writes to the database,
 * and after 5 ms, because another process may write. If a site is deleted and added again within this time, its hits
 * are lost. These hits never count for the new site (test/collect/known-sites.test.ts). A cached site takes 0.3 µs in
 * place of 12 µs.
 */
export function cacheSites(db: Db, clock: Clock): (domain: string) => CollectedSite | undefined {
  const sites = new Map<string, CollectedSite>();
  let runs = 0;
  return (domain) => {
    const now = db.runs();
    if (now !== runs) sites.clear();
    runs = now;
    const known = sites.get(domain);
    if (known) return known;
    const site = findVisitedSite(db, domain, seconds(clock));
    if (!site) return undefined;
    if (sites.size === 0) setTimeout(() => sites.clear(), KEPT_MS);
    sites.set(domain, site);
    return site;
  };
}
