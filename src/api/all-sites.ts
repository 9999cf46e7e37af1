// A report over all sites adds up the figures of several sites. The query may name the sites. Otherwise all sites of
// the caller are added up.
//
// Invariant: each site has its own days, because "today" is another day in Tokyo than in New York. The time span of the
// answer covers the days of all sites. A range such as `last-month` is one month for all sites. If the query names a
// site of a blocked account, the query is refused. If the query names no sites, sites of blocked accounts are left out,
// and a notice says so.
//
// Example: 10 visitors of one site and 5 of another are 15. A person on both sites counts twice, because each site has
// its own visitor codes. The table in `routes.ts` calls these functions for the paths below /stats.

import * as v from 'valibot';
import { type Coded, coded } from '../lang/coded.ts';
import { invalid, Problem } from '../lib/errors.ts';
import { fault } from '../lib/http/fault.ts';
import { iso } from '../lib/time.ts';
import { findSiteDay, type SiteZone, UTC } from '../lib/zone.ts';
import {
  SHARED_BREAKDOWNS,
  SHARED_INTERVALS,
  type SharedMeasured,
  type SiteDays,
  type SitesQuery,
} from '../stats/all-sites.ts';
import { listLiveDays } from '../stats/calendar.ts';
import { findLiveStart } from '../stats/definitions.ts';
import { findUsualInterval, listPoints } from '../stats/interval.ts';
import { REVENUE_METRICS } from '../stats/metrics.ts';
import type { Compared, Range } from '../stats/query.ts';
import { listNotices, listRevenueNotices, present } from '../stats/reports.ts';
import { assertActive, findStanding, isBlocked } from '../store/people/accounts.ts';
import { listSites, type Site } from '../store/sites/sites.ts';
import * as stats from './answers.ts';
import { CompareParameters, chooseCompared } from './compare.ts';
import { type Days, findDays, makeDays } from './days.ts';
import { readFilters, VisitFilterParameters } from './filters.ts';
import { listOf } from './input.ts';
import { describeNotices } from './notices.ts';
import { checkSitesCompleteness, markMissed } from './outages.ts';
import { Limit, ReportParameters, readRange } from './query.ts';
import { CurrencyParameter, chooseCurrency } from './revenue.ts';
import type { Call } from './route.ts';
import { Offset } from './rows.ts';

const MOST_SITES = 100;
const SITES_HELP = fault('no_site_ids', { most: MOST_SITES });
const ID = '[1-9][0-9]{0,14}';

const SiteIds = v.pipe(
  v.string(),
  v.regex(new RegExp(`^${ID}(?:,${ID}){0,${MOST_SITES - 1}}$`), SITES_HELP),
  v.transform((ids) => new Set(ids.split(',').map(Number))),
);

export const SharedQuery = v.strictObject({
  range: ReportParameters.range,
  sites: v.optional(SiteIds),
  ...VisitFilterParameters,
});
type SharedQuery = v.InferOutput<typeof SharedQuery>;

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

type SharedCall<Query extends SharedQuery = SharedQuery> = Call<undefined, Query>;

type Span = ReturnType<Days['formatSpan']>;

/** A site and the range of the query, in days of the time zone of the site. */
type Own = { site: Site; range: Compared; days: Days };

const ALL_DAYS: Range = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };

type SharedFrame = Pick<SitesQuery, 'range' | 'filters' | 'sites' | 'userId'>;

/** If the caller has no sites, the time span of the answer is in this time zone. */
const ANYWHERE: SiteZone = { timeZone: UTC, earliestDay: 0 };

/**
 * The time zone in which each day begins first. "Today" of any browser or site is at most the present day of this zone.
 */
const FURTHEST_AHEAD: SiteZone = { timeZone: 'Pacific/Kiritimati', earliestDay: 0 };

/** Chooses the days of a site: either the days of the query, or the days to compare with. */
type PickDays = (range: Range, site: SiteZone) => Compared;

export async function showOverview(
  call: SharedCall<v.InferOutput<typeof SharedOverviewQuery>>,
): Promise<stats.Overview> {
  const { query, now } = call;
  const latest = findSiteDay(FURTHEST_AHEAD, now);
  const comparedTo: PickDays = (range, site) => chooseCompared(query, range, site, now, latest);
  const { frame, formatSpan, head, measured, leftOut, completeness } = await ask(call, ({ sites, ...frame }, own) => ({
    ...{ ...frame, report: 'overview', currency: chooseOwn(own, query) },
    sites: sites.map((one, i) => ({ ...one, compared: comparedTo(one.range, (own[i] as Own).site) })),
  }));
  // `head` has these notices already, each with the domain of its site. So the notices without a domain are dropped.
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
  const { frame, head, measured, completeness } = await ask(call, (frame, own) => ({
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
  const { head, measured } = await ask(call, (frame) => ({ ...frame, report: 'breakdown', breakdown, limit, offset }));
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
 * Asks the engine about all sites in one query. Returns the figures and the head of the answer: time span, filters and
 * notices.
 */
async function ask(call: SharedCall, makeQuery: (frame: SharedFrame, own: readonly Own[]) => SitesQuery) {
  const { api, db, query, now, signal } = call;
  const { sites, notices } = findSites(call);
  const latest = Math.max(...sites.map((site) => findSiteDay(site, now)));
  const own = await Promise.all(
    sites.map(async (site) => {
      const range = readRange(query.range, findSiteDay(site, now), latest);
      return { site, range, days: await findDays({ api, db, site }) };
    }),
  );
  const anywhere = {
    site: ANYWHERE,
    range: readRange(query.range, findSiteDay(ANYWHERE, now)),
    days: makeDays(UTC),
  };
  const some = own.length === 0 ? [anywhere] : own;
  const { frame, applied: filters } = makeFrame(
    call,
    own.map(({ site: { id: siteId, domain }, range }) => ({ siteId, domain, range })),
    coverRanges(some.map(({ range }) => range)),
  );
  const asked = makeQuery(frame, own);
  const { currency } = asked;
  const found = await api.queries.measureSites(asked, signal());
  const ofRevenue = listRevenueNotices({ report: asked.report, currency }, found.measured);
  const all = [...notices, ...(await collectNotices(own, found)), ...ofRevenue];
  const formatSpan = (part: PickDays) =>
    coverSpans(some.map(({ site, range, days }) => days.formatSpan(part(range, site))));
  return {
    frame: { ...frame, siteId: 0, currency },
    formatSpan,
    head: { ...formatSpan((range) => range), filters, ...describeNotices(all) },
    measured: found.measured,
    leftOut: found.bySite.flatMap(({ leftOut }) => leftOut),
    completeness: (part: PickDays = (range) => range) =>
      checkOwnDays(
        call,
        own.map(({ site, range, days }) => ({ site, days, range: part(range, site) })),
      ),
  };
}

/**
 * Finds the sites of a report. If the query names a site of a blocked account, the query is refused. If the query names
 * no sites, sites of blocked accounts are left out.
 */
function findSites({ db, caller, now, query: { sites: named } }: SharedCall): { sites: Site[]; notices: Coded[] } {
  const seen = listSites(db, caller.userId);
  const asked = named ? seen.filter(({ id }) => named.has(id)) : seen;
  if (named && asked.length < named.size) throw new Problem('not_found');
  const standings = new Map(asked.map(({ account_id: id }) => [id, findStanding(db, id, now)]));
  if (named) for (const standing of standings.values()) assertActive(standing);
  const blocked = new Set([...standings].flatMap(([id, standing]) => (isBlocked(standing) ? [id] : [])));
  const sites = asked.filter(({ account_id: id }) => !blocked.has(id));
  if (sites.length > MOST_SITES) {
    throw invalid({ sites: coded('too_many_sites', { seen: sites.length, most: MOST_SITES }) });
  }
  const notices = asked
    .filter(({ account_id: id }) => blocked.has(id))
    .map(({ domain }) => nameSite(domain, coded('site_blocked')));
  return { sites, notices };
}

/** The sites that have a currency must have the same one, unless the query names one. */
const chooseOwn = (own: readonly Own[], query: Parameters<typeof chooseCurrency>[1]): string | undefined =>
  chooseCurrency(
    own.map(({ site }) => site),
    query,
  );

function makeFrame({ db, caller, query }: SharedCall, sites: readonly SiteDays[], range: Range) {
  // A report over all sites takes no filter on a goal, so `readFilters` needs no site. No site has the id 0.
  const { filters, applied } = readFilters(db, 0, query);
  return { frame: { range, filters, sites, userId: caller.userId } satisfies SharedFrame, applied };
}

async function collectNotices(own: readonly Own[], found: SharedMeasured) {
  const notices = await Promise.all(
    own.map(async ({ site: { id: siteId, domain }, range, days }) => [
      ...listCountNotices({ siteId, domain }, found),
      ...(await days.listNotices(range)).map((notice) => nameSite(domain, notice)),
    ]),
  );
  return notices.flat();
}

const listCountNotices = (
  { siteId, domain }: Pick<SiteDays, 'siteId' | 'domain'>,
  { bySite }: SharedMeasured,
): Coded[] => listNotices(bySite.find((one) => one.siteId === siteId) ?? {}).map((notice) => nameSite(domain, notice));

/** The answer is about several sites, so each notice names its site. */
const nameSite = (domain: string, { code, values }: Coded): Coded => ({ code, values: { ...values, site: domain } });

/** Days are complete if no site had an outage in them. Incomplete days are marked in the answer. */
async function checkOwnDays(call: Pick<Call, 'api' | 'db'>, all: readonly Own[]) {
  const own = all.filter(({ range }) => range.from < range.to);
  const isComplete = await checkSitesCompleteness(
    call,
    own.map(({ site }) => site.id),
    coverRanges(own.map(({ days, range }) => days.findInstants(range))),
  );
  return (some: Range): boolean =>
    own.every(({ site, range, days }) => {
      const asked = { ...range, from: Math.max(range.from, some.from), to: Math.min(range.to, some.to) };
      return asked.from >= asked.to || isComplete(site.id, days.findInstants(asked));
    });
}

const coverRanges = (ranges: readonly Range[]): Range => ({
  from: Math.min(...ranges.map(({ from }) => from)),
  to: Math.max(...ranges.map(({ to }) => to)),
});

/** Gives the time from the earliest start to the latest end. */
function coverSpans(spans: readonly Span[]): Span {
  const sorted = (name: keyof Span) =>
    spans.map((span) => span[name]).sort((one, other) => Date.parse(one) - Date.parse(other));
  return { from: sorted('from')[0] ?? '', to: sorted('to').at(-1) ?? '' };
}
