import type { Reason } from './outcome.ts';

/** The last that was sent for a site, and the last page that is on none of its hosts. */
export type Seen = { at: number; dropped: Reason | undefined; foreign?: { at: number; host: string } };

/** A request as it is told to others. */
export type SeenRequest = { siteId: number; at: number; dropped?: Reason | undefined; host: string };

/** For whoever waits for the first hit. In memory only, one entry a site, and of the sender nothing at all. */
export function lastRequests() {
  const bySite = new Map<number, Seen>();
  /** Those of which nobody was told yet: of each site the last, and the last that is on none of its hosts. */
  let untold = new Map<string, SeenRequest>();
  return {
    note({ siteId, at, dropped, host }: SeenRequest): void {
      const isForeign = dropped === 'foreign-host';
      const foreign = isForeign ? { at, host } : bySite.get(siteId)?.foreign;
      bySite.set(siteId, { at, dropped, ...(foreign ? { foreign } : {}) });
      untold.set(`${siteId} ${isForeign}`, { siteId, at, dropped, host });
    },
    of: (siteId: number): Seen | undefined => bySite.get(siteId),
    /** Those since it was asked last. */
    news(): SeenRequest[] {
      const all = [...untold.values()];
      untold = new Map();
      return all;
    },
  };
}
