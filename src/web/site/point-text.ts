import { number, spanText } from '../format.ts';
import { FIGURES } from './figures.ts';
import { KINDS } from './intervals.ts';
import type { ChartFigure, Point } from './points.ts';

/** A day with its weekday, a month, or those days of a month that are in the range. */
export function pointTitle({ interval, date, span, isUnfinished, isPartial }: Point): string {
  const title = isPartial ? spanText(span) : KINDS[interval].titleOf(date);
  return isUnfinished ? `${title}, so far` : title;
}

export function countText({ value }: Point, figure: ChartFigure): string {
  return value === null ? 'still to come' : `${number(value)} ${FIGURES[figure].name.toLowerCase()}`;
}

/** When the point was that it is compared with. */
export const previousTitle = ({ interval, previous }: Point): string =>
  previous ? KINDS[interval].titleOf(previous.date) : '';

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
