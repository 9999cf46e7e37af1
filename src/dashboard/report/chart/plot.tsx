// The plot is the drawing of the chart, with numbers at its left and dates below it. A tooltip stands at the point
// under the pointer. Screen readers cannot read a drawing. For them, the plot is a slider. Its value is a sentence with
// everything about one point, and arrow keys move to the next point.
//
// chart.tsx shows `Plot`, or the points as a table instead.

import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { useScope } from '../../core/scope.ts';
import { FIGURES, type FigureName } from '../model/figures.ts';
import { pointSentence } from '../model/point-text.ts';
import type { Point } from '../model/points.ts';
import { ChartTooltip } from './chart-tooltip.tsx';
import { placesFor } from './places.ts';
import { PlotDrawing } from './plot-drawing.tsx';
import { type Scale, scaleFor } from './scale.ts';
import { usePointer } from './use-pointer.ts';

type Props = {
  points: Point[];
  figure: FigureName;
  onlyDay: string | undefined;
  name: string;
  onOpen(index: number): void;
  onSelect(first: number, last: number): void;
  /** Draws signs over the plot. `place` returns how far a point is from the left edge, in percent. */
  children?: (place: (index: number) => number) => ComponentChildren;
};

export function Plot({ points, figure, onlyDay, name, onOpen, onSelect, children }: Props) {
  const { currency } = useScope();
  const [pointed, setPointed] = useState<number>();
  useEffect(() => setPointed(undefined), [points, onlyDay]);
  const scale = useMemo(() => scaleFor(points, figure), [points, figure]);
  // Draws the lines only once for these points. Otherwise each move of the pointer would draw all lines again.
  const drawing = useMemo(() => <PlotDrawing {...{ points, scale, onlyDay }} />, [points, scale, onlyDay]);
  const labels = useMemo(() => <PlotPlaces {...{ points, scale }} />, [points, scale]);
  const { dragged, handlers } = usePointer(scale, pointed, { onMove: setPointed, onOpen, onSelect });

  const last = points.length - 1;
  const index = pointed ?? last;
  const point = points[index];
  const onKeyDown = (event: KeyboardEvent) => {
    const next = indexForKey(event.key, index, last);
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (next !== undefined) setPointed(Math.max(0, Math.min(last, next)));
    else if (event.key === 'Enter' || event.key === ' ') onOpen(index);
    else return;
    event.preventDefault();
  };
  return (
    <div class="plot">
      {/*
       * If the numbers at the axis change, the new key replaces all of them. Otherwise an old number would visibly move
       * to its new place.
       */}
      <div key={scale.counts.join()} class="plot-counts" aria-hidden="true">
        {scale.counts.toReversed().map((count) => (
          <span key={count}>{FIGURES[figure].short(count, currency ?? '')}</span>
        ))}
      </div>
      <div class="plot-body">
        <div
          class="plot-area"
          role="slider"
          tabIndex={0}
          aria-label={name}
          aria-valuemin={0}
          aria-valuemax={Math.max(0, last)}
          aria-valuenow={Math.max(0, index)}
          aria-valuetext={point && pointSentence(point, figure, currency ?? '')}
          onKeyDown={onKeyDown}
          onFocus={({ currentTarget }) => currentTarget.matches(':focus-visible') && setPointed(index)}
          onBlur={() => setPointed(undefined)}
          {...handlers}
        >
          <svg class="plot-drawing" aria-hidden="true">
            {drawing}
            {dragged && <PlotSelection {...dragged} />}
            {pointed !== undefined && point && <PlotCursor scale={scale} index={index} point={point} />}
          </svg>
        </div>
        {children?.(scale.x)}
        {pointed !== undefined && point && (
          <ChartTooltip point={point} figure={figure} left={scale.x(index)} isOnRight={index > last / 2} />
        )}
      </div>
      {labels}
    </div>
  );
}

/**
 * If a date's point is further to the right than this, in percent, the date's text ends at the point. So the text stays
 * within the plot.
 */
const EDGE = 97;
/**
 * `PlotPlaces` makes lists with up to 5, 8 and 14 dates. In each list, a date at the right edge is left out if the date
 * before it is too near. The least distance is this number divided by 5, 8 or 14, in percent of the plot's width. With
 * up to 14 dates, the least distance is 10 %.
 */
const EDGE_ROOM = 140;

/**
 * The dates below the plot, as three lists with up to 5, 8 and 14 dates. plot.css shows the list that fits. A date at
 * the right edge is left out if it would touch the date before it.
 */
function PlotPlaces({ points, scale: { x } }: { points: Point[]; scale: Scale }) {
  const atMost = (most: number) => {
    const places = placesFor(points, most).map(({ index, label }) => ({ label, left: x(index) }));
    const isFree = ({ left }: { left: number }, i: number) =>
      left <= EDGE || left - (places[i - 1]?.left ?? 0) >= EDGE_ROOM / most;
    return places.filter(isFree).map(({ label, left }) => (
      <span key={left} class={left > EDGE ? 'is-last' : ''} style={{ left: `${left}%` }}>
        {label}
      </span>
    ));
  };
  return (
    <div key={`${points[0]?.date} ${points.length}`} class="plot-places" aria-hidden="true">
      <div class="is-narrow">{atMost(5)}</div>
      <div class="is-middle">{atMost(8)}</div>
      <div class="is-wide">{atMost(14)}</div>
    </div>
  );
}

/** The vertical line at the point under the pointer, with a dot on each line of the chart. */
function PlotCursor({ scale: { x, y }, index, point }: { scale: Scale; index: number; point: Point }) {
  const { value, previous } = point;
  const at = `${x(index)}%`;
  const dot = (height: number) => ({ cx: at, cy: `${y(height)}%`, r: 4 });
  return (
    <>
      <line class="plot-cursor" x1={at} x2={at} y2="100%" />
      {previous?.value != null && <circle class="plot-dot is-before" {...dot(previous.value)} />}
      {value !== null && <circle class="plot-dot" {...dot(value)} />}
    </>
  );
}

const PlotSelection = ({ from, to }: { from: number; to: number }) => (
  <rect class="plot-selection" x={`${Math.min(from, to)}%`} width={`${Math.abs(to - from)}%`} height="100%" />
);

/**
 * Finds the index of the point to which a key moves. The index may be before the first or after the last point. The
 * caller then uses the first or the last point.
 */
const indexForKey = (key: string, index: number, last: number): number | undefined =>
  ({
    ArrowLeft: index - 1,
    ArrowDown: index - 1,
    ArrowRight: index + 1,
    ArrowUp: index + 1,
    PageDown: index - 7,
    PageUp: index + 7,
    Home: 0,
    End: last,
  })[key];
