import { type Clock, seconds } from '../lib/time.ts';
import type { Db } from '../store/db.ts';
import { type CollectedSite, findVisitedSite } from '../store/sites/sites.ts';

/** So long the sites are remembered; hits that come quickly one after another are written together about as late. */
const KEPT_MS = 5;

/**
 * Finds a site by its domain or a former one, through a cache that lives until this process writes or another may have: for 5 ms,
 * within which another process that deletes a site and adds it again loses its hits. It is never mistaken for the old one
 * (test/collect/known-sites.test.ts). Hits that arrive together share a query: 0.3 µs each in place of 12 µs.
 */
export function knownSites(db: Db, clock: Clock): (domain: string) => CollectedSite | undefined {
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
