// A figure is a number above the chart, such as visitors or the bounce rate. The table `FIGURES` has its name, a
// function that writes it, and whether a larger value is better.
//
// The chart of one site can show any figure. A visit may last longer than an hour. So figures of whole visits, such as
// the bounce rate, cannot be shown by hour. Only a site with a currency has revenue.
//
// Example: a bounce rate of 62.5 is written "62.5%". Its changes are in percentage points, and a lower rate is better.
//
// figure-list.tsx shows the figures, and points.ts reads the values of a figure for the chart.

import type { Figures } from '../../../api/answers.ts';
import type { DashboardMessage } from '../../../lang/dashboard.ts';
import {
  duration,
  large,
  largeMoney,
  money,
  number,
  percent,
  short,
  shortDuration,
  shortMoney,
} from '../../core/format.ts';
import { WHY_FIGURES, type WhyFigure } from '../../core/parameters.ts';
import type { View } from '../../core/view.ts';

type Figure = {
  name: DashboardMessage;
  /**
   * The texts for a value with its name. `one` is for the value 1, such as "1 visitor", and `other` is for any other
   * value.
   */
  said: readonly [one: string, other: DashboardMessage];
  /** Writes a value. `currency` is the currency of the page, which only revenue needs. */
  text(value: number, currency: string): string;
  /** Writes a value on the axis of the chart. */
  short(value: number, currency: string): string;
  /**
   * Writes a value for large type, and shortens it if it is long, such as 123.5M. A tooltip must have the exact value.
   * If this function is missing, `text` is used.
   */
  large?(value: number, currency: string): string;
  /**
   * True if the figure is counted from whole visits, such as the bounce rate. Then it cannot be shown by hour, because
   * a visit may last longer than an hour.
   */
  isOfVisits?: true;
  /** True for revenue, because the API does not have revenue by hour. */
  hasNoHours?: true;
  /** True for a rate, whose change is written in percentage points. */
  isRate?: true;
  isLessBetter?: true;
  /**
   * True for a count of visitors, visits or pageviews. Bots change such a count most. So the chart shows signs at days
   * with unusual traffic only for such a figure.
   */
  isSum?: true;
};

/** The names of the figures above the chart. Revenue needs a currency, and the conversion rate needs a goal. */
export type FigureName = keyof Figures | 'revenue' | 'conversion_rate';

const alike = (said: DashboardMessage) => [said, said] as const;
const COUNT = { text: number, short, large, isSum: true } as const;
const shortPercent = (value: number): string => `${number(value)}%`;

export const FIGURES: Record<FigureName, Figure> = {
  visitors: { name: 'Visitors', said: ['{count} visitor', '{count} visitors'], ...COUNT },
  pageviews: { name: 'Pageviews', said: ['{count} pageview', '{count} pageviews'], ...COUNT },
  visits: { name: 'Visits', said: ['{count} visit', '{count} visits'], ...COUNT, isOfVisits: true },
  bounce_rate: {
    ...{ name: 'Bounce rate', said: alike('Bounce rate {value}'), text: percent, short: shortPercent },
    ...{ isRate: true, isLessBetter: true, isOfVisits: true },
  },
  visit_duration: {
    name: 'Visit duration',
    said: alike('Visit duration {value}'),
    text: duration,
    short: shortDuration,
    isOfVisits: true,
  },
  revenue: {
    ...{ name: 'Revenue', said: alike('Revenue {value}'), hasNoHours: true },
    text: (value, currency) => money(String(value), currency),
    short: shortMoney,
    large: largeMoney,
  },
  conversion_rate: {
    ...{ name: 'Conversion rate', said: alike('Conversion rate {value}'), text: percent, short: shortPercent },
    ...{ isRate: true, isOfVisits: true },
  },
};

const NAMES = Object.keys(FIGURES) as FigureName[];

/**
 * Tells whether the dialog "Why?" can explain the change of a figure (chart/why.tsx). A figure that can be explained is
 * a count, so each group of visitors makes up a part of its change. This is not so for a rate or a mean. Revenue is a
 * sum, but a few large orders make most of its change. So its change cannot be told from chance.
 */
export const isExplained = <Name extends string>(name: Name): name is Name & WhyFigure =>
  (WHY_FIGURES as readonly string[]).includes(name);

/**
 * Lists the figures that the chart can show. The API has no figures of whole visits, such as the bounce rate, in a
 * series over several sites. So they are left out for several sites.
 */
export const chartFigures = (isOneSite: boolean): FigureName[] =>
  NAMES.filter((name) => isOneSite || !FIGURES[name].isOfVisits);

/** Returns the figure that the URL names. If the chart cannot show it, returns visitors. */
export const chartFigureOf = ({ show }: View, isOneSite = true): FigureName =>
  chartFigures(isOneSite).find((name) => name === show) ?? 'visitors';

/** Makes the parameters that ask for revenue. Without a currency, there are none. */
export const revenueQuery = (currency: string | null | undefined): Record<string, string> =>
  currency ? { metrics: 'revenue', currency } : {};

/**
 * Makes the parameter `metrics` for the request of a timeseries. Every timeseries has visitors and pageviews, so they
 * need no parameter. The conversion rate needs no parameter either, because it is computed from visitors.
 */
export function metricsOf(figure: FigureName, currency: string | null | undefined): Record<string, string> {
  if (figure === 'revenue') return revenueQuery(currency);
  return FIGURES[figure].isOfVisits && figure !== 'conversion_rate' ? { metrics: figure } : {};
}
