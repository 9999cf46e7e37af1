import { type Run, runsOf } from './runs.ts';
import type { Scale } from './scale.ts';

type Values = readonly (number | null)[];
type Places = Pick<Scale, 'x' | 'y'>;

const round = (place: number): number => Math.round(place * 1000) / 1000;

const cornersOf = ({ first, last }: Run, values: Values, { x, y }: Places): string =>
  values
    .slice(first, last + 1)
    .map((value, i) => `${round(x(first + i))},${round(y(value ?? 0))}`)
    .join('L');

const runsIn = (values: Values): Run[] => runsOf(values, (value) => value !== null);

/**
 * Writes a line as an SVG path, with a gap where a value is missing. A value between two gaps becomes a closed path,
 * which is drawn as a dot. The functions of this file replace a library for charts. With the library, the script that
 * the page needs first would be 10 % larger.
 */
export const pathOf = (values: Values, places: Places): string =>
  runsIn(values)
    .map((run) => `M${cornersOf(run, values, places)}${run.first === run.last ? 'Z' : ''}`)
    .join('');

/** The path of the area below a line. The lower end of the plot is at 100. */
export const filledPathOf = (values: Values, places: Places): string =>
  runsIn(values)
    .map((run) => {
      const [from, to] = [run.first, run.last].map((i) => round(places.x(i)));
      return `M${from},100L${cornersOf(run, values, places)}L${to},100Z`;
    })
    .join('');
