// The drawing of the chart as SVG. Each line consists of a solid path, and a dashed path for incomplete points such as
// today. Lines are drawn in a box of 100 by 100, which is stretched to the plot. Signs such as the diamond of a note
// must not be stretched. So they are outside of this box, and their places are in percent. The style sheet has the
// colours.
//
// plot.tsx shows the drawing. Over the drawing, plot.tsx draws a vertical line at the point under the pointer.

import type { Point } from '../model/points.ts';
import { linesOf } from './lines.ts';
import { filledPathOf, pathOf } from './paths.ts';
import { type Run, runsOf } from './runs.ts';
import type { Scale } from './scale.ts';

/** With more points than this, the lines are thinner, because a thick line would hide small changes. */
const MANY = 150;

const isPartlyMissing = ({ isIncomplete, leftOut }: Point): boolean => isIncomplete || leftOut !== 'none';

type Props = { points: readonly Point[]; scale: Scale; onlyDay: string | undefined };

export function PlotDrawing({ points, scale, onlyDay }: Props) {
  const { x, y, counts } = scale;
  const { values, whole, parts, previousWhole, previousParts } = linesOf(points);
  const column = ({ first, last }: Run) => {
    const [from, to] = [x(first - 0.5), x(last + 0.5)];
    return { key: first, x: `${from}%`, width: `${to - from}%`, height: '100%' };
  };
  return (
    <>
      <defs>
        <linearGradient id="plot-fill" x2="0" y2="1">
          <stop class="plot-fill-top" />
          <stop class="plot-fill-end" offset="1" />
        </linearGradient>
        <pattern id="plot-hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <path d="M0 0V6" />
        </pattern>
      </defs>
      {runsOf(points, ({ date }) => date === onlyDay).map((run) => (
        <rect class="plot-only" {...column(run)} />
      ))}
      {runsOf(points, isPartlyMissing).map((run) => (
        <rect class="plot-hatched" {...column(run)} />
      ))}
      {counts.map((count) => (
        <line key={count} class="plot-grid" x2="100%" y1={`${y(count)}%`} y2={`${y(count)}%`} />
      ))}
      <svg
        class={points.length > MANY ? 'plot-lines is-dense' : 'plot-lines'}
        viewBox="0 0 100 100"
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        <path class="plot-fill" d={filledPathOf(values, scale)} />
        <path class="plot-before" d={pathOf(previousWhole, scale)} />
        <path class="plot-before is-part" d={pathOf(previousParts, scale)} />
        <path class="plot-now" d={pathOf(whole, scale)} />
        <path class="plot-now is-part" d={pathOf(parts, scale)} />
      </svg>
      {points.map(
        ({ date, notes }, i) =>
          notes.length > 0 && (
            <svg key={date} class="plot-note" x={`${x(i)}%`} y="100%" aria-hidden="true">
              <path d="M0-6 4 0 0 6-4 0Z" />
            </svg>
          ),
      )}
    </>
  );
}
