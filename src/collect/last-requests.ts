import { copyText } from '../lib/copy-text.ts';
import type { Reason } from './outcome.ts';

type Request = { at: number; dropped: Reason | undefined; host: string };

/** The last that was sent for a site, and the last page that is on none of its hosts. */
export type Seen = Request & { foreign?: Request };

/** A request as it is told to others. */
export type SeenRequest = { siteId: number; at: number; dropped?: Reason | undefined; host: string };

/** Limits the memory. Beyond it the site that sent nothing for longest is forgotten. */
const MOST_SITES = 10_000;

/** Longer than the name of any host; a browser may claim a longer one. */
const LONGEST_HOST = 253;

/** For an owner who waits for the first hit. In memory only, one entry a site, and of the sender nothing at all. */
export function lastRequests(mostSites = MOST_SITES) {
  const bySite = new Map<number, Seen>();
  return {
    note({ siteId, at, dropped, host }: SeenRequest): void {
      const known = bySite.get(siteId);
      const shortened = host.slice(0, LONGEST_HOST);
      // Nearly all of a site come from one host.
      const request = { at, dropped, host: known?.host === shortened ? known.host : copyText(shortened) };
      const foreign = dropped === 'foreign-host' ? request : known?.foreign;
      // A Map keeps the order of insertion, so that the first is the one that was quiet for longest.
      bySite.delete(siteId);
      const [oldest] = bySite.size < mostSites ? [] : bySite.keys();
      if (oldest !== undefined) bySite.delete(oldest);
      bySite.set(siteId, { ...request, ...(foreign ? { foreign } : {}) });
    },
    of: (siteId: number): Seen | undefined => bySite.get(siteId),
    /** Requests that came at a moment or later. */
    since: (from: number): SeenRequest[] =>
      [...bySite].flatMap(([siteId, { foreign, ...last }]) =>
        [...(foreign ? [foreign] : []), last].filter(({ at }) => at >= from).map((one) => ({ siteId, ...one })),
      ),
  };
}
