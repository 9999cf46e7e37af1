import * as v from 'valibot';
import { Time } from '../lib/http/fields.ts';
import { iso } from '../lib/time.ts';
import type { SiteCall } from './route.ts';

export const Arrivals = v.strictObject({
  /**
   * The last message from a browser since the server started. `dropped` is the reason why the hit was not counted. If
   * the hit was counted, `dropped` is null.
   */
  last: v.nullable(v.strictObject({ at: Time, dropped: v.nullable(v.string()) })),
  /** The last message from a page of another domain, such as a copy of the site. */
  foreign: v.nullable(v.strictObject({ at: Time, host: v.string() })),
});
export type Arrivals = v.InferOutput<typeof Arrivals>;

/** Shows the last messages from browsers. They help to find out why the server counts nothing. */
export function show({ api, site }: SiteCall): Arrivals {
  const seen = api.collector.lastRequest(site.id);
  return {
    last: seen ? { at: iso(seen.at), dropped: seen.dropped ?? null } : null,
    foreign: seen?.foreign ? { at: iso(seen.foreign.at), host: seen.foreign.host } : null,
  };
}
