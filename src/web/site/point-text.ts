import { number, spanText } from '../format.ts';
import { FIGURES } from './figures.ts';
import { KINDS } from './intervals.ts';
import type { ChartFigure, Point } from './points.ts';

type Titled = Pick<Point, 'interval' | 'date' | 'span' | 'isPartial'>;

/** A day with its weekday, a week, a month, or those days of it that are counted. */
function titleOf({ interval, date, span, isPartial }: Titled): string {
  const { one, daysOf, titleOf } = KINDS[interval];
  const { from, to } = daysOf(date);
  const title = span.from > from || span.to < to ? spanText(span) : titleOf(date);
  return isPartial ? `${title}, part of the ${one.toLowerCase()}` : title;
}

export const pointTitle = (point: Point): string => (point.isUnfinished ? `${titleOf(point)}, so far` : titleOf(point));

export function countText({ value }: Point, figure: ChartFigure): string {
  return value === null ? 'still to come' : `${number(value)} ${FIGURES[figure].name.toLowerCase()}`;
}

/** When the point was that it is compared with. */
export const previousTitle = ({ interval, previous }: Point): string =>
  previous ? titleOf({ interval, ...previous }) : '';

/** What is said of a point in which hits were missed. */
export const MISSED = 'not complete: hits were missed';

/** All about a point in one sentence, for screen readers. */
export const pointSentence = (point: Point, figure: ChartFigure): string =>
  [
    `${pointTitle(point)}: ${countText(point, figure)}`,
    ...(point.isIncomplete ? [MISSED] : []),
    ...(point.previous ? [`${previousTitle(point)}: ${number(point.previous.value)}`] : []),
    ...point.notes.map(({ text }) => `note: ${text}`),
  ].join('; ');
