import { copyText } from '../lib/copy-text.ts';
import type { Reason } from './outcome.ts';

type Request = { at: number; dropped: Reason | undefined; host: string };

/** The last that was sent for a site, and the last page that is on none of its hosts. */
export type Seen = Request & { foreign?: Request };

/** A request as it is told to others. */
export type SeenRequest = { siteId: number; at: number; dropped?: Reason | undefined; host: string };

/** For whoever waits for the first hit. In memory only, one entry a site, and of the sender nothing at all. */
export function lastRequests() {
  const bySite = new Map<number, Seen>();
  return {
    note({ siteId, at, dropped, host }: SeenRequest): void {
      const known = bySite.get(siteId);
      // Nearly all of a site come from one host.
      const request = { at, dropped, host: known?.host === host ? known.host : copyText(host) };
      const foreign = dropped === 'foreign-host' ? request : known?.foreign;
      bySite.set(siteId, { ...request, ...(foreign ? { foreign } : {}) });
    },
    of: (siteId: number): Seen | undefined => bySite.get(siteId),
    /** Those that came at a moment or later. */
    since: (from: number): SeenRequest[] =>
      [...bySite].flatMap(([siteId, { foreign, ...last }]) =>
        [...(foreign ? [foreign] : []), last].filter(({ at }) => at >= from).map((one) => ({ siteId, ...one })),
      ),
  };
}
