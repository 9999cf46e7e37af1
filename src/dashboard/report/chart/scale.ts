// The scale says where things stand in the plot, in percent of its width and height. So one drawing fits a wide window,
// a phone and paper, and no code measures the window.
//
// Example: with 31 points, the point with the index 15 stands at x 50. With 83 visitors on the best day, the axis goes
// from 0 to 100 in steps of 20. The value 100 stands at y 0, the top.
//
// plot.tsx makes one scale for its points and its figure.

import { nice, ticks } from 'd3-array';
import { FIGURES, type FigureName } from '../model/figures.ts';
import type { Point } from '../model/points.ts';

export type Scale = {
  /**
   * Returns how far a point is from the left, in percent. The index may be between two points, such as 1.5. The result
   * is never outside of the plot.
   */
  x(index: number): number;
  y(value: number): number;
  /** Returns the index of the point that is nearest to `percent`, a distance from the left. */
  indexAt(percent: number): number;
  /** The values on the axis, from 0 to the top, in equal steps. */
  counts: number[];
};

/** About how many steps the axis has. The length of a step is 1, 2 or 5 times a power of ten, such as 200 or 0.5. */
const STEPS = 4;

export function scaleFor(points: readonly Pick<Point, 'value' | 'previous'>[], figure: FigureName): Scale {
  const last = points.length - 1;
  const most = points.reduce((top, { value, previous }) => Math.max(top, value ?? 0, previous?.value ?? 0), 0);
  const unit = unitFor(most, figure);
  const [, top] = nice(0, (Math.max(most, leastFor(figure)) || STEPS) / unit, STEPS);
  return {
    // A single point stands in the middle.
    x: (index) => clamp(last > 0 ? index / last : (index + 1) / 2, 0, 1) * 100,
    y: (value) => 100 - (value / unit / top) * 100,
    indexAt: (percent) => clamp(Math.round((percent / 100) * last), 0, last),
    counts: ticks(0, top, STEPS).map((count) => count * unit),
  };
}

/**
 * Returns the lowest top of the axis. Counts and seconds are whole numbers, so their axis goes at least from 0 to 4, in
 * steps of 1. A rate or an amount of money may be small, such as 0.5 %. Its axis ends near its highest value.
 */
const leastFor = (figure: FigureName): number => (FIGURES[figure].isSum || figure === 'visit_duration' ? STEPS : 0);

const clamp = (value: number, least: number, most: number): number => Math.max(least, Math.min(most, value));

/**
 * Returns the unit in which the axis has round steps. Durations are in seconds. If the longest duration is above two
 * minutes, the unit is a minute. Above two hours, the unit is an hour. All other figures have the unit 1.
 */
function unitFor(most: number, figure: FigureName): number {
  if (figure !== 'visit_duration' || most <= 120) return 1;
  return most > 7200 ? 3600 : 60;
}
