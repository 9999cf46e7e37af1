// With a mouse, a click opens a point of the chart, and a drag selects several points. With a finger, the first tap shows a
// point, and a second tap on it opens it. All places are indexes of points, never pixels.
// chart-drawing.ts attaches the pointer to uPlot.

import type uPlot from 'uplot';

export type PointerListener = {
  /**
   * `index` is the point under the pointer, and undefined outside of the chart. `left` is the distance of the point from the
   * left edge, in pixels.
   */
  onMove(index: number | undefined, left: number): void;
  onOpen(index: number): void;
  onSelect(first: number, last: number): void;
};

export type PointerHooks = Pick<uPlot.Hooks.Arrays, 'setCursor' | 'setSelect'>;

type Pointer = { hooks: PointerHooks; attachTo(plot: uPlot): void; forget(): void };

/** A click opens a point, and a drag selects several points. With a finger, a second tap on a point opens it. */
export function trackPointer(listener: PointerListener): Pointer {
  let index: number | undefined;
  let wasDragged = false;
  let isTouch = false;
  let indexBefore: number | undefined;

  function onCursor(plot: uPlot): void {
    const { cursor, over } = plot;
    const next = cursor.left === undefined || cursor.left < 0 ? undefined : (cursor.idx ?? undefined);
    if (next === index) return;
    index = next;
    listener.onMove(next, next === undefined ? 0 : over.offsetLeft + plot.valToPos(next, 'x'));
  }

  function onSelection(plot: uPlot): void {
    const { left, width } = plot.select;
    if (width === 0) return;
    wasDragged = true;
    plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
    listener.onSelect(plot.posToIdx(left), plot.posToIdx(left + width));
  }

  return {
    hooks: { setCursor: [onCursor], setSelect: [onSelection] },
    attachTo(plot) {
      const { over } = plot;
      // A mouse click must not move the focus to the chart. In the chart, the arrow keys have another meaning than on the
      // rest of the page.
      over.addEventListener('mousedown', (event) => event.preventDefault());
      over.addEventListener('pointerdown', ({ pointerType }) => {
        wasDragged = false;
        isTouch = pointerType === 'touch';
        indexBefore = index;
      });
      over.addEventListener('pointermove', ({ pointerType, clientX }) => {
        if (pointerType === 'touch') plot.setCursor({ left: clientX - plot.rect.left, top: 0 });
      });
      over.addEventListener('click', () => {
        if (index !== undefined && !wasDragged && (!isTouch || indexBefore === index)) listener.onOpen(index);
      });
    },
    forget() {
      index = undefined;
    },
  };
}
