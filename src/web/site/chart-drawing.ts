import uPlot from 'uplot';
import { optionsFor } from './chart-options.ts';
import { type PointerListener, trackPointer } from './chart-pointer.ts';
import type { ChartContent } from './points.ts';
import { themeColours } from './theme-colours.ts';

export type Drawing = {
  show(content: ChartContent): void;
  moveTo(index: number | undefined): void;
  recolour(): void;
  dispose(): void;
};

const EMPTY: ChartContent = {
  lines: [[], [], [], [], [], []],
  labels: [],
  short: String,
  labelSteps: [1],
  noted: [],
  incomplete: [],
  highlighted: undefined,
};

const OUTSIDE = { left: -10, top: -10 };

/** A chart on a canvas in this element, as large as it. */
export function drawingIn(root: HTMLElement, listener: PointerListener): Drawing {
  let content = EMPTY;
  const pointer = trackPointer(listener);
  const options = optionsFor(themeColours(root), () => content, pointer.hooks);
  const plot = new uPlot({ ...options, width: root.clientWidth, height: root.clientHeight }, content.lines, root);
  pointer.attachTo(plot);
  const resize = new ResizeObserver(() => plot.setSize({ width: root.clientWidth, height: root.clientHeight }));
  resize.observe(root);
  return {
    show(next) {
      content = next;
      pointer.forget();
      plot.setData(next.lines);
    },
    moveTo(index) {
      plot.setCursor(index === undefined ? OUTSIDE : { left: plot.valToPos(index, 'x'), top: 0 });
    },
    recolour: () => plot.redraw(false),
    dispose() {
      resize.disconnect();
      plot.destroy();
    },
  };
}
