// The options of uPlot say how the chart is drawn: axes, lines, pointer, and additions. The additions are labels within the
// plot, slanted lines over incomplete points, and a diamond for each note.
//
// The options are made once for a chart. Each drawing reads the current points from `content()`. So a new range needs no new
// chart. chart-drawing.ts creates the chart with `optionsFor`.

import type uPlot from 'uplot';
import type { ChartContent } from '../model/points.ts';
import { drawCounts, drawPlaces, LABEL_STEPS } from './chart-labels.ts';
import type { PointerHooks } from './chart-pointer.ts';
import type { ThemeColours } from './theme-colours.ts';

/**
 * Where labels stand. `places` has the indexes of points, and `counts` has numbers of visitors. uPlot would draw these
 * labels in the margins. daybook draws them within the plot.
 */
type Steps = { places: readonly number[]; counts: readonly number[] };

export function optionsFor(
  colours: ThemeColours,
  content: () => ChartContent,
  hooks: PointerHooks,
): Omit<uPlot.Options, 'width' | 'height'> {
  const steps: Steps = { places: [], counts: [] };
  return {
    padding: [16, 0, 0, 0],
    legend: { show: false },
    scales: {
      x: { time: false, range: (_, min, max) => (min === max ? [min - 1, max + 1] : [min, max]) },
      // The scale extends at least to 4. With smaller counts, uPlot would use steps such as 0.5.
      y: { range: (_, __, max) => [0, Math.max(4, max * 1.08)] },
    },
    axes: axesFor(colours, content, steps),
    series: seriesFor(colours),
    cursor: {
      y: false,
      points: { size: 8, width: 2, fill: () => colours.of('card') },
      // uPlot must treat a very short drag as a click. Otherwise a click that moves by one pixel would do nothing.
      drag: { x: true, y: false, setScale: false, dist: 8, click: () => {} },
      // Moves the cursor to the nearest point, because there is nothing to show between two points.
      move: (plot, left, top) => (left < 0 ? [left, top] : [plot.valToPos(plot.posToIdx(left), 'x'), top]),
    },
    hooks: {
      drawAxes: [
        (plot) => drawHighlight(plot, content().highlighted, colours),
        (plot) => {
          for (const index of content().incomplete) drawHatched(plot, index, colours);
        },
      ],
      draw: [
        (plot) => drawCounts(plot, steps.counts, content().short, colours),
        (plot) => drawPlaces(plot, steps.places, content().labels, colours),
        (plot) => drawNotes(plot, content().noted, colours),
      ],
      ...hooks,
    },
  };
}

function axesFor(colours: ThemeColours, content: () => ChartContent, steps: Steps): uPlot.Axis[] {
  const bare = { ticks: { show: false }, gap: 0 };
  return [
    {
      ...bare,
      ...LABEL_STEPS.x,
      size: 30,
      incrs: () => content().labelSteps,
      values(_, places) {
        steps.places = places;
        return places.map(() => null);
      },
      grid: { show: false },
    },
    {
      ...bare,
      ...LABEL_STEPS.y,
      incrs: [...LABEL_STEPS.y.incrs],
      size: 0,
      values(_, counts) {
        steps.counts = counts;
        return counts.map(() => null);
      },
      grid: { stroke: () => colours.of('line'), width: 1 },
    },
  ];
}

/**
 * The styles of the lines, in the order of the type `Lines`. The line of the comparison is drawn last, because the filled areas
 * would hide it.
 */
function seriesFor(colours: ThemeColours): uPlot.Series[] {
  const line = { scale: 'y', points: { show: false } } as const;
  const now = { ...line, stroke: () => colours.of('accent'), width: 2 };
  const before = { ...line, stroke: () => colours.of('before'), width: 1.5 };
  return [
    {},
    { ...line, width: 0, fill: () => colours.faded('accent-soft', 55) },
    now,
    { ...now, dash: [5, 4] },
    before,
    { ...before, dash: [2, 4], cap: 'round' },
  ];
}

function drawHighlight(plot: uPlot, index: number | undefined, colours: ThemeColours): void {
  if (index === undefined) return;
  const { ctx, bbox } = plot;
  const [from, to] = [plot.valToPos(index - 0.5, 'x', true), plot.valToPos(index + 0.5, 'x', true)];
  ctx.fillStyle = colours.faded('accent', 10);
  ctx.fillRect(from, bbox.top, Math.min(to, bbox.left + bbox.width) - from, bbox.height);
}

function drawHatched(plot: uPlot, index: number, colours: ThemeColours): void {
  const { ctx, bbox } = plot;
  const { left, top, width, height } = bbox;
  const at = (place: number) => Math.min(Math.max(plot.valToPos(place, 'x', true), left), left + width);
  const [from, to] = [at(index - 0.5), at(index + 0.5)];
  ctx.save();
  ctx.beginPath();
  ctx.rect(from, top, to - from, height);
  ctx.clip();
  ctx.beginPath();
  for (let x = from - height; x < to; x += 7 * devicePixelRatio) {
    ctx.moveTo(x, top + height);
    ctx.lineTo(x + height, top);
  }
  ctx.strokeStyle = colours.faded('faint', 45);
  ctx.stroke();
  ctx.restore();
}

/** Draws a diamond on the axis for each point that has notes. At the edges the diamond moves inwards, so that it is not cut. */
function drawNotes(plot: uPlot, noted: readonly number[], colours: ThemeColours): void {
  const { ctx, bbox } = plot;
  const size = 4 * devicePixelRatio;
  ctx.fillStyle = colours.of('note');
  for (const index of noted) {
    const x = Math.min(Math.max(plot.valToPos(index, 'x', true), bbox.left + size), bbox.left + bbox.width - size);
    const y = bbox.top + bbox.height;
    ctx.beginPath();
    ctx.moveTo(x, y - size * 1.5);
    ctx.lineTo(x + size, y);
    ctx.lineTo(x, y + size * 1.5);
    ctx.lineTo(x - size, y);
    ctx.fill();
  }
}
