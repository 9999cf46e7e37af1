// Code that all reports over several sites share. This file finds the sites of the caller, and the period that covers
// their days. It also asks the engine and adds the notices.
//
// Invariant: each site is asked about days of its own time zone. A site of a blocked account is never asked.
//
// Example: for `range=today`, a site in Tokyo and a site in New York may have different dates. The period of the answer
// covers both days. all-sites.ts calls `askSites` for each report about a range of days.

import * as v from 'valibot';
import { type Coded, coded } from '../lang/coded.ts';
import { invalid, Problem } from '../lib/errors.ts';
import { fault } from '../lib/http/fault.ts';
import { findSiteDay, type SiteZone, UTC } from '../lib/zone.ts';
import type { SharedMeasured, SiteDays, SitesQuery } from '../stats/all-sites.ts';
import { listNotices, listRevenueNotices } from '../stats/notices.ts';
import type { Compared, Range } from '../stats/query.ts';
import { type Days, findDays, makeDays } from '../stats/site-days.ts';
import { assertActive, findStanding, isBlocked } from '../store/people/accounts.ts';
import { listSites, type Site } from '../store/sites/sites.ts';
import { readFilters, VisitFilterParameters } from './filters.ts';
import { describeNotices } from './notices.ts';
import { checkSitesCompleteness } from './outages.ts';
import { ReportParameters, readRange } from './query.ts';
import type { Call } from './route.ts';

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

export type SharedCall<Query extends SharedQuery = SharedQuery> = Call<undefined, Query>;

type Span = ReturnType<Days['formatSpan']>;

/** A site, with the range of the query in days of the site's time zone. */
export type Own = { site: Site; range: Compared; days: Days };

type SharedFrame = Pick<SitesQuery, 'range' | 'filters' | 'sites' | 'userId'>;

/** The time zone of the answer if the caller has no sites. */
const ANYWHERE: SiteZone = { timeZone: UTC, earliestDay: 0 };

/**
 * Chooses days of one site. `range` has the days that the query asks about. One function of this type returns `range`,
 * and another returns the days with which `range` is compared.
 */
export type PickDays = (range: Range, site: SiteZone) => Compared;

/**
 * Asks the engine about all sites in one query. Returns the figures and the head of the answer: its period, filters and
 * notices.
 */
export async function askSites(call: SharedCall, makeQuery: (frame: SharedFrame, own: readonly Own[]) => SitesQuery) {
  const { api, db, query, now, signal } = call;
  const { sites, notices } = findSites(call);
  const latest = Math.max(...sites.map((site) => findSiteDay(site, now)));
  const own = await Promise.all(
    sites.map(async (site) => {
      const range = readRange(query.range, findSiteDay(site, now), latest);
      return { site, range, days: await findDays({ api, db, site, now }) };
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
export function findSites({ db, caller, now, query: { sites: named } }: SharedCall): {
  sites: Site[];
  notices: Coded[];
} {
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

export function makeFrame({ db, caller, query }: SharedCall, sites: readonly SiteDays[], range: Range) {
  // `readFilters` gets the site 0, which does not exist. A report over all sites takes no filter by a goal, so it needs
  // no site.
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

export const listCountNotices = (
  { siteId, domain }: Pick<SiteDays, 'siteId' | 'domain'>,
  { bySite }: SharedMeasured,
): Coded[] => listNotices(bySite.find((one) => one.siteId === siteId) ?? {}).map((notice) => nameSite(domain, notice));

/** Adds the domain of the site to a notice, because the answer is about several sites. */
const nameSite = (domain: string, { code, values }: Coded): Coded => ({ code, values: { ...values, site: domain } });

/** Makes a function that tells whether days are complete: no site had an outage or a deleted day in them. */
async function checkOwnDays(call: Pick<Call, 'api' | 'db'>, all: readonly Own[]) {
  const own = all.filter(({ range }) => range.from < range.to);
  const isComplete = await checkSitesCompleteness(
    call,
    own.map(({ site, days, range }) => ({ siteId: site.id, days, range })),
  );
  return (some: Range): boolean =>
    own.every(({ site, range, days }) => {
      const asked = { ...range, from: Math.max(range.from, some.from), to: Math.min(range.to, some.to) };
      return asked.from >= asked.to || isComplete(site.id, days.findInstants(asked));
    });
}

export const coverRanges = (ranges: readonly Range[]): Range => ({
  from: Math.min(...ranges.map(({ from }) => from)),
  to: Math.max(...ranges.map(({ to }) => to)),
});

/** Returns the period from the earliest start to the latest end. */
function coverSpans(spans: readonly Span[]): Span {
  const sorted = (name: keyof Span) =>
    spans.map((span) => span[name]).sort((one, other) => Date.parse(one) - Date.parse(other));
  return { from: sorted('from')[0] ?? '', to: sorted('to').at(-1) ?? '' };
}
