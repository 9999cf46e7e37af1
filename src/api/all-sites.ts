// A report over all sites adds up the figures of several sites. The query may name the sites. Otherwise all sites of
// the caller are added up.
//
// Invariant: each site has its own days, because "today" is another day in Tokyo than in New York. The period of the
// answer covers the days of all sites. A range such as `last-month` is the same month for all sites. If the query names
// a site of a blocked account, the query is refused. If the query names no sites, sites of blocked accounts are left
// out, and a notice says so.
//
// Example: 10 visitors of one site and 5 of another are 15. A person on both sites counts twice, because each site has
// its own visitor codes. The table in `routes.ts` calls these functions for the paths below /stats.

import * as v from 'valibot';
import { fault } from '../lib/http/fault.ts';
import { iso } from '../lib/time.ts';
import { findSiteDay, type SiteZone } from '../lib/zone.ts';
import { SHARED_BREAKDOWNS, SHARED_INTERVALS } from '../stats/all-sites.ts';
import { listLiveDays } from '../stats/calendar.ts';
import { findLiveStart } from '../stats/definitions.ts';
import { findUsualInterval, listPoints } from '../stats/interval.ts';
import { REVENUE_METRICS } from '../stats/metrics.ts';
import type { Range } from '../stats/query.ts';
import { present } from '../stats/reports.ts';
import * as stats from './answers.ts';
import { CompareParameters, chooseCompared } from './compare.ts';
import { listOf } from './input.ts';
import { describeNotices } from './notices.ts';
import { markMissed } from './outages.ts';
import { Limit } from './query.ts';
import { CurrencyParameter, chooseCurrency } from './revenue.ts';
import { Offset } from './rows.ts';
import {
  askSites,
  coverRanges,
  findSites,
  listCountNotices,
  makeFrame,
  type Own,
  type PickDays,
  type SharedCall,
  SharedQuery,
} from './sites-frame.ts';

const MoneyParameters = { metrics: v.optional(listOf(REVENUE_METRICS)), ...CurrencyParameter };

export const SharedOverviewQuery = v.strictObject({
  ...SharedQuery.entries,
  ...CompareParameters,
  ...MoneyParameters,
});

export const SharedTimeseriesQuery = v.strictObject({
  ...SharedQuery.entries,
  interval: v.optional(v.picklist(SHARED_INTERVALS, fault('none_of', { known: SHARED_INTERVALS.join(', ') }))),
  ...MoneyParameters,
});

export const SharedBreakdownName = v.picklist(
  SHARED_BREAKDOWNS,
  fault('none_of', { known: SHARED_BREAKDOWNS.join(', ') }),
);

export const SharedBreakdownQuery = v.strictObject({
  ...SharedQuery.entries,
  breakdown: SharedBreakdownName,
  limit: Limit,
  offset: Offset,
});

export const SharedBreakdown = v.strictObject({
  ...stats.Breakdown.entries,
  breakdown: SharedBreakdownName,
  rows: v.array(stats.ValueCount),
});
type SharedBreakdown = v.InferOutput<typeof SharedBreakdown>;

const ALL_DAYS: Range = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };

/** The time zone where each day begins first. No site and no browser has a later date than this zone. */
const FURTHEST_AHEAD: SiteZone = { timeZone: 'Pacific/Kiritimati', earliestDay: 0 };

export async function showOverview(
  call: SharedCall<v.InferOutput<typeof SharedOverviewQuery>>,
): Promise<stats.Overview> {
  const { query, now } = call;
  const latest = findSiteDay(FURTHEST_AHEAD, now);
  const comparedTo: PickDays = (range, site) => chooseCompared(query, range, site, now, latest);
  const { frame, formatSpan, head, measured, leftOut, completeness } = await askSites(
    call,
    ({ sites, ...frame }, own) => ({
      ...{ ...frame, report: 'overview', currency: chooseOwn(own, query) },
      sites: sites.map((one, i) => ({ ...one, compared: comparedTo(one.range, (own[i] as Own).site) })),
    }),
  );
  // `present` returns notices too, but without the domains of their sites. `head` already has each notice with its
  // domain. So the notices of `present` are dropped.
  const { notices: _, previous, change, ...own } = present({ ...frame, report: 'overview' }, { ...measured, leftOut });
  const missed = async (part: PickDays) => markMissed((await completeness(part))(ALL_DAYS));
  const answer = { ...head, ...own, ...(await missed((range) => range)) };
  if (query.compare === 'none') return answer;
  return { ...answer, previous: { ...formatSpan(comparedTo), ...previous, ...(await missed(comparedTo)) }, change };
}

export async function showTimeseries(
  call: SharedCall<v.InferOutput<typeof SharedTimeseriesQuery>>,
): Promise<stats.Timeseries> {
  const { interval } = call.query;
  const { frame, head, measured, completeness } = await askSites(call, (frame, own) => ({
    ...{ ...frame, report: 'timeseries', interval, currency: chooseOwn(own, call.query) },
  }));
  const { metrics } = call.query;
  const { notices: _, ...found } = present({ ...frame, report: 'timeseries', interval, metrics }, measured);
  const isComplete = await completeness();
  const days = listPoints(frame.range, interval ?? findUsualInterval(frame.range));
  const points = found.points.map((point, i) => ({ ...point, ...markMissed(isComplete(days[i] as Range)) }));
  return { ...head, ...found, points };
}

export async function showBreakdown(
  call: SharedCall<v.InferOutput<typeof SharedBreakdownQuery>>,
): Promise<SharedBreakdown> {
  const { breakdown, limit, offset } = call.query;
  const { head, measured } = await askSites(call, (frame) => ({
    ...frame,
    report: 'breakdown',
    breakdown,
    limit,
    offset,
  }));
  return { ...head, breakdown, rows: measured.rows.map(({ value, visitors }) => ({ value, visitors })) };
}

export async function showRealtime(call: SharedCall): Promise<stats.Realtime> {
  const { api, now, signal } = call;
  const { sites, notices } = findSites(call);
  const own = sites.map((site) => ({ siteId: site.id, domain: site.domain, range: listLiveDays(site, now) }));
  const { frame, applied: filters } = makeFrame(call, own, coverRanges(own.map(({ range }) => range)));
  const found = await api.queries.measureSites({ ...frame, report: 'realtime', now }, signal());
  const all = [...notices, ...own.flatMap((site) => listCountNotices(site, found))];
  return {
    from: iso(findLiveStart(now)),
    to: iso(now),
    filters,
    ...describeNotices(all),
    visitors: found.measured.live,
  };
}

/**
 * Chooses the currency of the answer: the one that the query names, or else the currency of the sites. Returns
 * undefined if the query does not ask for revenue. Throws if the sites have different currencies and the query names
 * none.
 */
const chooseOwn = (own: readonly Own[], query: Parameters<typeof chooseCurrency>[1]): string | undefined =>
  chooseCurrency(
    own.map(({ site }) => site),
    query,
  );
