import uPlot from 'uplot';
import type { ChartContent } from '../model/points.ts';
import { optionsFor } from './chart-options.ts';
import { type PointerListener, trackPointer } from './chart-pointer.ts';
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

/** The width of the printed chart in pixels, for A4 and Letter. The style sheet then fits the chart to the paper. */
const PAPER_WIDTH = 700;

const OUTSIDE = { left: -10, top: -10 };

/** Draws the chart in an element. The chart is always as large as the element. */
export function drawingIn(root: HTMLElement, listener: PointerListener): Drawing {
  let content = EMPTY;
  const pointer = trackPointer(listener);
  const options = optionsFor(themeColours(root), () => content, pointer.hooks);
  const plot = new uPlot({ ...options, width: root.clientWidth, height: root.clientHeight }, content.lines, root);
  pointer.attachTo(plot);
  const fit = () => plot.setSize({ width: root.clientWidth, height: root.clientHeight });
  const resize = new ResizeObserver(fit);
  // A browser lays out the page for paper without drawing the canvas again. So the chart changes its size before.
  const fitPaper = () => plot.setSize({ width: PAPER_WIDTH, height: root.clientHeight });
  addEventListener('beforeprint', fitPaper);
  addEventListener('afterprint', fit);
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
      removeEventListener('beforeprint', fitPaper);
      removeEventListener('afterprint', fit);
      plot.destroy();
    },
  };
}
