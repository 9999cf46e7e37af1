import * as v from 'valibot';
import { Time } from '../lib/http/fields.ts';
import { iso } from '../lib/time.ts';
import type { SiteCall } from './route.ts';

export const Arrivals = v.strictObject({
  /** What browsers sent last since the server runs; `dropped` is why it was not counted. */
  last: v.nullable(v.strictObject({ at: Time, dropped: v.nullable(v.string()) })),
  /** The last page that is on none of the site's hosts. */
  foreign: v.nullable(v.strictObject({ at: Time, host: v.string() })),
});
export type Arrivals = v.InferOutput<typeof Arrivals>;

/** What browsers sent for a site, for whoever wonders why nothing is counted. */
export function show({ api, site }: SiteCall): Arrivals {
  const seen = api.collector.lastRequest(site.id);
  return {
    last: seen ? { at: iso(seen.at), dropped: seen.dropped ?? null } : null,
    foreign: seen?.foreign ? { at: iso(seen.foreign.at), host: seen.foreign.host } : null,
  };
}
