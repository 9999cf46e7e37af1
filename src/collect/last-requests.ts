import type { Reason } from './outcome.ts';

/** The last that was sent for a site, and the last page that is on none of its hosts. */
export type Seen = { at: number; dropped: Reason | undefined; foreign?: { at: number; host: string } };

/** For whoever waits for the first hit. In memory only, one entry a site, and of the sender nothing at all. */
export function lastRequests() {
  const bySite = new Map<number, Seen>();
  return {
    note(siteId: number, at: number, dropped: Reason | undefined, host: string): void {
      const foreign = dropped === 'foreign-host' ? { at, host } : bySite.get(siteId)?.foreign;
      bySite.set(siteId, { at, dropped, ...(foreign ? { foreign } : {}) });
    },
    of: (siteId: number): Seen | undefined => bySite.get(siteId),
  };
}
