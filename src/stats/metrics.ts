// The figures that rows of a breakdown or table may have, and the sums from which each figure is computed.
//
// Invariant: an engine returns only sums. reports.ts computes the figures that are shown.
//
// Example: the bounce rate of a country needs bounces and visits. 25 bounces of 40 visits are 62.5 %. A breakdown
// counts visits, pageviews, hits or events. What a breakdown counts decides which figures its rows may have. Engines
// call `findFigure` to learn which sums to count, and `makeRank` to sort rows.
import { computeShare, rounded } from '../lib/percent.ts';
import { BREAKDOWNS, type Breakdown, type Counted, DIMENSIONS } from './dimensions.ts';

/**
 * The names of sums. `seen` adds up the seconds for which pages were visible. `told` is the number of pageviews whose
 * seconds are known. `depth` adds up how many percent of each page were seen. `scrolled` is the number of pageviews
 * whose depth is known.
 *
 * `conversions` is the number of hits that reach the goal, and `converted` the number of visitors with such a hit.
 * `revenue` adds up amounts in one currency. `hits` is the number of hits that a row counts, such as the pageviews of a
 * page.
 */
export type SumName =
  | 'visits'
  | 'pageviews'
  | 'bounces'
  | 'seconds'
  | 'told'
  | 'seen'
  | 'depth'
  | 'scrolled'
  | 'conversions'
  | 'converted'
  | 'revenue'
  | 'hits';
export type RowSums = { visitors: number } & Partial<Record<SumName, number>>;

/**
 * A figure is computed from the sums that `needs` names. Rows are sorted by the value of `exact`. `shown` returns the
 * rounded value.
 */
type Figure = {
  needs: readonly SumName[];
  exact(sums: RowSums): number | null;
  shown(sums: RowSums): number | null;
};

const makeSum = (name: SumName): Figure => {
  const read = (sums: RowSums) => sums[name] ?? 0;
  return { needs: [name], exact: read, shown: read };
};

const makeShare = (part: SumName, whole: SumName | 'visitors', decimals: number): Figure => ({
  needs: whole === 'visitors' ? [part] : [part, whole],
  exact: (sums) => (sums[part] ?? 0) / (sums[whole] || 1),
  shown: (sums) => computeShare(sums[part] ?? 0, sums[whole] ?? 0, decimals),
});

/** Makes a figure that is a mean. If nothing was counted, the mean is null, because 0 would look like a result. */
const makeMean = (sum: SumName, count: SumName): Figure => {
  const mean = (sums: RowSums) => (sums[count] ? (sums[sum] ?? 0) / sums[count] : null);
  const shown = (sums: RowSums) => {
    const exact = mean(sums);
    return exact === null ? null : rounded(exact, 0);
  };
  return { needs: [sum, count], exact: mean, shown };
};

const TIME_ON_PAGE = makeMean('seen', 'told');

const divideRevenue = ({ revenue = 0, visitors }: RowSums) => (visitors === 0 ? null : revenue / visitors);
/** This figure is not rounded here. reports.ts rounds the figure when it writes the amount of money. */
const REVENUE_PER_VISITOR: Figure = { needs: ['revenue'], exact: divideRevenue, shown: divideRevenue };

/** What a row counts. `any` means pageviews and events. */
export type RowCounts = Counted | 'any';

/**
 * The figures that a row may have, by the name of the metric. The inner key is what the row counts. Example: the
 * breakdown by page counts pageviews, therefore its metric `pageviews` is the sum `hits`. Only rows of tables
 * (table.ts) count `any`.
 */
const METRICS = {
  visits: { visits: makeSum('visits'), pageviews: makeSum('visits'), any: makeSum('visits') },
  pageviews: { visits: makeSum('pageviews'), pageviews: makeSum('hits'), any: makeSum('pageviews') },
  bounce_rate: { visits: makeShare('bounces', 'visits', 1) },
  visit_duration: { visits: makeMean('seconds', 'visits') },
  time_on_page: { pageviews: TIME_ON_PAGE },
  scroll_depth: { pageviews: makeMean('depth', 'scrolled') },
  count: { hits: makeSum('hits'), events: makeSum('hits'), any: makeSum('hits') },
  conversions: { visits: makeSum('conversions') },
  conversion_rate: { visits: makeShare('converted', 'visitors', 2) },
  revenue: { visits: makeSum('revenue'), any: makeSum('revenue') },
  revenue_per_visitor: { visits: REVENUE_PER_VISITOR, any: REVENUE_PER_VISITOR },
} as const satisfies Record<string, Partial<Record<RowCounts, Figure>>>;

export type Metric = keyof typeof METRICS;
export const METRIC_NAMES = Object.keys(METRICS) as Metric[];

/** Metrics that add up amounts of money. Their figures are decimal texts. */
export const REVENUE_METRICS = ['revenue', 'revenue_per_visitor'] as const;
export type RevenueMetric = (typeof REVENUE_METRICS)[number];
export const needsCurrency = (metric: string): metric is RevenueMetric =>
  (REVENUE_METRICS as readonly string[]).includes(metric);

/** The figures of a row that the query asks for. Only a mean and `revenue_per_visitor` may be null. */
export type RowFigures = { [Name in Exclude<Metric, RevenueMetric>]?: Name extends Mean ? number | null : number } & {
  revenue?: string;
  revenue_per_visitor?: string | null;
};

type Mean = 'visit_duration' | 'time_on_page' | 'scroll_depth';

export const needsGoal = (metric: Metric): boolean => metric === 'conversions' || metric === 'conversion_rate';

/**
 * Finds a figure of the rows of a breakdown. Returns undefined if these rows do not have the figure. For example,
 * events have no bounce rate.
 */
export const findFigure = (breakdown: Breakdown, metric: Metric): Figure | undefined =>
  findFigureOf(DIMENSIONS[BREAKDOWNS[breakdown]].counts, metric);

export const findFigureOf = (counts: RowCounts, metric: Metric): Figure | undefined =>
  (METRICS[metric] as Partial<Record<RowCounts, Figure>>)[counts];

export const ORDERS = ['desc', 'asc'] as const;
export type Order = (typeof ORDERS)[number];

/** Returns a function that computes the rank of a row of a breakdown. */
export const makeRank = (breakdown: Breakdown, sort: Metric | undefined, order?: Order) =>
  makeRankOf(sort && findFigure(breakdown, sort), order);

/**
 * Ranks rows by a figure, or by visitors. A row whose figure is unknown gets the lowest rank, therefore the row is last
 * in both orders.
 */
export function makeRankOf(figure: Figure | undefined, order: Order = 'desc') {
  return (sums: RowSums): number => {
    const exact = figure ? figure.exact(sums) : sums.visitors;
    if (exact === null) return -Number.MAX_VALUE;
    return order === 'asc' ? -exact : exact;
  };
}

/** Computes the mean number of seconds for which a page was visible. */
export const computeTimeOnPage = (sums: { seen: number; told: number }): number | null =>
  TIME_ON_PAGE.shown({ visitors: 0, ...sums });
