import * as v from 'valibot';
import { CRAWLERS } from '../classify/crawlers.ts';
import { knownSource } from '../classify/source.ts';
import { invalid, Problem } from '../lib/errors.ts';
import { Id, Time, text } from '../lib/fields.ts';
import { iso } from '../lib/time.ts';
import { dayOfSite } from '../lib/zone.ts';
import { liveDays } from '../stats/calendar.ts';
import { BREAKDOWN_NAMES } from '../stats/dimensions.ts';
import { LIVE_SECONDS } from '../stats/measured.ts';
import { METRIC_NAMES } from '../stats/metrics.ts';
import { previous, type Question } from '../stats/question.ts';
import { noticesOf } from '../stats/reports.ts';
import { findFunnel } from '../store/funnels.ts';
import { listGoals } from '../store/goals.ts';
import { daysOf } from './days.ts';
import { Applied, filtersOf } from './filters.ts';
import { EVENT_NAME, TargetAnswer } from './input.ts';
import { type Asked, Limit, Question as Parameters, rangeOf } from './question.ts';
import type { SiteCall } from './route.ts';
import { RowParameters, rowsOf } from './rows.ts';

const Count = v.pipe(v.number(), v.integer(), v.minValue(0));
const span = { from: Time, to: Time };
/** Notices are there only where something is left out, or was counted otherwise. */
const common = { ...span, filters: Applied, notices: v.optional(v.array(v.string())) };

export const Figures = v.strictObject({
  visitors: Count,
  pageviews: Count,
  visits: Count,
  bounce_rate: v.number(),
  visit_duration: Count,
});
export type Figures = v.InferOutput<typeof Figures>;

const TimeOnPage = v.optional(v.nullable(Count));

const Changes = v.strictObject({
  ...v.entriesFromList(Object.keys(Figures.entries) as (keyof Figures)[], v.nullable(v.number())),
  time_on_page: v.optional(v.nullable(v.number())),
});

export const Overview = v.strictObject({
  ...common,
  ...Figures.entries,
  time_on_page: TimeOnPage,
  previous: v.strictObject({ ...span, ...Figures.entries, time_on_page: TimeOnPage }),
  change: Changes,
});
export type Overview = v.InferOutput<typeof Overview>;

export const Point = v.strictObject({ date: v.string(), visitors: Count, pageviews: Count });
export type Point = v.InferOutput<typeof Point>;

export const Timeseries = v.strictObject({
  ...common,
  interval: v.picklist(['day', 'month']),
  points: v.array(Point),
});
export type Timeseries = v.InferOutput<typeof Timeseries>;

const BREAKDOWN = v.picklist(BREAKDOWN_NAMES, `Must be one of ${BREAKDOWN_NAMES.join(', ')}.`);

/** A row has the metrics that were asked for. */
export const Row = v.strictObject({
  value: v.string(),
  visitors: Count,
  ...v.entriesFromList(METRIC_NAMES, v.optional(v.nullable(v.number()))),
});
export type Row = v.InferOutput<typeof Row>;

export const Breakdown = v.strictObject({ ...common, breakdown: BREAKDOWN, rows: v.array(Row) });
export type Breakdown = v.InferOutput<typeof Breakdown>;

export const GoalRow = v.strictObject({
  id: Id,
  ...TargetAnswer,
  visitors: Count,
  conversions: Count,
  conversion_rate: v.number(),
});
export type GoalRow = v.InferOutput<typeof GoalRow>;

export const Goals = v.strictObject({ ...common, goals: v.array(GoalRow) });
export type Goals = v.InferOutput<typeof Goals>;

export const Realtime = v.strictObject({ ...common, visitors: Count });
export type Realtime = v.InferOutput<typeof Realtime>;

export const Crawler = v.strictObject({
  crawler: v.string(),
  name: v.string(),
  operator: v.string(),
  purpose: v.picklist(['training', 'search', 'user', 'other']),
  requests: Count,
});
export type Crawler = v.InferOutput<typeof Crawler>;

export const Bots = v.strictObject({
  ...span,
  total: Count,
  crawlers: v.array(Crawler),
  pages: v.array(v.strictObject({ page: v.string(), requests: Count })),
  notices: v.optional(v.array(v.string())),
});
export type Bots = v.InferOutput<typeof Bots>;

export const FunnelStep = v.strictObject({
  ...TargetAnswer,
  visitors: Count,
  share_of_previous: v.number(),
  share_of_first: v.number(),
});
export type FunnelStep = v.InferOutput<typeof FunnelStep>;

export const Funnel = v.strictObject({
  ...common,
  funnel: v.strictObject({ id: Id, name: v.string() }),
  steps: v.array(FunnelStep),
});
export type Funnel = v.InferOutput<typeof Funnel>;

export const Drops = v.strictObject({
  ...span,
  drops: v.array(v.strictObject({ reason: v.string(), hits: Count })),
  notices: v.optional(v.array(v.string())),
});
export type Drops = v.InferOutput<typeof Drops>;

export const Assistants = v.strictObject({
  ...common,
  rows: v.array(v.strictObject({ value: v.string(), name: v.string(), visitors: Count })),
});
export type Assistants = v.InferOutput<typeof Assistants>;

export const ReportQuery = v.strictObject(Parameters);
export const OverviewQuery = v.strictObject({
  ...Parameters,
  metrics: v.optional(v.picklist(['time_on_page'], 'Must be time_on_page.')),
});
export const BreakdownQuery = v.strictObject({
  ...Parameters,
  breakdown: BREAKDOWN,
  limit: Limit,
  event: v.optional(text(EVENT_NAME)),
  ...RowParameters,
});
const CRAWLER_IDS = new Set(CRAWLERS.map(({ id }) => id));
export const BotsQuery = v.strictObject({
  ...Parameters,
  limit: Limit,
  crawler: v.optional(
    v.pipe(
      v.string(),
      v.check((id) => CRAWLER_IDS.has(id), 'Must be the id of a crawler, as this report gives it.'),
      v.metadata({ enum: [...CRAWLER_IDS] }),
    ),
  ),
});

type ReportCall<Query extends Asked = Asked> = SiteCall<undefined, Query>;

/** What all questions have. */
type Frame = Pick<Question, 'siteId' | 'range' | 'filters'>;

/** Notices are left out where there are none. */
const noticed = (...lists: (readonly string[] | undefined)[]): { notices?: string[] } => {
  const notices = lists.flatMap((list) => list ?? []);
  return notices.length === 0 ? {} : { notices };
};

/** Asks, and puts before the answer what was asked. */
async function ask<One extends Question>(call: ReportCall, questionIn: (frame: Frame) => One) {
  const { api, db, site, query, now, gone } = call;
  const range = rangeOf(query.range, dayOfSite(site, now));
  const { filters, applied } = filtersOf(db, site.id, query);
  const days = await daysOf(call);
  const { notices, ...found } = await api.ask(questionIn({ siteId: site.id, range, filters }), gone());
  const told = noticed(notices, await days.noticesOf(range));
  return { range, days, span: { ...days.spanOf(range), filters: applied }, found: { ...found, ...told } };
}

export async function overview(call: ReportCall<v.InferOutput<typeof OverviewQuery>>): Promise<Overview> {
  const withTimes = call.query.metrics !== undefined;
  const { range, days, span, found } = await ask(call, (frame) => ({ ...frame, report: 'overview', withTimes }));
  return { ...span, ...found, previous: { ...days.spanOf(previous(range)), ...found.previous } };
}

export async function timeseries(call: ReportCall): Promise<Timeseries> {
  const { span, found } = await ask(call, (frame) => ({ ...frame, report: 'timeseries' }));
  return { ...span, ...found };
}

export async function breakdown(call: ReportCall<v.InferOutput<typeof BreakdownQuery>>): Promise<Breakdown> {
  const { breakdown, event, limit } = call.query;
  if (breakdown === 'event_labels' && event === undefined) throw invalid({ event: 'Is required.' });
  if (breakdown !== 'event_labels' && event !== undefined) {
    throw invalid({ event: 'Is only known to the breakdown event_labels; filters[event] selects visits.' });
  }
  const rows = rowsOf(call.db, call.site, breakdown, call.query);
  const { span, found } = await ask(call, (frame) => ({
    ...frame,
    ...{ report: 'breakdown', breakdown, event, limit, ...rows },
  }));
  return { ...span, breakdown, ...found };
}

export async function goals(call: ReportCall): Promise<Goals> {
  const known = listGoals(call.db, call.site.id).map(({ id, type, value }) => ({ id, type, value }));
  const { span, found } = await ask(call, (frame) => ({ ...frame, report: 'goals', goals: known }));
  return { ...span, ...found };
}

/** The sources that are AI assistants, with what else is known of them: who came because a crawler had read a page. */
export async function assistants(call: ReportCall): Promise<Assistants> {
  const { span, found } = await ask(call, (frame) => ({
    ...frame,
    report: 'breakdown',
    breakdown: 'referrers',
    limit: Number.MAX_SAFE_INTEGER,
  }));
  const rows = found.rows.flatMap(({ value, visitors }) => {
    const known = knownSource(value);
    return known?.kind === 'assistant' ? [{ value, name: known.name, visitors }] : [];
  });
  return { ...span, ...(found.notices ? { notices: found.notices } : {}), rows };
}

/** What was not counted does not say of which visit it would have been, so filters are checked and do not apply. */
export async function drops(call: ReportCall): Promise<Drops> {
  const { api, db, site, query, now } = call;
  const range = rangeOf(query.range, dayOfSite(site, now));
  filtersOf(db, site.id, query);
  const days = await daysOf(call);
  const found = await api.engine.drops(site.id, range);
  return { ...days.spanOf(range), drops: found, ...noticed(await days.noticesOf(range)) };
}

export async function realtime(call: ReportCall): Promise<Realtime> {
  const { api, db, site, query, now, gone } = call;
  const { filters, applied } = filtersOf(db, site.id, query);
  const question = { report: 'realtime', siteId: site.id, range: liveDays(site, now), filters, now } as const;
  return { from: iso(now - LIVE_SECONDS), to: iso(now), filters: applied, ...(await api.ask(question, gone())) };
}

export async function funnel(call: ReportCall): Promise<Funnel> {
  const known = findFunnel(call.db, call.site.id, call.id);
  if (!known) throw new Problem('not_found');
  const { span, found } = await ask(call, (frame) => ({ ...frame, report: 'funnel', steps: known.steps }));
  return { ...span, funnel: { id: known.id, name: known.name }, ...found };
}

export async function bots(call: ReportCall<v.InferOutput<typeof BotsQuery>>): Promise<Bots> {
  const { api, db, site, query, now, gone } = call;
  if (!site.track_crawlers) throw new Problem('crawler_tracking_off');
  const range = rangeOf(query.range, dayOfSite(site, now));
  filtersOf(db, site.id, query);
  const days = await daysOf(call);
  const found = await api.engine.crawls({ siteId: site.id, range, crawler: query.crawler, limit: query.limit }, gone());
  const crawlers = found.crawlers.flatMap(({ crawler: id, requests }) => {
    const known = CRAWLERS.find((one) => one.id === id);
    return known ? [{ crawler: id, name: known.name, operator: known.operator, purpose: known.purpose, requests }] : [];
  });
  const total = crawlers.reduce((sum, { requests }) => sum + requests, 0);
  const { notices } = noticesOf(found, 'the pages of this crawler');
  const told = noticed(notices, await days.noticesOf(range));
  return { ...days.spanOf(range), total, crawlers, pages: found.pages, ...told };
}
