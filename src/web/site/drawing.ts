import uPlot from 'uplot';

/** What is drawn, from left to right. Null is a gap. */
type Drawn = {
  lines: [number[], (number | null)[], (number | null)[], (number | null)[]];
  labels: string[];
  /** By how many points two labels may stand apart. */
  steps: number[];
  /** Which points have notes. */
  marked: number[];
  /** The one that is chosen out of those drawn. */
  chosen: number | undefined;
};

export type Listener = {
  /** Where the pointer is, and how many pixels from the left its point is drawn; undefined beside the chart. */
  onMove(at: number | undefined, left: number): void;
  onChoose(at: number): void;
  onSelect(first: number, last: number): void;
};

export type Drawing = {
  show(drawn: Drawn): void;
  moveTo(at: number | undefined): void;
  recolour(): void;
  dispose(): void;
};

const FONT = '12px system-ui, sans-serif';
const NO_ROOM = { left: -10, top: -10 };

export function draw(root: HTMLElement, listener: Listener): Drawing {
  let drawn: Drawn = { lines: [[], [], [], []], labels: [], steps: [1], marked: [], chosen: undefined };
  let last: number | undefined;
  let isDragged = false;
  const ink = (name: string): string => getComputedStyle(root).getPropertyValue(`--${name}`);
  const fade = (name: string, part: number) => `color-mix(in srgb, ${ink(name)} ${part}%, transparent)`;

  /** A point's place in the pixels of the page, which the pointer is told by. */
  const leftOf = (plot: uPlot, at: number) => plot.valToPos(at, 'x');

  function band(plot: uPlot): void {
    if (drawn.chosen === undefined) return;
    const { ctx, bbox } = plot;
    const [from, to] = [-0.5, 0.5].map((side) => plot.valToPos((drawn.chosen ?? 0) + side, 'x', true)) as [
      number,
      number,
    ];
    ctx.fillStyle = fade('accent', 10);
    ctx.fillRect(from, bbox.top, Math.min(to, bbox.left + bbox.width) - from, bbox.height);
  }

  function marks(plot: uPlot): void {
    const { ctx, bbox } = plot;
    const size = 4 * devicePixelRatio;
    ctx.fillStyle = ink('note');
    for (const at of drawn.marked) {
      const x = plot.valToPos(at, 'x', true);
      const y = bbox.top + bbox.height;
      ctx.beginPath();
      ctx.moveTo(x, y - size * 1.5);
      ctx.lineTo(x + size, y);
      ctx.lineTo(x, y + size * 1.5);
      ctx.lineTo(x - size, y);
      ctx.fill();
    }
  }

  const line = { scale: 'y', points: { show: false } } as const;
  const plot = new uPlot(
    {
      width: root.clientWidth,
      height: root.clientHeight,
      // To the right, half of the last label.
      padding: [12, 34, 0, 0],
      legend: { show: false },
      scales: {
        x: { time: false, range: (_, min, max) => (min === max ? [min - 1, max + 1] : [min, max]) },
        // Room for whole numbers where there are only small ones.
        y: { range: (_, __, max) => [0, Math.max(4, max * 1.08)] },
      },
      axes: [
        {
          stroke: () => ink('soft'),
          font: FONT,
          size: 34,
          gap: 8,
          space: 72,
          incrs: () => drawn.steps,
          values: (_, places) => places.map((place) => drawn.labels[place] ?? ''),
          grid: { show: false },
          ticks: { show: false },
        },
        {
          stroke: () => ink('soft'),
          font: FONT,
          size: 46,
          gap: 8,
          space: 48,
          incrs: [1, 2, 5]
            .flatMap((step) => Array.from({ length: 9 }, (_, zeros) => step * 10 ** zeros))
            .sort((a, b) => a - b),
          values: (_, places) => places.map((place) => short.format(place)),
          grid: { stroke: () => ink('line'), width: 1 },
          ticks: { show: false },
        },
      ],
      series: [
        {},
        { ...line, stroke: () => ink('accent'), width: 2, fill: () => fade('accent-soft', 55) },
        { ...line, stroke: () => ink('accent'), width: 2, dash: [5, 4], fill: () => fade('accent-soft', 25) },
        // Over the area, under which it could not be seen.
        { ...line, stroke: () => ink('faint'), width: 1.5, dash: [2, 4], cap: 'round' },
      ],
      cursor: {
        y: false,
        points: { size: 8, width: 2, fill: () => ink('card') },
        // What it takes for a drag is any click that is not in the middle of a pixel.
        drag: { x: true, y: false, setScale: false, dist: 8, click: () => {} },
        move: (self, left, top) => (left < 0 ? [left, top] : [leftOf(self, self.posToIdx(left)), top]),
      },
      hooks: {
        drawAxes: [band],
        draw: [marks],
        setCursor: [
          (self) => {
            const at =
              self.cursor.left === undefined || self.cursor.left < 0 ? undefined : (self.cursor.idx ?? undefined);
            if (at === last) return;
            last = at;
            listener.onMove(at, at === undefined ? 0 : self.over.offsetLeft + leftOf(self, at));
          },
        ],
        setSelect: [
          (self) => {
            const { left, width } = self.select;
            if (width === 0) return;
            isDragged = true;
            self.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
            listener.onSelect(self.posToIdx(left), self.posToIdx(left + width));
          },
        ],
      },
    },
    drawn.lines,
    root,
  );

  // Who points needs no focus here, where the arrow keys would mean something else.
  plot.over.addEventListener('mousedown', (event) => event.preventDefault());

  // A finger first shows what is there, and chooses it with a second tap.
  let isTouch = false;
  let touched: number | undefined;
  plot.over.addEventListener('pointerdown', ({ pointerType }) => {
    isDragged = false;
    isTouch = pointerType === 'touch';
    touched = last;
  });
  plot.over.addEventListener('pointermove', ({ pointerType, clientX }) => {
    if (pointerType === 'touch') plot.setCursor({ left: clientX - plot.rect.left, top: 0 });
  });
  plot.over.addEventListener('click', () => {
    if (last !== undefined && !isDragged && (!isTouch || touched === last)) listener.onChoose(last);
  });

  const size = new ResizeObserver(() => plot.setSize({ width: root.clientWidth, height: root.clientHeight }));
  size.observe(root);

  const moveTo = (at: number | undefined) =>
    plot.setCursor(at === undefined ? NO_ROOM : { left: leftOf(plot, at), top: 0 });
  return {
    show(next) {
      drawn = next;
      last = undefined;
      plot.setData(next.lines);
    },
    moveTo,
    recolour: () => plot.redraw(false),
    dispose() {
      size.disconnect();
      plot.destroy();
    },
  };
}

const short = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1 });
