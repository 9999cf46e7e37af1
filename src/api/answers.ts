// The schemas of statistics: what the API answers for each report.
//
// The OpenAPI document and the types of the client are made from these schemas. A row has only the metrics that the
// query asked for, so the fields of metrics are optional. A figure that an import did not have is null, never 0, and a
// notice says so.
//
// For example, a row of pages is `{ value: '/pricing', visitors: 29 }`. If the query asked for pageviews, the row has
// `pageviews: 31` too. `stats.ts` and `all-sites.ts` return these answers.

import * as v from 'valibot';
import { fault } from '../lib/http/fault.ts';
import { Id, Time } from '../lib/http/fields.ts';
import { LIVE_BREAKDOWNS } from '../stats/aggregates.ts';
import { BREAKDOWN_NAMES } from '../stats/dimensions.ts';
import { VITALS, VITALS_BY } from '../stats/vitals.ts';
import { Applied } from './filters.ts';
import { GoalTargetAnswer, TargetAnswer } from './input.ts';
import { Interval } from './interval.ts';
import { LeftOut, Notices } from './notices.ts';
import { Amount } from './revenue.ts';

export const Count = v.pipe(v.number(), v.integer(), v.minValue(0));
const span = { from: Time, to: Time };
/**
 * False if hits are missing in the period of the answer, because of an outage or a deleted day. Otherwise the field is
 * missing.
 */
const complete = v.optional(v.boolean());
export const common = { ...span, filters: Applied, ...Notices, ...LeftOut };

/** A figure is null if the days were imported and the import did not have this figure. */
export const Figures = v.strictObject({
  visitors: Count,
  pageviews: Count,
  visits: Count,
  bounce_rate: v.nullable(v.number()),
  visit_duration: v.nullable(Count),
});
export type Figures = v.InferOutput<typeof Figures>;

const TimeOnPage = v.optional(v.nullable(Count));

/** Amounts of money. An answer has these fields only if the query asks for revenue. */
const revenue = { revenue: v.optional(Amount), revenue_per_visitor: v.optional(Amount) };

/**
 * The change in percent, compared with the earlier range. A change is null if it cannot be computed, for example
 * because a figure is unknown.
 */
export const Change = v.strictObject({
  ...v.entriesFromList(Object.keys(Figures.entries) as (keyof Figures)[], v.nullable(v.number())),
  time_on_page: v.optional(v.nullable(v.number())),
  revenue: v.optional(v.nullable(v.number())),
  revenue_per_visitor: v.optional(v.nullable(v.number())),
});

export const Previous = v.strictObject({ ...span, ...Figures.entries, complete, time_on_page: TimeOnPage, ...revenue });

export const Overview = v.strictObject({
  ...common,
  ...Figures.entries,
  complete,
  time_on_page: TimeOnPage,
  ...revenue,
  /** The fields `previous` and `change` are missing if the query has `compare=none`. */
  previous: v.optional(Previous),
  change: v.optional(Change),
});
export type Overview = v.InferOutput<typeof Overview>;

export const Point = v.strictObject({
  date: v.string(),
  visitors: Count,
  pageviews: Count,
  /** The fields from here to `revenue` are metrics. A point has a metric only if the query asks for this metric. */
  visits: v.optional(Count),
  bounce_rate: v.optional(Figures.entries.bounce_rate),
  visit_duration: v.optional(Figures.entries.visit_duration),
  time_on_page: TimeOnPage,
  ...revenue,
  complete,
});
export type Point = v.InferOutput<typeof Point>;

export const Timeseries = v.strictObject({
  ...common,
  interval: Interval,
  points: v.array(Point),
});
export type Timeseries = v.InferOutput<typeof Timeseries>;

export const BreakdownName = v.picklist(BREAKDOWN_NAMES, fault('none_of', { known: BREAKDOWN_NAMES.join(', ') }));

/** A metric is present only if the query asks for it. */
const RowFields = {
  visits: v.optional(Count),
  pageviews: v.optional(Count),
  bounce_rate: v.optional(v.number()),
  visit_duration: v.optional(v.nullable(Count)),
  time_on_page: TimeOnPage,
  scroll_depth: v.optional(v.nullable(Count)),
  count: v.optional(Count),
  conversions: v.optional(Count),
  conversion_rate: v.optional(v.number()),
  ...revenue,
};

export const Row = v.strictObject({ value: v.string(), visitors: Count, ...RowFields });
export type Row = v.InferOutput<typeof Row>;

export const Breakdown = v.strictObject({ ...common, breakdown: BreakdownName, rows: v.array(Row) });
export type Breakdown = v.InferOutput<typeof Breakdown>;

/** The figures in a row of `Table`. A row has only the metrics that the query asked for. */
export const RowMetrics = v.strictObject({ visitors: v.optional(Count), ...RowFields });
export type RowMetrics = v.InferOutput<typeof RowMetrics>;

const KeyValue = v.union([v.string(), v.number()]);
export const Table = v.strictObject({
  ...common,
  any: v.optional(v.array(Applied)),
  by: v.array(v.string()),
  rows: v.array(
    v.strictObject({ by: v.array(KeyValue), metrics: RowMetrics, previous: v.optional(v.nullable(RowMetrics)) }),
  ),
  total_rows: Count,
  previous: v.optional(v.strictObject(span)),
});
export type Table = v.InferOutput<typeof Table>;

const Percentile = v.nullable(v.number());

/**
 * The percentiles are null if nothing was measured. `good`, `middle` and `poor` say how many percent of the
 * measurements are good, middling or poor.
 */
export const VitalFigures = v.strictObject({
  p50: Percentile,
  p75: Percentile,
  p95: Percentile,
  count: Count,
  good: v.number(),
  middle: v.number(),
  poor: v.number(),
});

export const VitalBounds = v.strictObject({ good: v.number(), poor: v.number() });

/** Times are in milliseconds. `error` is the largest error of a percentile, as a share of its value: 0.02 is 2 %. */
export const Vitals = v.strictObject({
  ...common,
  by: v.picklist(VITALS_BY),
  error: v.number(),
  bounds: v.strictObject(v.entriesFromList(VITALS, VitalBounds)),
  rows: v.array(v.strictObject({ value: v.string(), ...v.entriesFromList(VITALS, VitalFigures) })),
});
export type Vitals = v.InferOutput<typeof Vitals>;

/**
 * The figures are null if no day of the range has the pages or events that the goal needs. For example, an import may
 * lack them.
 */
export const GoalRow = v.strictObject({
  id: Id,
  ...GoalTargetAnswer.entries,
  visitors: v.nullable(Count),
  conversions: v.nullable(Count),
  conversion_rate: v.nullable(v.number()),
  ...revenue,
});
export type GoalRow = v.InferOutput<typeof GoalRow>;

export const Goals = v.strictObject({ ...common, goals: v.array(GoalRow) });
export type Goals = v.InferOutput<typeof Goals>;

export const Realtime = v.strictObject({ ...common, visitors: Count });
export type Realtime = v.InferOutput<typeof Realtime>;

export const ValueCount = v.strictObject({ value: v.string(), visitors: Count });

export const Live = v.strictObject({
  ...common,
  visitors: Count,
  minutes: v.array(v.strictObject({ at: Time, visitors: Count, pageviews: Count })),
  ...v.entriesFromList(LIVE_BREAKDOWNS, v.array(ValueCount)),
});
export type Live = v.InferOutput<typeof Live>;

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
  ...Notices,
});
export type Bots = v.InferOutput<typeof Bots>;

export const FunnelStep = v.strictObject({
  ...TargetAnswer.entries,
  visitors: Count,
  share_of_previous: v.number(),
  share_of_first: v.number(),
  /**
   * The revenue of the hits that reached the last step. Only the last step has this field, and only if the query asks
   * for revenue.
   */
  revenue: v.optional(Amount),
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
  ...Notices,
});
export type Drops = v.InferOutput<typeof Drops>;

export const Assistants = v.strictObject({
  ...common,
  rows: v.array(v.strictObject({ value: v.string(), name: v.string(), visitors: Count })),
});
export type Assistants = v.InferOutput<typeof Assistants>;
