import { spanText } from '../../core/format.ts';
import { plural, t } from '../../core/texts.ts';
import { FIGURES, type FigureName } from './figures.ts';
import { KINDS } from './intervals.ts';
import { LEFT_OUT } from './missing-days.ts';
import type { Point } from './points.ts';

type Titled = Pick<Point, 'interval' | 'date' | 'span' | 'isPartial'>;

/**
 * Writes the title of a point: its hour, day, week or month. If the point has days outside of the range or in the
 * future, the title leaves out these days.
 */
function titleOf({ interval, date, span, isPartial }: Titled): string {
  const { part, daysOf, titleOf } = KINDS[interval];
  const { from, to } = daysOf(date);
  const title = span.from > from || span.to < to ? spanText(span) : titleOf(date);
  return isPartial ? t(part, { title }) : title;
}

export const pointTitle = (point: Point): string =>
  point.isUnfinished ? t('{title} so far', { title: titleOf(point) }) : titleOf(point);

export function countText({ value, leftOut }: Point, figure: FigureName, currency: string): string {
  const { text, said } = FIGURES[figure];
  if (value !== null) {
    const written = text(value, currency);
    return plural(value, ...said, { count: written, value: written });
  }
  return t(leftOut === 'none' || leftOut === 'some' ? 'in the future' : LEFT_OUT[leftOut]);
}

/** Writes the value of a point. A missing value is written as a dash. */
export const valueText = (value: number | null | undefined, figure: FigureName, currency: string): string =>
  value == null ? '–' : FIGURES[figure].text(value, currency);

/** Writes the title of a point's partner in the comparison period (matches.ts). */
export const previousTitle = ({ interval, previous }: Point): string =>
  previous ? titleOf({ interval, ...previous }) : '';

/** Writes what a point lacks: hits that the server missed, days that could not be counted, or excluded visits. */
export const lacksOf = ({ isIncomplete, leftOut, excluded = 0 }: Point): string[] => [
  ...(isIncomplete ? [t('incomplete: some hits are missing')] : []),
  ...(leftOut === 'some' ? [t(LEFT_OUT.some)] : []),
  ...(excluded > 0 ? [plural(excluded, '{count} visit excluded', '{count} visits excluded')] : []),
];

/** Writes everything about a point in one sentence, for screen readers. */
export const pointSentence = (point: Point, figure: FigureName, currency: string): string =>
  [
    `${pointTitle(point)}: ${countText(point, figure, currency)}`,
    ...lacksOf(point),
    ...(point.previous ? [`${previousTitle(point)}: ${valueText(point.previous.value, figure, currency)}`] : []),
    ...point.notes.map(({ text }) => t('note: {text}', { text })),
  ].join('; ');
