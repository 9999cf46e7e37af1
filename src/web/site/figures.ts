import type { Figures } from '../../api/answers.ts';
import { duration, number, percent } from '../format.ts';

type Figure = {
  name: string;
  text(value: number): string;
  /** Its changes are in percentage points. */
  isRate?: true;
  isLessBetter?: true;
  /** It grows during the day, so that an unfinished day has less than a whole one. */
  isSum?: true;
};

export type FigureName = keyof Figures;

export const FIGURES: Record<FigureName, Figure> = {
  visitors: { name: 'Visitors', text: number, isSum: true },
  pageviews: { name: 'Pageviews', text: number, isSum: true },
  visits: { name: 'Visits', text: number, isSum: true },
  bounce_rate: { name: 'Bounce rate', text: percent, isRate: true, isLessBetter: true },
  visit_duration: { name: 'Visit duration', text: duration },
};
