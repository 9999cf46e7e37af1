// The columns of the details table. Each column is a metric of the API, with its name and a function that writes its
// values.
//
// Invariant: a column is shown only if the site has what the column needs. Conversions need a goal, and revenue needs a
// currency.
//
// Example: the table of countries has visits, pageviews, bounce rate and visit duration. A shop's table also has
// revenue, such as €19.99. details.tsx shows the columns, and CSV files contain them with their units.
import type { RowMetrics } from '../../../api/answers.ts';
import type { DashboardMessage } from '../../../lang/dashboard.ts';
import {
  findFigure,
  METRIC_NAMES,
  type Metric,
  needsCurrency,
  needsGoal,
  type RevenueMetric,
} from '../../../stats/metrics.ts';
import { duration, known, money, number, percent } from '../../core/format.ts';
import type { Table } from './tables.ts';

/** A column of the details table. `unit` is the English unit of its values in CSV files, such as seconds. */
export type Column = {
  metric: Metric;
  name: DashboardMessage;
  unit?: string | undefined;
  textOf(row: RowMetrics): string;
};

const NAMES: Record<Exclude<Metric, RevenueMetric>, { name: DashboardMessage; text(value: number): string }> = {
  visits: { name: 'Visits', text: number },
  pageviews: { name: 'Pageviews', text: number },
  bounce_rate: { name: 'Bounce rate', text: percent },
  visit_duration: { name: 'Visit duration', text: duration },
  time_on_page: { name: 'Time on page', text: duration },
  scroll_depth: { name: 'Scroll depth', text: percent },
  count: { name: 'Occurrences', text: number },
  conversions: { name: 'Conversions', text: number },
  conversion_rate: { name: 'Conversion rate', text: percent },
};

const MONEY: Record<RevenueMetric, DashboardMessage> = {
  revenue: 'Revenue',
  revenue_per_visitor: 'Revenue per visitor',
};

const UNITS: Partial<Record<Metric, string>> = {
  bounce_rate: 'percent',
  visit_duration: 'seconds',
  time_on_page: 'seconds',
  scroll_depth: 'percent',
  conversion_rate: 'percent',
};

/** What a site has that some columns need: a goal for conversions, and a currency for revenue. */
type Needed = { hasGoal: boolean; currency: string | null };

/**
 * Lists the columns of a table: all metrics that its breakdown has. A metric is left out if it needs a goal or a
 * currency that the site lacks.
 */
export const columnsOf = (table: Table, { hasGoal, currency }: Needed): Column[] =>
  METRIC_NAMES.filter((metric) => has(table, metric) && (hasGoal || !needsGoal(metric))).flatMap((metric) =>
    needsCurrency(metric) && currency === null ? [] : [findColumn(metric, currency ?? '')],
  );

/** Makes the column of a metric. Only metrics of revenue need the currency. */
export const findColumn = (metric: Metric, currency: string): Column =>
  needsCurrency(metric) ? moneyColumn(metric, currency) : numberColumn(metric);

function numberColumn(metric: Exclude<Metric, RevenueMetric>): Column {
  const { name, text } = NAMES[metric];
  return { metric, name, unit: UNITS[metric], textOf: (row) => known(row[metric] ?? null, text) };
}

const moneyColumn = (metric: RevenueMetric, currency: string): Column => ({
  ...{ metric, name: MONEY[metric], unit: currency },
  textOf: (row) => money(row[metric] ?? null, currency),
});

const has = ({ id }: Table, metric: Metric): boolean => id !== 'sites' && findFigure(id, metric) !== undefined;

export const hasConversions = (table: Table): boolean =>
  METRIC_NAMES.some((metric) => needsGoal(metric) && has(table, metric));
