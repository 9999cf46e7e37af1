// Handles the pointer over the chart. With a mouse, a click opens a point, and a drag selects several points. With a
// finger, the first tap shows a point, and a second tap on this point opens it. A finger that moves up or down scrolls
// the page.
//
// plot.tsx passes the handlers to the area of the plot.

import type { TargetedMouseEvent, TargetedPointerEvent } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { Scale } from './scale.ts';

type Listener = {
  /** `index` is the point under the pointer, or undefined if the pointer is outside of the plot. */
  onMove(index: number | undefined): void;
  onOpen(index: number): void;
  onSelect(first: number, last: number): void;
};

/**
 * The shortest drag in pixels. A shorter one counts as a click, because the mouse often moves by a pixel during a
 * click.
 */
const SHORTEST_DRAG_PX = 8;

/**
 * The last press of a mouse button or a finger. `at` is its place, in percent of the plot's width. `shown` is the index
 * of the point that was shown before the press.
 */
type Press = { at: number; clientX: number; isTouch: boolean; shown: number | undefined; isDown: boolean };

type On = TargetedPointerEvent<HTMLElement>;

export function usePointer({ indexAt }: Scale, shown: number | undefined, { onMove, onOpen, onSelect }: Listener) {
  const press = useRef<Press>(undefined);
  const wasDragged = useRef(false);
  const [dragged, setDragged] = useState<{ from: number; to: number }>();
  const end = () => {
    if (press.current) press.current.isDown = false;
    setDragged(undefined);
  };
  const handlers = {
    // A mouse click must not move the focus to the chart. With the focus there, arrow keys would move between points
    // instead of changing the range.
    onMouseDown: (event: MouseEvent) => event.preventDefault(),
    onPointerDown(event: On) {
      if (event.button !== 0) return;
      const { clientX, pointerType, pointerId, currentTarget } = event;
      const at = placeIn(event);
      press.current = { at, clientX, isTouch: pointerType === 'touch', shown, isDown: true };
      wasDragged.current = false;
      // A drag may end outside of the plot. After this call, the browser reports the end here too.
      currentTarget.setPointerCapture(pointerId);
      onMove(indexAt(at));
    },
    onPointerMove(event: On) {
      const { current } = press;
      onMove(indexAt(placeIn(event)));
      if (!current?.isDown || current.isTouch) return;
      if (!dragged && Math.abs(event.clientX - current.clientX) < SHORTEST_DRAG_PX) return;
      wasDragged.current = true;
      setDragged({ from: current.at, to: placeIn(event) });
    },
    onPointerUp() {
      if (dragged) onSelect(indexAt(dragged.from), indexAt(dragged.to));
      end();
    },
    onPointerCancel: end,
    // `onPointerLeave` also runs when a finger is lifted, and the point would disappear at once. So `onMouseLeave` is
    // used.
    onMouseLeave: () => onMove(undefined),
    onClick(event: TargetedMouseEvent<HTMLElement>) {
      const index = indexAt(placeIn(event));
      const { isTouch, shown } = press.current ?? {};
      if (!wasDragged.current && (!isTouch || shown === index)) onOpen(index);
    },
  };
  return { dragged, handlers };
}

/** Returns how far to the right the pointer is, in percent of the width of the plot. */
function placeIn({ currentTarget, clientX }: TargetedMouseEvent<HTMLElement>): number {
  const { left, width } = currentTarget.getBoundingClientRect();
  return Math.max(0, Math.min(100, ((clientX - left) / width) * 100));
}
