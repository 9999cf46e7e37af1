// Makes the answer to a query from its aggregates.
//
// Invariant: if a sum is unknown, a figure that is computed from it is null, and never 0.
//
// Example: 30 bounces of 40 visits are a bounce rate of 75 %. 120 visitors after 100 are a change of 20 %. Notices say
// what an answer lacks. ask.ts calls `present` for the API, the dashboard and the mails, therefore all three show equal
// figures.
import type { Coded } from '../lang/coded.ts';
import { computeChange, computeShare, rounded } from '../lib/percent.ts';
import { iso } from '../lib/time.ts';
import { findZone } from '../lib/zone.ts';
import type { UnknownSum } from './aggregates.ts';
import { type Aggregates, type DayHours, noTimes, noTotals, type RowAggregates } from './aggregates.ts';
import { findMinutesStart } from './definitions.ts';
import { BREAKDOWNS, DIMENSIONS, REVENUE } from './dimensions.ts';
import { listPoints } from './interval.ts';
import { makeTree } from './journeys.ts';
import {
  computeTimeOnPage,
  findFigureOf,
  type Metric,
  needsCurrency,
  type RowCounts,
  type RowFigures,
  type RowSums,
} from './metrics.ts';
import { listNotices, listRevenueNotices } from './notices.ts';
import { chooseInterval, type Of, type PointMetric, type Query, type Report } from './query.ts';
import { divideAmount, writeAmount } from './revenue.ts';
import { type TableCells, writeKey } from './table.ts';
import { chooseCounts, type KeyValue, type TableKey } from './table-keys.ts';
import { summarizeRow, VITAL_BOUNDS, VITAL_ERROR } from './vitals.ts';

export type Answers = {
  [Name in Report]: ReturnType<(typeof REPORTS)[Name]> & { notices: Coded[] };
};

type Make<Asked extends Query> = (query: Asked, measured: Aggregates) => Answers[Asked['report']];

export function present<Asked extends Query>(query: Asked, measured: Aggregates): Answers[Asked['report']] {
  const report = REPORTS[query.report] as unknown as Make<Asked>;
  return { ...report(query, measured), notices: [...listNotices(measured), ...listRevenueNotices(query, measured)] };
}

/** The figures of one range of days. Null means that a figure is unknown, which is not the same as 0. */
type ComparedFigures = Record<'visitors' | 'pageviews' | 'visits', number> &
  Record<'bounce_rate' | 'visit_duration', number | null>;

function readFigures({ totals, unknown = [] }: Aggregates, span: number): ComparedFigures {
  const { visitors, pageviews, visits, bounces, seconds } = totals[span] ?? noTotals();
  const isKnown = (name: UnknownSum) => !unknown[span]?.includes(name);
  return {
    visitors,
    pageviews,
    visits,
    bounce_rate: isKnown('bounces') ? computeShare(bounces, visits) : null,
    visit_duration: !isKnown('seconds') ? null : visits === 0 ? 0 : rounded(seconds / visits, 0),
  };
}

/** The figures of revenue, as decimal texts. Null means that a figure is unknown. */
type RevenueFigures = { revenue: string | null; revenue_per_visitor: string | null };

/**
 * Returns the revenue of a range of days. `span` is its index in the ranges of the query. Returns no figures if the
 * query does not ask for revenue.
 */
function readRevenue(
  { currency }: Query,
  { revenue = [], totals, unknown = [] }: Aggregates,
  span: number,
): Partial<RevenueFigures> {
  if (currency === undefined) return {};
  if (unknown[span]?.includes(REVENUE)) return { revenue: null, revenue_per_visitor: null };
  return writeRevenueFigures(revenue[span]?.[currency] ?? 0, totals[span]?.visitors ?? 0, currency);
}

const writeRevenueFigures = (amount: number, visitors: number, currency: string): RevenueFigures => ({
  revenue: writeAmount(amount, currency),
  revenue_per_visitor: divideAmount(amount, visitors, currency),
});

type WithTime = ComparedFigures & { time_on_page?: number | null } & Partial<RevenueFigures>;

function overview(query: Of<'overview'>, measured: Aggregates) {
  const { withTimes = false } = query;
  const figures = (i: number): WithTime => ({
    ...readFigures(measured, i),
    ...(withTimes ? { time_on_page: computeTimeOnPage(measured.times[i] ?? noTimes()) } : {}),
    ...readRevenue(query, measured, i),
  });
  const [now, before] = [figures(0), figures(1)];
  // If days are left out, the two periods have different lengths, and cannot be compared. Then every change is null.
  const isWhole = measured.leftOut.length === 0;
  const change = Object.fromEntries(
    (Object.keys(now) as (keyof ComparedFigures)[]).map((name) => [
      name,
      isWhole ? computeChange(readNumber(now[name]), readNumber(before[name])) : null,
    ]),
  ) as Record<keyof ComparedFigures, number | null> & Partial<Record<keyof WithTime, number | null>>;
  return { ...now, previous: before, change };
}

/**
 * Reads a figure as a number. An amount of money becomes a whole number of its smallest unit, such as cents. So the
 * change in percent is exact.
 */
const readNumber = (figure: number | string | null | undefined): number | null =>
  typeof figure === 'string' ? Number(figure.replace('.', '')) : (figure ?? null);

type PointFigures = Partial<Pick<WithTime, PointMetric>>;

function timeseries(query: Of<'timeseries'>, measured: Aggregates) {
  const interval = chooseInterval(query);
  const points = listPoints(query.range, interval).map(({ date }, i) => {
    const { visitors, pageviews, ...more } = readFigures(measured, i);
    const all: WithTime = {
      visitors,
      pageviews,
      ...more,
      time_on_page: computeTimeOnPage(measured.times[i] ?? noTimes()),
      ...readRevenue(query, measured, i),
    };
    const asked = (query.metrics ?? []).map((metric) => [metric, all[metric]]);
    return { date, visitors, pageviews, ...(Object.fromEntries(asked) as PointFigures) };
  });
  return { interval, points };
}

function hourly({ timeZone, instants: { from, to } }: Of<'hourly'>, { hours: days }: Aggregates) {
  const { hoursBetween, writtenAt } = findZone(timeZone);
  const hours = new Map(hoursBetween(from, to).map((hour) => [hour, { visitors: 0, pageviews: 0 }]));
  for (const { hour: numbers, visitors, pageviews } of days) {
    for (const [i, hour] of numbers.entries()) {
      // Two days may share an hour. Example: at 14:20, a site changes to a time zone in which it is already tomorrow.
      // Earlier hits count for the old day, and later hits for the new day. Therefore the counts of both days are
      // added.
      const sums = hours.get(hour) ?? { visitors: 0, pageviews: 0 };
      sums.visitors += visitors[i] ?? 0;
      sums.pageviews += pageviews[i] ?? 0;
      hours.set(hour, sums);
    }
  }
  const points = [...hours]
    .sort(([one], [other]) => one - other)
    .map(([hour, figures]) => ({ date: writtenAt(hour), ...figures }));
  return { interval: 'hour' as const, points };
}

/** Computes the figures of a row. `counts` says what the row counts, such as visits. */
function showFigures(counts: RowCounts, metrics: readonly Metric[], sums: RowSums, currency = ''): RowFigures {
  const show = (metric: Metric): number | string | null =>
    needsCurrency(metric)
      ? writeRevenueFigures(sums.revenue ?? 0, sums.visitors, currency)[metric]
      : (findFigureOf(counts, metric)?.shown(sums) ?? null);
  return Object.fromEntries(metrics.map((metric) => [metric, show(metric)]));
}

type ShownRow = Pick<RowAggregates, 'value' | 'visitors'> & RowFigures;

function breakdown({ breakdown, metrics = [], currency }: Of<'breakdown'>, { rows }: Aggregates): { rows: ShownRow[] } {
  const { counts } = DIMENSIONS[BREAKDOWNS[breakdown]];
  const shown = ({ value, visitors, sums = { visitors } }: RowAggregates): ShownRow => ({
    value,
    visitors,
    ...showFigures(counts, metrics, sums, currency),
  });
  return { rows: rows.map(shown) };
}

type GoalFigures = Record<'visitors' | 'conversions' | 'conversion_rate', number | null> & Partial<RevenueFigures>;

/**
 * Computes the figures of goals. An import may lack the pages or events of a day. The visitors of such a day are left
 * out of the conversion rate. If no visitors remain, the figures of the goal are null.
 */
function goals({ goals, currency }: Of<'goals'>, measured: Aggregates) {
  const { goals: reached, totals, leftOut, lacks = [], earned = [] } = measured;
  const all = totals[0]?.visitors ?? 0;
  const figures = (i: number, without: number): GoalFigures => {
    const { visitors = 0, hits = 0 } = reached[i] ?? {};
    return {
      ...{ visitors, conversions: hits, conversion_rate: computeShare(visitors, all - without, 2) },
      ...(currency === undefined ? {} : writeRevenueFigures(earned[i] ?? 0, visitors, currency)),
    };
  };
  return {
    goals: goals.map((goal, i) => {
      const without = lacks.find(({ what }) => what === goal.type)?.visitors ?? 0;
      const isUnknown = without === all && without + leftOut.length > 0;
      const own = isUnknown ? { visitors: null, conversions: null, conversion_rate: null } : figures(i, without);
      const none = currency === undefined ? {} : { revenue: null, revenue_per_visitor: null };
      return { ...goal, ...(isUnknown ? none : {}), ...own };
    }),
  };
}

function funnel({ steps, currency }: Of<'funnel'>, measured: Aggregates) {
  const reached = steps.map((_, i) => measured.steps[i] ?? 0);
  const [first = 0] = reached;
  return {
    steps: steps.map((step, i) => {
      const visitors = reached[i] ?? 0;
      return {
        ...step,
        visitors,
        share_of_previous: computeShare(visitors, i === 0 ? first : (reached[i - 1] ?? 0)),
        share_of_first: computeShare(visitors, first),
        ...(currency !== undefined && i === steps.length - 1
          ? { revenue: writeAmount(measured.earned?.[0] ?? 0, currency) }
          : {}),
      };
    }),
  };
}

const hours = (_: Of<'hours'>, { hours }: Aggregates): { days: DayHours[] } => ({
  days: hours.map(({ day, last, hour: numbers, visitors, arrivals, pageviews }) => ({
    day,
    hours: numbers.map((hour, i) => ({
      ...{ hour, visitors: visitors[i] ?? 0, arrivals: arrivals[i] ?? 0, pageviews: pageviews[i] ?? 0 },
    })),
    last,
  })),
});

/** Makes the report of vitals. If `by` is `none`, there is always one row, even if nothing was measured. */
const vitals = ({ by }: Of<'vitals'>, { vitals: rows = [] }: Aggregates) => ({
  by,
  error: VITAL_ERROR,
  bounds: VITAL_BOUNDS,
  rows: (by === 'none' && rows.length === 0 ? [{ value: '', counts: new Map() }] : rows).map((row) => ({
    value: row.value,
    ...summarizeRow(row),
  })),
});

type TableFigures = { visitors: number } & RowFigures;
type ShownTable = {
  rows: { by: KeyValue[]; metrics: TableFigures }[];
  total_rows: number;
  isTooLong: boolean;
  cells?: TableCells | undefined;
};

function table({ by, metrics, currency, timeZone }: Of<'table'>, { table }: Aggregates): ShownTable {
  const counts = chooseCounts(by);
  const { rows = [], total = 0, isTooLong = false, cells } = table ?? {};
  return {
    rows: rows.map(({ keys, sums }) => ({
      by: keys.map((value, place) => writeKey(by[place] as TableKey, value, timeZone)),
      metrics: { visitors: sums.visitors, ...showFigures(counts, metrics, sums, currency) },
    })),
    total_rows: total,
    isTooLong,
    cells,
  };
}

const realtime = (_: Of<'realtime'>, { live }: Aggregates) => ({ visitors: live });

function live({ now }: Of<'live'>, { live: visitors, lately }: Aggregates) {
  const { minutes = [], rows = { pages: [], referrers: [], countries: [], events: [] } } = lately ?? {};
  const from = findMinutesStart(now);
  return { visitors, minutes: minutes.map((minute, i) => ({ at: iso(from + 60 * i), ...minute })), ...rows };
}

const journeys = (query: Of<'journeys'>, { journeys = [] }: Aggregates) => ({ root: makeTree(query, journeys) });

const REPORTS = {
  overview,
  timeseries,
  hourly,
  breakdown,
  table,
  goals,
  funnel,
  journeys,
  hours,
  vitals,
  realtime,
  live,
};
