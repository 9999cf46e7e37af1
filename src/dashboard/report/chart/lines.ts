import type { Point } from '../model/points.ts';

type Values = (number | null)[];
/**
 * What the lines of the chart show. `values` has all points of the range. `whole` has only the complete points, and is
 * drawn solid. `parts` has the incomplete points and their neighbours, and is drawn dashed. `previousWhole` and
 * `previousParts` are for the comparison period. A point is incomplete if its hour, day, week or month has not ended.
 * It is also incomplete if the range cuts off some of its days.
 */
type Lines = { values: Values; whole: Values; parts: Values; previousWhole: Values; previousParts: Values };

export function linesOf(points: readonly Pick<Point, 'value' | 'previous' | 'isUnfinished' | 'isPartial'>[]): Lines {
  const [whole, parts] = wholeAndParts(
    points.map(({ value, isUnfinished, isPartial }) => ({ value, isPart: isUnfinished || isPartial })),
  );
  const [previousWhole, previousParts] = wholeAndParts(
    points.map(({ previous }) => ({ value: previous?.value ?? null, isPart: previous?.isPartial ?? false })),
  );
  return { values: points.map(({ value }) => value), whole, parts, previousWhole, previousParts };
}

type Drawn = { value: number | null; isPart: boolean };

/**
 * Makes the values of two lines. `whole` has the complete points. `parts` has the points with `isPart`, such as today,
 * and their neighbours. So the two lines meet.
 */
const wholeAndParts = (drawn: Drawn[]): [whole: Values, parts: Values] => [
  drawn.map(({ value, isPart }) => (isPart ? null : value)),
  drawn.map(({ value, isPart }, i) => (isPart || drawn[i - 1]?.isPart || drawn[i + 1]?.isPart ? value : null)),
];
