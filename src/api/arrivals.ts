import * as v from 'valibot';
import { Time } from '../lib/http/fields.ts';
import { iso } from '../lib/time.ts';
import type { SiteCall } from './route.ts';

export const Arrivals = v.strictObject({
  /** The last message of a browser since the server started. `dropped` is the reason if the hit was not counted. */
  last: v.nullable(v.strictObject({ at: Time, dropped: v.nullable(v.string()) })),
  /** The last message from a page on a domain that is not the one of the site. */
  foreign: v.nullable(v.strictObject({ at: Time, host: v.string() })),
});
export type Arrivals = v.InferOutput<typeof Arrivals>;

/** Shows the last message of a site, to find out why nothing is counted. */
export function show({ api, site }: SiteCall): Arrivals {
  const seen = api.collector.lastRequest(site.id);
  return {
    last: seen ? { at: iso(seen.at), dropped: seen.dropped ?? null } : null,
    foreign: seen?.foreign ? { at: iso(seen.foreign.at), host: seen.foreign.host } : null,
  };
}
