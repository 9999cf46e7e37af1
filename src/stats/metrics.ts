// The figures that rows of a breakdown may have, and the sums that each needs.
//
// An engine counts the sums and knows nothing of figures. The bounce rate of a country needs bounces and visits: 25 of 40 are 62.5 %. What
// a breakdown counts says which figures its rows have. Engines ask `findFigure` for sums to count, `reports.ts` for the value to show.
import { computeShare, rounded } from '../lib/percent.ts';
import { BREAKDOWNS, type Breakdown, type Counted, DIMENSIONS } from './dimensions.ts';

/**
 * The sums of a row beside its visitors. `told` counts the pageviews whose time on page is known, and `seen` adds up that time.
 * `conversions` counts hits that reach the goal, `converted` the visitors with such a hit.
 */
export type SumName =
  | 'visits'
  | 'pageviews'
  | 'bounces'
  | 'seconds'
  | 'told'
  | 'seen'
  | 'conversions'
  | 'converted'
  | 'hits';
export type RowSums = { visitors: number } & Partial<Record<SumName, number>>;

/** A figure of a row. Rows are sorted by the exact value; the shown value is rounded. */
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

/** A mean is null if nothing was counted. */
const makeMean = (sum: SumName, count: SumName): Figure => {
  const mean = (sums: RowSums) => (sums[count] ? (sums[sum] ?? 0) / sums[count] : null);
  const shown = (sums: RowSums) => {
    const exact = mean(sums);
    return exact === null ? null : rounded(exact, 0);
  };
  return { needs: [sum, count], exact: mean, shown };
};

/** The figures that rows may have, by what their breakdown counts. */
const METRICS = {
  visits: { visits: makeSum('visits'), pageviews: makeSum('visits') },
  pageviews: { visits: makeSum('pageviews'), pageviews: makeSum('hits') },
  bounce_rate: { visits: makeShare('bounces', 'visits', 1) },
  visit_duration: { visits: makeMean('seconds', 'visits') },
  time_on_page: { pageviews: makeMean('seen', 'told') },
  count: { hits: makeSum('hits'), events: makeSum('hits') },
  conversions: { visits: makeSum('conversions') },
  conversion_rate: { visits: makeShare('converted', 'visitors', 2) },
} as const satisfies Record<string, Partial<Record<Counted, Figure>>>;

export type Metric = keyof typeof METRICS;
export const METRIC_NAMES = Object.keys(METRICS) as Metric[];

/** The chosen figures of a row. Only a mean may be null. */
export type RowFigures = { [Name in Metric]?: Name extends 'visit_duration' | 'time_on_page' ? number | null : number };

/** True if a metric needs a goal. */
export const needsGoal = (metric: Metric): boolean => metric === 'conversions' || metric === 'conversion_rate';

/** Finds a figure of a breakdown. Gives undefined if the breakdown does not have it. */
export const findFigure = (breakdown: Breakdown, metric: Metric): Figure | undefined =>
  (METRICS[metric] as Partial<Record<Counted, Figure>>)[DIMENSIONS[BREAKDOWNS[breakdown]].counts];

/** Computes the mean time for which pages were seen. */
export const computeTimeOnPage = (sums: { seen: number; told: number }): number | null =>
  METRICS.time_on_page.pageviews.shown({ visitors: 0, ...sums });
