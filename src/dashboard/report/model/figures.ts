// A figure is a number above the chart, such as visitors or the bounce rate. The table `FIGURES` has its name, how it is
// written, and whether a larger value is better. The chart can show any figure. Hours have only figures of hits, because a
// visit may last longer than an hour.
//
// Example: a bounce rate of 62.5 is written "62.5%". Its changes are in percentage points, and a lower rate is better.
//
// figure-list.tsx shows the figures, and points.ts takes their values for the chart.

import type { Figures } from '../../../api/answers.ts';
import type { DashboardMessage } from '../../../lang/dashboard.ts';
import { duration, number, percent, short } from '../../core/format.ts';
import type { View } from '../../core/view.ts';

type Figure = {
  name: DashboardMessage;
  /** The sentence with the figure: `one` if the value is 1, and `other` for any other value. */
  said: readonly [one: string, other: DashboardMessage];
  text(value: number): string;
  short(value: number): string;
  /** True if the figure is counted from whole visits, such as the bounce rate. A visit may last longer than an hour. */
  isOfVisits?: true;
  /** True for a rate, which changes in percentage points. */
  isRate?: true;
  isLessBetter?: true;
  /** True if the figure grows during the day, such as visitors. An unfinished day then has less than a whole day. */
  isSum?: true;
};

/** The figures of an overview, and the conversion rate, which needs a goal. */
export type FigureName = keyof Figures | 'conversion_rate';

const alike = (said: DashboardMessage) => [said, said] as const;
const shortPercent = (value: number): string => `${number(value)}%`;

export const FIGURES: Record<FigureName, Figure> = {
  visitors: { name: 'Visitors', said: ['{count} visitor', '{count} visitors'], text: number, short, isSum: true },
  pageviews: { name: 'Pageviews', said: ['{count} pageview', '{count} pageviews'], text: number, short, isSum: true },
  visits: {
    name: 'Visits',
    said: ['{count} visit', '{count} visits'],
    text: number,
    short,
    isSum: true,
    isOfVisits: true,
  },
  bounce_rate: {
    ...{ name: 'Bounce rate', said: alike('Bounce rate {value}'), text: percent, short: shortPercent },
    ...{ isRate: true, isLessBetter: true, isOfVisits: true },
  },
  visit_duration: {
    name: 'Visit duration',
    said: alike('Visit duration {value}'),
    text: duration,
    short: duration,
    isOfVisits: true,
  },
  conversion_rate: {
    ...{ name: 'Conversion rate', said: alike('Conversion rate {value}'), text: percent, short: shortPercent },
    ...{ isRate: true, isOfVisits: true },
  },
};

const NAMES = Object.keys(FIGURES) as FigureName[];

/**
 * Lists the figures that the chart can show. For several sites together, these are only figures that can be added over
 * sites.
 */
export const chartFigures = (isOneSite: boolean): FigureName[] =>
  NAMES.filter((name) => isOneSite || !FIGURES[name].isOfVisits);

/** Returns the figure that the URL names, or else visitors. */
export const chartFigureOf = ({ more }: View, isOneSite = true): FigureName =>
  chartFigures(isOneSite).find((name) => name === more.show) ?? 'visitors';

/**
 * Makes the parameter `metrics` of a timeseries. Every answer has visitors and pageviews, so these figures need no
 * parameter.
 */
export const metricsOf = (figure: FigureName): { metrics?: string } =>
  FIGURES[figure].isOfVisits && figure !== 'conversion_rate' ? { metrics: figure } : {};
