import type { Exclusion } from '../../../api/exclusions.ts';
import type { Receipts } from '../../../api/receipts.ts';
import { conditionTexts } from '../../core/conditions.ts';
import { spanText } from '../../core/format.ts';
import { plural } from '../../core/texts.ts';
import type { Point } from '../model/points.ts';

/**
 * Neighbouring points of the chart in which visits are excluded. `first` and `last` are indexes of points. `text` says how many
 * visits are excluded, and by which conditions.
 */
export type Mark = { first: number; last: number; visits: number; text: string };

type Days = Receipts['days'];

export function marksOf(points: readonly Point[], days: Days, exclusions: readonly Exclusion[]): Mark[] {
  const marks: Mark[] = [];
  points.forEach((point, i) => {
    const visits = visitsIn(days, point);
    const before = marks.at(-1);
    if (visits === 0) return;
    if (before?.last === i - 1) Object.assign(before, { last: i, visits: before.visits + visits });
    else marks.push({ first: i, last: i, visits, text: '' });
  });
  return marks.map((mark) => {
    const span = { from: points[mark.first]?.span.from ?? '', to: points[mark.last]?.span.to ?? '' };
    const touching = exclusions.filter(({ from, to }) => from <= span.to && (to === null || to >= span.from));
    const what = touching.map(({ filters }) => conditionTexts(filters).join(', ')).join('; ');
    return {
      ...mark,
      text: plural(mark.visits, '{days}: {count} visit excluded ({what})', '{days}: {count} visits excluded ({what})', {
        days: spanText(span),
        what,
      }),
    };
  });
}

const visitsIn = (days: Days, { span: { from, to } }: Point): number =>
  days.reduce((sum, { date, excluded_visits }) => (date >= from && date <= to ? sum + excluded_visits : sum), 0);
