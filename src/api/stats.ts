import * as v from 'valibot';
import { CRAWLERS } from '../classify/crawlers.ts';
import { knownSource } from '../classify/source.ts';
import { DIMENSIONS, type Dimension } from '../ledger/dimensions.ts';
import { listDrops } from '../ledger/drops.ts';
import { invalid, Problem } from '../lib/errors.ts';
import { Id, Time, text } from '../lib/fields.ts';
import { iso } from '../lib/time.ts';
import { previous, type Question, type Range } from '../stats/question.ts';
import type { Answers } from '../stats/reports.ts';
import { findFunnel } from '../store/funnels.ts';
import { listGoals } from '../store/goals.ts';
import { EVENT_NAME, TargetAnswer } from './input.ts';
import { Applied, type Asked, filtersOf, Limit, Question as Parameters, rangeOf, spanAnswer } from './question.ts';
import type { SiteCall } from './route.ts';

const Count = v.pipe(v.number(), v.integer(), v.minValue(0));
const span = { from: Time, to: Time };
/** Notices are there only where something is left out. */
const common = { ...span, filters: Applied, notices: v.optional(v.array(v.string())) };

const figures = { visitors: Count, pageviews: Count, visits: Count, bounce_rate: v.number(), visit_duration: Count };
const Changes = v.strictObject(
  v.entriesFromList(Object.keys(figures) as (keyof typeof figures)[], v.nullable(v.number())),
);

export const Overview = v.strictObject({
  ...common,
  ...figures,
  previous: v.strictObject({ ...span, ...figures }),
  change: Changes,
});

export const Timeseries = v.strictObject({
  ...common,
  interval: v.picklist(['day', 'month']),
  points: v.array(v.strictObject({ date: v.string(), visitors: Count, pageviews: Count })),
});

const BREAKDOWNS = Object.keys(DIMENSIONS) as Dimension[];
const BREAKDOWN = v.picklist(BREAKDOWNS, `Must be one of ${BREAKDOWNS.join(', ')}.`);

export const Breakdown = v.strictObject({
  ...common,
  breakdown: BREAKDOWN,
  rows: v.array(v.strictObject({ value: v.string(), visitors: Count })),
});

export const Goals = v.strictObject({
  ...common,
  goals: v.array(
    v.strictObject({ id: Id, ...TargetAnswer, visitors: Count, conversions: Count, conversion_rate: v.number() }),
  ),
});

export const Realtime = v.strictObject({ ...common, visitors: Count });

export const Bots = v.strictObject({
  ...span,
  total: Count,
  crawlers: v.array(
    v.strictObject({
      crawler: v.string(),
      name: v.string(),
      operator: v.string(),
      purpose: v.picklist(['training', 'search', 'user', 'other']),
      requests: Count,
    }),
  ),
  pages: v.array(v.strictObject({ page: v.string(), requests: Count })),
});

export const Funnel = v.strictObject({
  ...common,
  funnel: v.strictObject({ id: Id, name: v.string() }),
  steps: v.array(
    v.strictObject({ ...TargetAnswer, visitors: Count, share_of_previous: v.number(), share_of_first: v.number() }),
  ),
});

export const Drops = v.strictObject({ ...span, drops: v.array(v.strictObject({ reason: v.string(), hits: Count })) });

export const Assistants = v.strictObject({
  ...common,
  rows: v.array(v.strictObject({ value: v.string(), name: v.string(), visitors: Count })),
});

export const ReportQuery = v.strictObject(Parameters);
export const BreakdownQuery = v.strictObject({
  ...Parameters,
  breakdown: BREAKDOWN,
  limit: Limit,
  event: v.optional(text(EVENT_NAME)),
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

type More<Report> = Omit<Extract<Question, { report: Report }>, 'report' | 'siteId' | 'range' | 'filters'>;

/** Asks, and puts before the answer what was asked. */
async function ask<Report extends keyof Answers>(
  { api, db, site, query, now }: ReportCall,
  report: Report,
  more: More<Report>,
): Promise<{ range: Range; span: v.InferOutput<v.ObjectSchema<typeof common, undefined>>; found: Answers[Report] }> {
  const range = rangeOf(query.range, now);
  const { filters, applied } = filtersOf(db, site.id, query);
  const question = { report, siteId: site.id, range, filters, ...more } as unknown as Question;
  const found = (await api.ask(question)) as Answers[Report];
  return { range, span: { ...spanAnswer(range), filters: applied }, found };
}

export async function overview(call: ReportCall): Promise<v.InferOutput<typeof Overview>> {
  const { range, span, found } = await ask(call, 'overview', {});
  return { ...span, ...found, previous: { ...spanAnswer(previous(range)), ...found.previous } };
}

export async function timeseries(call: ReportCall): Promise<v.InferOutput<typeof Timeseries>> {
  const { span, found } = await ask(call, 'timeseries', {});
  return { ...span, ...found };
}

export async function breakdown(
  call: ReportCall<v.InferOutput<typeof BreakdownQuery>>,
): Promise<v.InferOutput<typeof Breakdown>> {
  const { breakdown, event, limit } = call.query;
  if (breakdown === 'event_labels' && event === undefined) throw invalid({ event: 'Is required.' });
  if (breakdown !== 'event_labels' && event !== undefined) {
    throw invalid({ event: 'Is only known to the breakdown event_labels; filters[event] selects visits.' });
  }
  const { span, found } = await ask(call, 'breakdown', { breakdown, event, limit });
  return { ...span, breakdown, ...found };
}

export async function goals(call: ReportCall): Promise<v.InferOutput<typeof Goals>> {
  const known = listGoals(call.db, call.site.id).map(({ id, type, value }) => ({ id, type, value }));
  const { span, found } = await ask(call, 'goals', { goals: known });
  return { ...span, ...found };
}

/** The sources that are AI assistants, with what else is known of them: who came because a crawler had read a page. */
export async function assistants(call: ReportCall): Promise<v.InferOutput<typeof Assistants>> {
  const { span, found } = await ask(call, 'breakdown', {
    breakdown: 'referrers',
    event: undefined,
    limit: Number.MAX_SAFE_INTEGER,
  });
  const rows = found.rows.flatMap(({ value, visitors }) => {
    const known = knownSource(value);
    return known?.kind === 'assistant' ? [{ value, name: known.name, visitors }] : [];
  });
  return { ...span, ...(found.notices ? { notices: found.notices } : {}), rows };
}

/** What was not counted does not say of which visit it would have been, so filters are checked and do not apply. */
export function drops({ db, site, query, now }: ReportCall): v.InferOutput<typeof Drops> {
  const range = rangeOf(query.range, now);
  filtersOf(db, site.id, query);
  return { ...spanAnswer(range), drops: listDrops(db, site.id, range.from, range.to) };
}

const LIVE_SECONDS = 300;

export async function realtime(call: ReportCall): Promise<v.InferOutput<typeof Realtime>> {
  const { now } = call;
  const { span, found } = await ask(call, 'realtime', { now });
  return { ...span, from: iso(now - LIVE_SECONDS), to: iso(now), ...found };
}

export async function funnel(call: ReportCall): Promise<v.InferOutput<typeof Funnel>> {
  const known = findFunnel(call.db, call.site.id, call.id);
  if (!known) throw new Problem('not_found');
  const { span, found } = await ask(call, 'funnel', { steps: known.steps });
  return { ...span, funnel: { id: known.id, name: known.name }, ...found };
}

export async function bots(call: ReportCall<v.InferOutput<typeof BotsQuery>>): Promise<v.InferOutput<typeof Bots>> {
  const { api, db, site, query, now } = call;
  if (!site.track_crawlers) throw new Problem('crawler_tracking_off');
  const range = rangeOf(query.range, now);
  filtersOf(db, site.id, query);
  const found = await api.crawls({ siteId: site.id, range, crawler: query.crawler, limit: query.limit });
  const crawlers = found.crawlers.flatMap(({ crawler: id, requests }) => {
    const known = CRAWLERS.find((one) => one.id === id);
    return known ? [{ crawler: id, name: known.name, operator: known.operator, purpose: known.purpose, requests }] : [];
  });
  const total = crawlers.reduce((sum, { requests }) => sum + requests, 0);
  return { ...spanAnswer(range), total, crawlers, pages: found.pages };
}
