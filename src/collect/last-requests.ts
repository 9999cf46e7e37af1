import { copyText } from '../lib/copy-text.ts';
import type { Reason } from './outcome.ts';

/**
 * A pageview or event that a browser sent for a site, counted or dropped. `currency` is the currency of the site's
 * first revenue, if this request or an earlier one brought it. The primary stores this currency.
 */
type Request = { at: number; dropped: Reason | undefined; host: string; currency?: string | undefined };

/**
 * The latest request of a site. `foreign` is the latest request from a page on a host that does not belong to the site.
 * This request shows the owner that the script is on the wrong host.
 */
export type LastRequest = Request & { foreign?: Request };

/** A request of a browser, in the form in which a collector of a cluster reports it to the primary. */
export type SeenRequest = Omit<Request, 'dropped'> & { siteId: number; dropped?: Reason | undefined };

/**
 * Limits the memory to 10,000 sites. Above this number, the site without requests for the longest time is forgotten.
 */
const MOST_SITES = 10_000;

/** A host name has at most 253 characters. If a browser sends a longer text, it is cut to save memory. */
const LONGEST_HOST = 253;

/**
 * Remembers the latest request of each site. The dashboard shows this request to an owner who has just added the
 * script. Nothing about the client is kept.
 */
export function rememberRequests(mostSites = MOST_SITES) {
  const bySite = new Map<number, LastRequest>();
  return {
    note({ siteId, at, dropped, host, currency }: SeenRequest): void {
      const known = bySite.get(siteId);
      const shortened = host.slice(0, LONGEST_HOST);
      // The host is copied, because a part of a text keeps the whole message in memory. Nearly all requests of a site
      // have the same host, so one copy is enough.
      const request: Request = {
        at,
        dropped,
        host: known?.host === shortened ? known.host : copyText(shortened),
        currency: currency ?? known?.currency,
      };
      const foreign = dropped === 'foreign-host' ? request : known?.foreign;
      // A Map keeps the order of insertion, and each request moves its site to the end. The first entry is therefore
      // the site without requests for the longest time.
      bySite.delete(siteId);
      if (bySite.size >= mostSites) bySite.delete(bySite.keys().next().value as number);
      bySite.set(siteId, foreign ? { ...request, foreign } : request);
    },
    of: (siteId: number): LastRequest | undefined => bySite.get(siteId),
    since: (from: number): SeenRequest[] =>
      [...bySite].flatMap(([siteId, { foreign, ...last }]) =>
        [...(foreign ? [foreign] : []), last].filter(({ at }) => at >= from).map((one) => ({ siteId, ...one })),
      ),
  };
}
