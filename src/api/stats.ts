// The reports of one site: overview, timeseries, breakdown, goals, funnel, crawlers and others.
//
// A report reads the range and the filters, and asks the engine. The answer has its period (`from` and `to`), the
// filters of the request, and notices about missing figures. An overview has `complete: false` if an outage or a
// deleted day falls into its period. The same holds for a point of the chart.
//
// Every report takes the parameters of `query.ts`, so a dashboard may send the same query to all reports. Some reports
// check filters or a range but do not use them, such as the report of crawlers. The table in `routes.ts` calls these
// functions.

import * as v from 'valibot';
import { CRAWLERS } from '../classify/crawlers.ts';
import { findKnownSource } from '../classify/known-sources.ts';
import { coded } from '../lang/coded.ts';
import { invalid, Problem } from '../lib/errors.ts';
import { fault } from '../lib/http/fault.ts';
import { text } from '../lib/http/fields.ts';
import { HOUR, iso } from '../lib/time.ts';
import { findSiteDay } from '../lib/zone.ts';
import { listLiveDays } from '../stats/calendar.ts';
import { findLiveStart, findMinutesStart } from '../stats/definitions.ts';
import { type Interval, listPoints } from '../stats/interval.ts';
import { listDaySpans } from '../stats/notices.ts';
import type { Compared, Query, Range } from '../stats/query.ts';
import { type Days, findDays } from '../stats/site-days.ts';
import { VITALS_BY } from '../stats/vitals.ts';
import { findFunnel } from '../store/sites/funnels.ts';
import { listGoals } from '../store/sites/goals.ts';
import {
  type Assistants,
  type Bots,
  Breakdown,
  type Drops,
  type Funnel,
  type Goals,
  type Live,
  type Overview,
  type Realtime,
  type Timeseries,
  type Vitals,
} from './answers.ts';
import { AsOfParameter } from './as-of.ts';
import { CompareParameters, chooseCompared } from './compare.ts';
import { readFilters } from './filters.ts';
import { EVENT_NAME, listOf } from './input.ts';
import { assertInterval, IntervalName, PointMetrics } from './interval.ts';
import { describeNotices } from './notices.ts';
import { checkCompleteness, markMissed } from './outages.ts';
import { AskedProperty } from './property-filters.ts';
import { Limit, ReportParameters, type ReportQuery, readRange } from './query.ts';
import { CurrencyParameter, chooseCurrency } from './revenue.ts';
import type { SiteCall } from './route.ts';
import { RowParameters, readRowQuery } from './rows.ts';
import { readViewFilters } from './views.ts';

export const OverviewQuery = v.strictObject({
  ...ReportParameters,
  metrics: v.optional(listOf(['time_on_page', 'revenue'])),
  ...CompareParameters,
  ...CurrencyParameter,
  ...AsOfParameter,
});
export const TimeseriesQuery = v.strictObject({
  ...ReportParameters,
  interval: IntervalName,
  metrics: PointMetrics,
  ...CurrencyParameter,
  ...AsOfParameter,
});
export const FunnelQuery = v.strictObject({
  ...ReportParameters,
  metrics: v.optional(listOf(['revenue'])),
  ...CurrencyParameter,
});
export const GoalsQuery = v.strictObject({ ...FunnelQuery.entries, ...AsOfParameter });
export const BreakdownQuery = v.strictObject({
  ...ReportParameters,
  breakdown: Breakdown.entries.breakdown,
  limit: Limit,
  event: v.optional(text(EVENT_NAME)),
  property: v.optional(AskedProperty),
  ...RowParameters,
  ...AsOfParameter,
});
const CRAWLER_IDS = new Set(CRAWLERS.map(({ id }) => id));
export const BotsQuery = v.strictObject({
  ...ReportParameters,
  limit: Limit,
  crawler: v.optional(
    v.pipe(
      v.string(),
      v.check((id) => CRAWLER_IDS.has(id), fault('no_crawler')),
      v.metadata({ enum: [...CRAWLER_IDS] }),
    ),
  ),
});

export const VitalsQuery = v.strictObject({
  ...ReportParameters,
  by: v.optional(v.picklist(VITALS_BY, fault('none_of', { known: VITALS_BY.join(', ') })), 'none'),
  limit: Limit,
});

type ReportCall<Asked extends ReportQuery = ReportQuery> = SiteCall<undefined, Asked>;

type Frame = Pick<Query, 'siteId' | 'range' | 'filters'>;

export async function showOverview(call: ReportCall<v.InferOutput<typeof OverviewQuery>>): Promise<Overview> {
  const { site, query, now } = call;
  const comparedTo = (range: Range): Compared => chooseCompared(query, range, site, now);
  const { range, days, span, found } = await ask(call, (frame) => ({
    ...frame,
    ...{ report: 'overview', withTimes: query.metrics?.includes('time_on_page') ?? false },
    ...{ compared: comparedTo(frame.range), currency: chooseCurrency([site], query) },
  }));
  if (query.compare === 'none') {
    const { previous: _, change: __, ...own } = found;
    return { ...span, ...own, ...(await markRange(call, days, range)) };
  }
  const before = comparedTo(range);
  const previous = { ...days.formatSpan(before), ...found.previous, ...(await markRange(call, days, before)) };
  return { ...span, ...found, ...(await markRange(call, days, range)), previous };
}

export async function showTimeseries(call: ReportCall<v.InferOutput<typeof TimeseriesQuery>>): Promise<Timeseries> {
  const { interval, metrics } = call.query;
  const { timeZone } = call.site;
  const { range, days, span, found } = await ask(call, (frame, days) => {
    assertInterval({ interval, metrics }, frame.range);
    return interval === 'hour'
      ? { ...frame, report: 'hourly', timeZone, instants: days.findInstants(frame.range) }
      : { ...frame, report: 'timeseries', interval, metrics, currency: chooseCurrency([call.site], call.query) };
  });
  const whole = days.findInstants(range);
  const isComplete = await checkCompleteness(call, { siteId: call.site.id, days, range });
  // If the server missed no hits in the whole range, no point of the chart needs its own check. This saves hundreds of
  // checks for nearly every chart.
  if (isComplete(whole)) return { ...span, ...found };
  const instants = listPointInstants(found.points, range, found.interval, days);
  const points = found.points.map((point, i) => ({ ...point, ...markMissed(isComplete(instants[i] as Range)) }));
  return { ...span, ...found, points };
}

export async function showBreakdown(call: ReportCall<v.InferOutput<typeof BreakdownQuery>>): Promise<Breakdown> {
  const { breakdown, event, property, limit } = call.query;
  if (breakdown === 'event_labels' && event === undefined) throw invalid({ event: coded('required') });
  if (breakdown !== 'event_labels' && breakdown !== 'property_values' && event !== undefined) {
    throw invalid({ event: coded('only_event_labels') });
  }
  if (breakdown === 'property_values' && property === undefined)
    throw invalid({ property: coded('property_required') });
  if (breakdown !== 'property_values' && property !== undefined) {
    throw invalid({ property: coded('only_property_values') });
  }
  const rows = readRowQuery(call.db, call.site, breakdown, call.query);
  const { span, found } = await ask(call, (frame) => ({
    ...frame,
    ...{ report: 'breakdown', breakdown, event, property, limit, ...rows },
  }));
  return { ...span, breakdown, ...found };
}

export async function showGoals(call: ReportCall<v.InferOutput<typeof GoalsQuery>>): Promise<Goals> {
  const known = listGoals(call.db, call.site.id).map(({ created_at: _, ...goal }) => goal);
  const { span, found } = await ask(call, (frame) => ({
    ...{ ...frame, report: 'goals', goals: known },
    currency: chooseCurrency([call.site], call.query),
  }));
  return { ...span, ...found };
}

export async function showVitals(call: ReportCall<v.InferOutput<typeof VitalsQuery>>): Promise<Vitals> {
  const { by, limit } = call.query;
  const { span, found } = await ask(call, (frame) => ({ ...frame, report: 'vitals', by, limit }));
  return { ...span, ...found };
}

export async function showAssistants(call: ReportCall): Promise<Assistants> {
  const { span, found } = await ask(call, (frame) => ({
    ...frame,
    report: 'breakdown',
    breakdown: 'referrers',
    limit: Number.MAX_SAFE_INTEGER,
  }));
  const rows = found.rows.flatMap(({ value, visitors }) => {
    const known = findKnownSource(value);
    return known?.kind === 'assistant' ? [{ value, name: known.name, visitors }] : [];
  });
  return { ...span, rows };
}

/**
 * Lists how many hits were dropped for each reason. Filters are checked but not used, because a drop belongs to no
 * visit.
 */
export async function listDrops(call: ReportCall): Promise<Drops> {
  const { api, db, site, query, now } = call;
  const range = readRange(query.range, findSiteDay(site, now));
  readFilters(db, site.id, query);
  const days = await findDays(call);
  const found = await api.queries.listDrops(site.id, range);
  return { ...days.formatSpan(range), drops: found, ...describeNotices(await days.listNotices(range)) };
}

export async function showRealtime(call: ReportCall): Promise<Realtime> {
  const { api, site, now, signal } = call;
  const { filters, applied } = readShownFilters(call);
  const asked = { report: 'realtime', siteId: site.id, range: listLiveDays(site, now), filters, now } as const;
  const { notices, ...found } = await api.ask(asked, signal());
  return { from: iso(findLiveStart(now)), to: iso(now), filters: applied, ...describeNotices(notices), ...found };
}

/** Shows the last 30 minutes. The range is checked but not used, so a dashboard may send one query to all reports. */
export async function showLive(call: ReportCall): Promise<Live> {
  const { api, site, now, signal } = call;
  const { filters, applied } = readShownFilters(call);
  const from = findMinutesStart(now);
  const asked = { report: 'live', siteId: site.id, range: listLiveDays(site, now, from), filters, now } as const;
  const { notices, ...found } = await api.ask(asked, signal());
  return { from: iso(from), to: iso(now), filters: applied, ...describeNotices(notices), ...found };
}

export async function showFunnel(call: ReportCall<v.InferOutput<typeof FunnelQuery>>): Promise<Funnel> {
  const known = findFunnel(call.db, call.site.id, call.id);
  if (!known) throw new Problem('not_found');
  const { span, found } = await ask(call, (frame) => ({
    ...{ ...frame, report: 'funnel', steps: known.steps },
    currency: chooseCurrency([call.site], call.query),
  }));
  return { ...span, funnel: { id: known.id, name: known.name }, ...found };
}

export async function showBots(call: ReportCall<v.InferOutput<typeof BotsQuery>>): Promise<Bots> {
  const { api, db, site, query, now, signal } = call;
  if (!site.track_crawlers) throw new Problem('crawler_tracking_off');
  const range = readRange(query.range, findSiteDay(site, now));
  readFilters(db, site.id, query);
  const days = await findDays(call);
  const found = await api.queries.readCrawls(
    { siteId: site.id, range, crawler: query.crawler, limit: query.limit },
    signal(),
  );
  const crawlers = found.crawlers.flatMap(({ crawler: id, requests }) => {
    const known = CRAWLERS.find((one) => one.id === id);
    return known ? [{ crawler: id, name: known.name, operator: known.operator, purpose: known.purpose, requests }] : [];
  });
  const total = crawlers.reduce((sum, { requests }) => sum + requests, 0);
  const { leftOut } = found;
  const notices = [
    ...(leftOut.length > 0 ? [coded('crawler_pages_left_out', { days: listDaySpans(leftOut) })] : []),
    ...(await days.listNotices(range)),
  ];
  return { ...days.formatSpan(range), total, crawlers, pages: found.pages, ...describeNotices(notices) };
}

/**
 * Asks the engine. Returns the figures, and the fields with which every answer begins: its period, filters and notices.
 */
export async function ask<One extends Query>(call: ReportCall, makeQuery: (frame: Frame, days: Days) => One) {
  const { api, site, query, now, signal } = call;
  const range = readRange(query.range, findSiteDay(site, now));
  const { filters, applied } = readShownFilters(call);
  const days = await findDays(call);
  const { notices, ...found } = await api.ask(makeQuery({ siteId: site.id, range, filters }, days), signal());
  const lacks = describeNotices([...notices, ...(await days.listNotices(range))]);
  return { range, days, span: { ...days.formatSpan(range), filters: applied, ...lacks }, found };
}

/**
 * Reads the filters of the request. If the caller has a share link with a view, visits must also pass the filters of
 * the view. The answer repeats only the filters of the request.
 */
function readShownFilters({ db, site, query, caller }: ReportCall): ReturnType<typeof readFilters> {
  const { filters, applied } = readFilters(db, site.id, query);
  const view = caller.share?.view;
  const own = typeof view === 'string' ? readViewFilters(db, site.id, view) : {};
  return { filters: Object.keys(own).length === 0 ? filters : { ...filters, any: [own] }, applied };
}

async function markRange(call: ReportCall, days: Days, range: Compared) {
  const instants = days.findInstants(range);
  return markMissed((await checkCompleteness(call, { siteId: call.site.id, days, range }))(instants));
}

/**
 * Finds when each point of a chart begins and ends, in seconds since 1970. The end is the first second after the point.
 */
function listPointInstants(points: readonly { date: string }[], range: Range, interval: Interval, days: Days): Range[] {
  if (interval !== 'hour') return listPoints(range, interval).map(days.findInstants);
  const begins = points.map(({ date }) => Date.parse(date) / 1000);
  return begins.map((from, i) => ({ from, to: begins[i + 1] ?? from + HOUR }));
}
