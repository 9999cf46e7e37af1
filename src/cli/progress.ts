/** Where a bar is drawn, if it is a terminal. */
export type Screen = { isTTY?: boolean; write(text: string): unknown };

const WIDTH = 30;
const EVERY_MS = 100;
const CLEAR = '\r\u001b[K';

/**
 * Shows how far a step is: as a bar where its total is known, else as an amount. Nothing of it is left on the screen, and
 * where there is no terminal nothing is written at all.
 */
export function progress(screen: Screen, tick: () => number, what: string, total = 0) {
  let done = 0;
  let drawn = Number.NEGATIVE_INFINITY;

  function draw(): void {
    const part = Math.min(done / total, 1);
    const filled = Math.round(part * WIDTH);
    const bar = `[${'#'.repeat(filled)}${'.'.repeat(WIDTH - filled)}] ${Math.floor(part * 100)} %`;
    screen.write(`${CLEAR}${what} ${total > 0 ? bar : `${(done / 1e6).toFixed(1)} MB`}`);
  }

  return {
    add(amount: number): void {
      done += amount;
      if (!screen.isTTY || tick() - drawn < EVERY_MS) return;
      drawn = tick();
      draw();
    },
    end(): void {
      if (drawn > Number.NEGATIVE_INFINITY) screen.write(CLEAR);
    },
  };
}
