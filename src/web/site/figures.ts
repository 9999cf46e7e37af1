import type { Figures } from '../../api/answers.ts';
import type { DashboardMessage } from '../../lang/dashboard.ts';
import { duration, number, percent, short } from '../format.ts';
import type { View } from '../view.ts';

type Figure = {
  name: DashboardMessage;
  /** A value with what it is. */
  said: DashboardMessage;
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

export type FigureName = keyof Figures;

export const FIGURES: Record<FigureName, Figure> = {
  visitors: { name: 'Visitors', said: '{value} visitors', text: number, short, isSum: true },
  pageviews: { name: 'Pageviews', said: '{value} pageviews', text: number, short, isSum: true },
  visits: { name: 'Visits', said: '{value} visits', text: number, short, isSum: true, isOfVisits: true },
  bounce_rate: {
    ...{ name: 'Bounce rate', said: 'Bounce rate {value}', text: percent, short: (value) => `${number(value)}%` },
    ...{ isRate: true, isLessBetter: true, isOfVisits: true },
  },
  visit_duration: {
    name: 'Visit duration',
    said: 'Visit duration {value}',
    text: duration,
    short: duration,
    isOfVisits: true,
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
  FIGURES[figure].isOfVisits ? { metrics: figure } : {};
