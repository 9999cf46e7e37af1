// A figure is a number of the report's head, such as visitors or the bounce rate. The table `FIGURES` says for each how it is
// named and written, and whether more of it is better. The chart can show any of them. Hours have only figures of hits,
// because a visit may last longer than an hour.
//
// Example: bounce rate 62.5 is written "62.5%", its changes are in percentage points, and a lower one is better.
//
// figure-list.tsx shows the figures, and points.ts takes their values for the chart.

import type { Figures } from '../../api/answers.ts';
import type { DashboardMessage } from '../../lang/dashboard.ts';
import { duration, number, percent, short } from '../format.ts';
import type { View } from '../view.ts';

type Figure = {
  name: DashboardMessage;
  /** The sentence with the value, for one and for several. */
  said: readonly [one: string, other: DashboardMessage];
  text(value: number): string;
  /** Writes a value in short for an axis. */
  short(value: number): string;
  /** True if the figure is counted from whole visits. An hour has no whole visits. */
  isOfVisits?: true;
  /** True for a rate. Its changes are in percentage points. */
  isRate?: true;
  isLessBetter?: true;
  /** True if the figure adds up during the day. An unfinished day then has less than a whole one. */
  isSum?: true;
};

/** The figures of an overview, and the conversion rate. The latter needs a goal. */
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

/** The figures that a chart can show. Several sites together have only those that add up over sites. */
export const chartFigures = (isOneSite: boolean): FigureName[] =>
  NAMES.filter((name) => isOneSite || !FIGURES[name].isOfVisits);

/** The figure that the URL asks for, or else visitors. */
export const chartFigureOf = ({ more }: View, isOneSite = true): FigureName =>
  chartFigures(isOneSite).find((name) => name === more.show) ?? 'visitors';

/** The extra parameter of a timeseries for this figure. Visitors and pageviews come without one. */
export const metricsOf = (figure: FigureName): { metrics?: string } =>
  FIGURES[figure].isOfVisits && figure !== 'conversion_rate' ? { metrics: figure } : {};
