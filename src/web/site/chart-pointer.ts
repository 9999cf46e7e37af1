// The pointer of the chart opens a point by a click, and selects several points by a drag. A finger first shows a point, and
// opens it with a second tap on it. All places are indexes of points, never pixels.
// chart-drawing.ts attaches the pointer to uPlot.

import type uPlot from 'uplot';

export type PointerListener = {
  /**
   * Called with the point under the pointer and its distance from the left, in pixels. Undefined outside of the
   * chart.
   */
  onMove(index: number | undefined, left: number): void;
  onOpen(index: number): void;
  onSelect(first: number, last: number): void;
};

export type PointerHooks = Pick<uPlot.Hooks.Arrays, 'setCursor' | 'setSelect'>;

type Pointer = { hooks: PointerHooks; attachTo(plot: uPlot): void; forget(): void };

/**
 * Follows the pointer over a chart. A click opens a point, and a drag selects several. A finger opens a point with a
 * second tap on it.
 */
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
      // A mouse click does not move the focus to the chart, where arrow keys would have another meaning.
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
