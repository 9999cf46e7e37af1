// Outages are times in which hits were not collected. The overview and the points of the chart have `"complete": false`
// for such times, and for deleted days.
//
// In an outage, the server was down, or it refused hits, for example because its disk was full. Outages are stored in
// the database file. An outage that is still going on counts after its first minute. A site whose first hit came after
// an outage has missed nothing.
//
// For example, an outage lasts from 10:00 to 10:20. Then three figures are incomplete: today, this week, and the
// chart's point for 10:00. Reports call `checkCompleteness`, and the table in `routes.ts` calls `list`.

import * as v from 'valibot';
import { Time } from '../lib/http/fields.ts';
import { iso } from '../lib/time.ts';
import { findSiteDay } from '../lib/zone.ts';
import { type CompletenessCheck, makeCompletenessCheck } from '../stats/completeness.ts';
import type { Compared, Range } from '../stats/query.ts';
import { type Days, findDays } from '../stats/site-days.ts';
import { listOutages, type Outage, SHORTEST } from '../store/server/outages.ts';
import { readFilters } from './filters.ts';
import { type ReportQuery, readRange } from './query.ts';
import type { Call, SiteCall } from './route.ts';

export const Outages = v.strictObject({
  outages: v.array(v.strictObject({ from: Time, to: Time, reason: v.picklist(['down', 'refused']) })),
});
export type Outages = v.InferOutput<typeof Outages>;

type Asking = Pick<Call, 'api' | 'db'>;

/**
 * Lists the outages in the range of a report. Filters are checked but not used, because nobody knows which visits were
 * missed.
 */
export async function list(call: SiteCall<undefined, ReportQuery>): Promise<Outages> {
  const { db, site, query, now } = call;
  readFilters(db, site.id, query);
  const days = await findDays(call);
  const outages = listOutagesIn(call, days.findInstants(readRange(query.range, findSiteDay(site, now))));
  return { outages: outages.map(({ from, to, reason }) => ({ from: iso(from), to: iso(to), reason })) };
}

type Complete = { complete?: false };

type SiteDays = { siteId: number; days: Days; range: Compared };

/**
 * Makes a function that tells whether the server has all hits of a site in a period. A period with an outage or a
 * deleted day is incomplete.
 */
export async function checkSitesCompleteness(call: Asking, all: readonly SiteDays[]): Promise<CompletenessCheck> {
  const instants = all.map(({ days, range }) => days.findInstants(range));
  const whole = {
    from: Math.min(...instants.map(({ from }) => from)),
    to: Math.max(...instants.map(({ to }) => to)),
  };
  const ids = all.map(({ siteId }) => siteId);
  const missedNone = await makeCompletenessCheck(call.api.queries, listOutagesIn(call, whole), ids, whole);
  const deleted = new Map(
    await Promise.all(all.map(async (one) => [one.siteId, await listDeletedTimes(one)] as const)),
  );
  return (siteId, { from, to }) =>
    missedNone(siteId, { from, to }) &&
    !(deleted.get(siteId) ?? []).some((day) => Math.max(day.from, from) < Math.min(day.to, to));
}

const listDeletedTimes = async ({ days, range }: SiteDays): Promise<Range[]> =>
  (await days.listDeleted(range)).map((day) => days.findInstants({ from: day, to: day + 1 }));

export async function checkCompleteness(call: Asking, one: SiteDays) {
  const isComplete = await checkSitesCompleteness(call, [one]);
  return (instants: Range): boolean => isComplete(one.siteId, instants);
}

/** Adds `complete: false` to an answer from which hits are missing. A complete answer gets no such field. */
export const markMissed = (isComplete: boolean): Complete => (isComplete ? {} : { complete: false });

/**
 * Lists the outages in a range, including an outage that is still going on. The database does not have that outage yet.
 * Only the code that takes hits (src/collect) knows of it.
 */
export function listOutagesIn({ api, db }: Asking, { from, to }: Range): Outage[] {
  const running = api.collector.refusing();
  const isIn = running && running.to - running.from >= SHORTEST && running.from < to && running.to > from;
  return [...listOutages(db, from, to), ...(isIn ? [running] : [])];
}
