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

/** As wide as it may be on A4 and on Letter; the style sheet makes it fit exactly. */
const PAPER_WIDTH = 700;

const OUTSIDE = { left: -10, top: -10 };

/** A chart on a canvas in this element, as large as it. */
export function drawingIn(root: HTMLElement, listener: PointerListener): Drawing {
  let content = EMPTY;
  const pointer = trackPointer(listener);
  const options = optionsFor(themeColours(root), () => content, pointer.hooks);
  const plot = new uPlot({ ...options, width: root.clientWidth, height: root.clientHeight }, content.lines, root);
  pointer.attachTo(plot);
  const fit = () => plot.setSize({ width: root.clientWidth, height: root.clientHeight });
  const resize = new ResizeObserver(fit);
  // Browsers lay the page out for paper after this, and draw nothing of it again.
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
