// Writes the figures of an answer, their names and their changes. Names, units and number formats are as in the report.
//
// Example: a bounce rate of 62.5 is "62.5%". Its change is in percentage points, and a lower rate is better.
//
// The tables and charts of the page "Explore" use these texts.

import type { RowMetrics } from '../../api/answers.ts';
import type { DashboardMessage } from '../../lang/dashboard.ts';
import { computeChange, computePoints } from '../../lib/percent.ts';
import { needsCurrency } from '../../stats/metrics.ts';
import { known, money, number } from '../core/format.ts';
import { findColumn } from '../report/model/columns.ts';
import { FIGURES, type FigureName } from '../report/model/figures.ts';
import { changeOf } from '../report/model/row-changes.ts';
import { type Trend, trendOf } from '../report/model/trend.ts';
import { type CellValue, isSum, readFigure } from './pivot.ts';
import type { Figure } from './question.ts';

export const nameFigure = (figure: Figure): DashboardMessage =>
  figure === 'visitors' ? 'Visitors' : findColumn(figure, '').name;

/** The English name of a figure in CSV files, with its unit. */
export function nameInFile(figure: Figure, currency: string | null): string {
  if (figure === 'visitors') return 'Visitors';
  const { name, unit } = findColumn(figure, currency ?? '');
  return unit ? `${name} (${unit})` : name;
}

/** Writes a figure of a row, or a dash if it is unknown. */
export function writeFigure(figure: Figure, value: CellValue, currency: string | null): string {
  if (figure === 'visitors') return known(value === undefined || value === null ? null : Number(value), number);
  if (needsCurrency(figure)) return money(value === undefined || value === null ? null : String(value), currency ?? '');
  return findColumn(figure, currency ?? '').textOf({ [figure]: value ?? null });
}

/**
 * For each figure, the report's figure that is written in the same way. The table FIGURES has only the report's
 * figures. It says how numbers are written on the axis, and whether less is better. For example, conversions are
 * written like pageviews.
 */
export const LIKE: Record<Figure, FigureName> = {
  visitors: 'visitors',
  visits: 'visits',
  pageviews: 'pageviews',
  count: 'pageviews',
  conversions: 'pageviews',
  bounce_rate: 'bounce_rate',
  conversion_rate: 'conversion_rate',
  scroll_depth: 'conversion_rate',
  visit_duration: 'visit_duration',
  time_on_page: 'visit_duration',
  revenue: 'revenue',
  revenue_per_visitor: 'revenue',
};

type Compared = { now: RowMetrics | undefined; before: RowMetrics | undefined; when: string; currency: string | null };

/**
 * Says how a figure of a row changed. Returns undefined if the figure of one period is unknown. If
 * visitors were 0 before and are not 0 now, the result is "new". If any other sum was 0 before, the result is
 * undefined.
 */
export function compareFigure(figure: Figure, { now, before, when, currency }: Compared): Trend | undefined {
  const [value, previous] = [readNumber(now, figure), readNumber(before, figure)];
  if (value === null || previous === null) return undefined;
  if (figure === 'visitors') return changeOf(value, previous, when);
  if (previous === 0 && isSum(figure)) return undefined;
  const { isRate = false, isLessBetter = false } = FIGURES[LIKE[figure]];
  const change = isRate ? computePoints(value, previous) : computeChange(value, previous);
  return trendOf(
    { change, isRate, isLessBetter },
    writeFigure(figure, readFigure(before, figure) ?? 0, currency),
    when,
  );
}

function readNumber(metrics: RowMetrics | undefined, figure: Figure): number | null {
  const value = readFigure(metrics, figure);
  if (value === undefined && isSum(figure)) return 0;
  return value === undefined || value === null ? null : Number(value);
}
