import type { Row } from '../../../api/answers.ts';
import type { DashboardMessage } from '../../../lang/dashboard.ts';
import { findFigure, METRIC_NAMES, type Metric, needsGoal } from '../../../stats/metrics.ts';
import { duration, number, percent } from '../../core/format.ts';
import { FIGURES } from './figures.ts';
import type { Table } from './tables.ts';

/** A column of the details table. `unit` is the English unit of its values in CSV files, such as seconds. */
export type Column = { metric: Metric; name: DashboardMessage; unit?: string | undefined; textOf(row: Row): string };

const NAMES: Record<Metric, { name: DashboardMessage; text(value: number): string }> = {
  visits: FIGURES.visits,
  pageviews: FIGURES.pageviews,
  bounce_rate: FIGURES.bounce_rate,
  visit_duration: FIGURES.visit_duration,
  time_on_page: { name: 'Time on page', text: duration },
  scroll_depth: { name: 'Scroll depth', text: percent },
  count: { name: 'Occurrences', text: number },
  conversions: { name: 'Conversions', text: number },
  conversion_rate: { name: 'Conversion rate', text: percent },
};

const UNITS: Partial<Record<Metric, string>> = {
  bounce_rate: 'percent',
  visit_duration: 'seconds',
  time_on_page: 'seconds',
  scroll_depth: 'percent',
  conversion_rate: 'percent',
};

/**
 * Lists the columns of a table: all metrics that its breakdown has. Without a goal, columns about conversions are left
 * out.
 */
export const columnsOf = (table: Table, hasGoal: boolean): Column[] =>
  METRIC_NAMES.filter((metric) => has(table, metric) && (hasGoal || !needsGoal(metric))).map((metric) => {
    const { name, text } = NAMES[metric];
    return {
      metric,
      name,
      unit: UNITS[metric],
      textOf(row) {
        const value = row[metric] ?? null;
        return value === null ? '–' : text(value);
      },
    };
  });

const has = ({ id }: Table, metric: Metric): boolean => id !== 'sites' && findFigure(id, metric) !== undefined;

export const hasConversions = (table: Table): boolean =>
  METRIC_NAMES.some((metric) => needsGoal(metric) && has(table, metric));
