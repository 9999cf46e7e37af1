import type { Figures } from '../../api/answers.ts';
import type { DashboardMessage } from '../../lang/dashboard.ts';
import { duration, number, percent, short } from '../format.ts';
import type { View } from '../view.ts';

type Figure = {
  name: DashboardMessage;
  /** A value with what it is, of one and of more. */
  said: readonly [one: string, other: DashboardMessage];
  text(value: number): string;
  /** On an axis. */
  short(value: number): string;
  /** It is counted of whole visits, of which hours have none. */
  isOfVisits?: true;
  /** Its changes are in percentage points. */
  isRate?: true;
  isLessBetter?: true;
  /** It grows during the day, so that an unfinished day has less than a whole one. */
  isSum?: true;
};

/** Beside those of an overview there is the conversion rate, which needs a goal. */
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

/** The figures that a chart can show; of several sites together those that add up over them. */
export const chartFigures = (isOneSite: boolean): FigureName[] =>
  NAMES.filter((name) => isOneSite || !FIGURES[name].isOfVisits);

/** What the chart shows. */
export const chartFigureOf = ({ more }: View, isOneSite = true): FigureName =>
  chartFigures(isOneSite).find((name) => name === more.show) ?? 'visitors';

/** What a timeseries is asked for beside visitors and pageviews. */
export const metricsOf = (figure: FigureName): { metrics?: string } =>
  FIGURES[figure].isOfVisits && figure !== 'conversion_rate' ? { metrics: figure } : {};
