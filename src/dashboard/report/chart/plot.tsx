// The plot is the chart as a drawing, with a tooltip at the point under the pointer. Screen readers cannot read the canvas on
// which uPlot draws. So the plot is also a slider. The value of the slider is a sentence with everything about one point.
// Arrow keys move to the next point.
//
// chart.tsx shows `Plot`, or the points as a table instead.

import { useEffect, useRef, useState } from 'preact/hooks';
import { FIGURES, type FigureName } from '../model/figures.ts';
import { KINDS } from '../model/intervals.ts';
import { pointSentence } from '../model/point-text.ts';
import type { ChartContent } from '../model/points.ts';
import { linesOf, type Point } from '../model/points.ts';
import { type Drawing, drawingIn } from './chart-drawing.ts';
import type { PointerListener } from './chart-pointer.ts';
import { ChartTooltip } from './chart-tooltip.tsx';
import { onThemeChange } from './theme-colours.ts';

type Props = {
  points: Point[];
  figure: FigureName;
  onlyDay: string | undefined;
  name: string;
  canWrite: boolean;
  onOpen(index: number): void;
  onSelect(first: number, last: number): void;
};

export function Plot({ points, figure, onlyDay, name, canWrite, onOpen, onSelect }: Props) {
  const [pointed, setPointed] = useState<{ index: number; left: number }>();
  const { root, moveTo } = useDrawing(
    { points, figure, onlyDay },
    {
      onMove: (index, left) => setPointed(index === undefined ? undefined : { index, left }),
      onOpen,
      onSelect,
    },
  );
  useEffect(() => setPointed(undefined), [points, onlyDay]);

  const last = points.length - 1;
  const index = pointed?.index ?? last;
  const point = points[index];
  const onKeyDown = (event: KeyboardEvent) => {
    const next = indexForKey(event.key, index, last);
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (next !== undefined) moveTo(Math.max(0, Math.min(last, next)));
    else if (event.key === 'Enter' || event.key === ' ') onOpen(index);
    else return;
    event.preventDefault();
  };
  return (
    <div class="plot">
      <div
        ref={root}
        class="plot-area"
        role="slider"
        tabIndex={0}
        aria-label={name}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, last)}
        aria-valuenow={Math.max(0, index)}
        aria-valuetext={point && pointSentence(point, figure)}
        onKeyDown={onKeyDown}
        onFocus={({ currentTarget }) => currentTarget.matches(':focus-visible') && moveTo(index)}
        onBlur={() => moveTo(undefined)}
      />
      {pointed && point && (
        <ChartTooltip
          canWrite={canWrite}
          point={point}
          figure={figure}
          left={pointed.left}
          isOnRight={pointed.index > last / 2}
        />
      )}
    </div>
  );
}

const contentOf = (points: Point[], figure: FigureName, onlyDay: string | undefined): ChartContent => ({
  short: FIGURES[figure].short,
  lines: linesOf(points),
  labels: points.map(({ interval, date }) => KINDS[interval].labelOf(date)),
  labelSteps: KINDS[points[0]?.interval ?? 'day'].labelSteps,
  noted: points.flatMap(({ notes }, i) => (notes.length > 0 ? [i] : [])),
  incomplete: points.flatMap(({ isIncomplete, leftOut }, i) => (isIncomplete || leftOut !== 'none' ? [i] : [])),
  highlighted: onlyDay === undefined ? undefined : points.findIndex(({ date }) => date === onlyDay),
});

type Drawn = { points: Point[]; figure: FigureName; onlyDay: string | undefined };

function useDrawing({ points, figure, onlyDay }: Drawn, listener: PointerListener) {
  const root = useRef<HTMLDivElement>(null);
  const drawing = useRef<Drawing>(undefined);
  const currentListener = useRef(listener);
  currentListener.current = listener;
  useEffect(() => {
    if (!root.current) return undefined;
    const current = drawingIn(root.current, {
      onMove: (...where) => currentListener.current.onMove(...where),
      onOpen: (index) => currentListener.current.onOpen(index),
      onSelect: (...ends) => currentListener.current.onSelect(...ends),
    });
    drawing.current = current;
    const stopListening = onThemeChange(current.recolour);
    return () => {
      stopListening();
      current.dispose();
    };
  }, []);
  useEffect(() => drawing.current?.show(contentOf(points, figure, onlyDay)), [points, figure, onlyDay]);
  return { root, moveTo: (index: number | undefined) => drawing.current?.moveTo(index) };
}

/** Finds the index of the point to which a key moves. The caller keeps this index inside of the list. */
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
