import { copyText } from '../lib/copy-text.ts';
import type { Reason } from './outcome.ts';

type Request = { at: number; dropped: Reason | undefined; host: string };

/** The latest request for a site, and the latest one from a foreign host. */
export type LastRequest = Request & { foreign?: Request };

/** A request with its site, as collectors report it. */
export type SeenRequest = { siteId: number; at: number; dropped?: Reason | undefined; host: string };

/** Limits the memory. Beyond it, the site without requests for longest is forgotten. */
const MOST_SITES = 10_000;

/** The longest name of a host; a browser may claim a longer one. */
const LONGEST_HOST = 253;

/**
 * Remembers the latest request of each site, for an owner that waits for the first hit. The memory has one entry for
 * each site, and nothing of the sender.
 */
export function rememberRequests(mostSites = MOST_SITES) {
  const bySite = new Map<number, LastRequest>();
  return {
    note({ siteId, at, dropped, host }: SeenRequest): void {
      const known = bySite.get(siteId);
      const shortened = host.slice(0, LONGEST_HOST);
      // Nearly all requests of a site have one host.
      const request = { at, dropped, host: known?.host === shortened ? known.host : copyText(shortened) };
      const foreign = dropped === 'foreign-host' ? request : known?.foreign;
      // A Map keeps the order of insertion, so the first site is the one without requests for longest.
      bySite.delete(siteId);
      const [oldest] = bySite.size < mostSites ? [] : bySite.keys();
      if (oldest !== undefined) bySite.delete(oldest);
      bySite.set(siteId, { ...request, ...(foreign ? { foreign } : {}) });
    },
    of: (siteId: number): LastRequest | undefined => bySite.get(siteId),
    /** Lists the requests since a moment. */
    since: (from: number): SeenRequest[] =>
      [...bySite].flatMap(([siteId, { foreign, ...last }]) =>
        [...(foreign ? [foreign] : []), last].filter(({ at }) => at >= from).map((one) => ({ siteId, ...one })),
      ),
  };
}
