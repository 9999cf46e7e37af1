import * as v from 'valibot';
import { Id, Time } from '../lib/http/fields.ts';
import { DAY, formatDay, iso } from '../lib/time.ts';
import { findSiteDay } from '../lib/zone.ts';
import { findDays } from '../stats/site-days.ts';
import { Count } from './answers.ts';
import { readFilters } from './filters.ts';
import { checkCompleteness } from './outages.ts';
import { type ReportQuery, readRange } from './query.ts';
import type { SiteCall } from './route.ts';

export const DayStatus = v.strictObject({
  date: v.string(),
  state: v.picklist(['open', 'sealed', 'sums']),
  visitors: Count,
  recounted_at: v.nullable(Time),
  import_id: v.nullable(Id),
  excluded_visits: Count,
  dropped: Count,
  complete: v.boolean(),
});

export const DayReport = v.strictObject({ days: v.array(DayStatus) });
export type DayReport = v.InferOutput<typeof DayReport>;

/**
 * Lists the days with data in a range: their states, visitors, excluded visits and drops. Filters are checked but not
 * used, so a dashboard may send one query to all reports.
 */
export async function list(call: SiteCall<undefined, ReportQuery>): Promise<DayReport> {
  const { api, db, site, query, now, signal } = call;
  readFilters(db, site.id, query);
  const range = readRange(query.range, findSiteDay(site, now));
  const known = await findDays(call);
  const isComplete = await checkCompleteness(call, { siteId: site.id, days: known, range });
  const days = await api.queries.listDayStatus(site.id, range, signal());
  return {
    days: days.map(({ day, state, visitors, excluded, dropped, importId, recountedAt }) => ({
      ...{ date: formatDay(day * DAY), state, visitors },
      recounted_at: recountedAt === null ? null : iso(recountedAt),
      ...{ import_id: importId, excluded_visits: excluded, dropped },
      complete: isComplete(known.findInstants({ from: day, to: day + 1 })),
    })),
  };
}
