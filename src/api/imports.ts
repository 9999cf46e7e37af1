import * as v from 'valibot';
import { Day, Id, Time } from '../lib/http/fields.ts';
import { DAY, formatDay, iso } from '../lib/time.ts';
import { Count } from './answers.ts';
import type { SiteCall } from './route.ts';

/**
 * An import of a site, as the API returns it. `days`, `from` and `to` are about the days that no later import has
 * replaced. If later imports have replaced all its days, `days` is 0.
 */
export const Import = v.strictObject({
  id: Id,
  imported_at: Time,
  hits: Count,
  days: Count,
  from: v.nullable(Day),
  to: v.nullable(Day),
});
export type Import = v.InferOutput<typeof Import>;

export async function list({ api, site }: SiteCall): Promise<Import[]> {
  const found = await api.imports.list(site.id);
  return found.toReversed().map(({ id, at, hits, days, first, last }) => ({
    ...{ id, imported_at: iso(at), hits, days },
    from: days > 0 ? formatDay(first * DAY) : null,
    to: days > 0 ? formatDay(last * DAY) : null,
  }));
}

export async function remove({ api, site, id, record }: SiteCall): Promise<void> {
  await api.imports.remove(site.id, id, { alongside: (last) => record(undefined, last) });
}
