// The labels are drawn within the plot. So the plot extends to the edges of its card. Counts stand at the left on their
// lines, and dates stand below their points.
// chart-options.ts calls both functions at each drawing.

import type uPlot from 'uplot';
import type { ThemeColours } from './theme-colours.ts';

const SIZE = 12;
/** The space between a label and its point or line, in CSS pixels. */
const GAP = 8;

/** The steps between two counts on the axis: 1, 2, 5, 10, 20, 50 and so on. Counts are always whole numbers. */
const COUNT_STEPS = Array.from({ length: 9 }, (_, zeros) => [1, 2, 5].map((step) => step * 10 ** zeros)).flat();

export const LABEL_STEPS = { x: { space: 100 }, y: { space: 48, incrs: COUNT_STEPS } } as const;

/** Draws each count on its line, within the plot. An outline keeps the text readable over the lines of the chart. */
export function drawCounts(
  { ctx, bbox, valToPos }: uPlot,
  counts: readonly number[],
  short: (count: number) => string,
  colours: ThemeColours,
): void {
  ctx.save();
  begun(ctx, colours);
  ctx.textAlign = 'left';
  ctx.textBaseline = 'bottom';
  for (const count of counts.filter((one) => one > 0)) {
    const [x, y] = [bbox.left + GAP * devicePixelRatio, valToPos(count, 'y', true) - 2 * devicePixelRatio];
    ctx.strokeText(short(count), x, y);
    ctx.fillText(short(count), x, y);
  }
  ctx.restore();
}

/** Draws each label below its point. The first and the last label move inwards, so that they are not cut. */
export function drawPlaces(
  { ctx, bbox, valToPos }: uPlot,
  places: readonly number[],
  labels: readonly string[],
  colours: ThemeColours,
): void {
  const gap = GAP * devicePixelRatio;
  ctx.save();
  begun(ctx, colours);
  ctx.textAlign = 'center';
  ctx.textBaseline = 'top';
  for (const place of places) {
    const label = labels[place] ?? '';
    const half = ctx.measureText(label).width / 2 + gap;
    const x = Math.min(Math.max(valToPos(place, 'x', true), bbox.left + half), bbox.left + bbox.width - half);
    ctx.fillText(label, x, bbox.top + bbox.height + gap);
  }
  ctx.restore();
}

/**
 * Sets font and colours for labels. A canvas may have more pixels than the page, so the size is multiplied by
 * `devicePixelRatio`.
 */
function begun(ctx: CanvasRenderingContext2D, colours: ThemeColours): void {
  ctx.font = `${SIZE * devicePixelRatio}px system-ui, sans-serif`;
  ctx.fillStyle = colours.of('soft');
  ctx.strokeStyle = colours.of('card');
  ctx.lineWidth = 3 * devicePixelRatio;
  ctx.lineJoin = 'round';
}
