import { copyText } from '../lib/copy-text.ts';
import type { Reason } from './outcome.ts';

type Request = { at: number; dropped: Reason | undefined; host: string };

/** The latest request for a site. `foreign` is the latest request from a host that does not belong to the site. */
export type LastRequest = Request & { foreign?: Request };

/** A request with its site, as a collector reports it to its server. */
export type SeenRequest = { siteId: number; at: number; dropped?: Reason | undefined; host: string };

/** Limits the memory. If there are more sites, the site without requests for the longest time is forgotten. */
const MOST_SITES = 10_000;

/** A host name has at most this many characters. A browser may send a longer text. */
const LONGEST_HOST = 253;

/**
 * Remembers the latest request of each site, for an owner who waits for the first hit. The memory has one entry for
 * each site, and nothing about the sender.
 */
export function rememberRequests(mostSites = MOST_SITES) {
  const bySite = new Map<number, LastRequest>();
  return {
    note({ siteId, at, dropped, host }: SeenRequest): void {
      const known = bySite.get(siteId);
      const shortened = host.slice(0, LONGEST_HOST);
      // Nearly all requests of a site have the same host, so the text of the host is copied only once.
      const request = { at, dropped, host: known?.host === shortened ? known.host : copyText(shortened) };
      const foreign = dropped === 'foreign-host' ? request : known?.foreign;
      // A Map keeps the order of insertion. So the first site is the one without requests for the longest time.
      bySite.delete(siteId);
      const [oldest] = bySite.size < mostSites ? [] : bySite.keys();
      if (oldest !== undefined) bySite.delete(oldest);
      bySite.set(siteId, { ...request, ...(foreign ? { foreign } : {}) });
    },
    of: (siteId: number): LastRequest | undefined => bySite.get(siteId),
    since: (from: number): SeenRequest[] =>
      [...bySite].flatMap(([siteId, { foreign, ...last }]) =>
        [...(foreign ? [foreign] : []), last].filter(({ at }) => at >= from).map((one) => ({ siteId, ...one })),
      ),
  };
}
