export type Screen = { isTTY?: boolean; write(text: string): unknown };

const WIDTH = 30;
const REDRAW_MS = 100;
const CLEAR = '\r\u001b[K';

/**
 * Shows the progress of a step: as a bar if the total is known, or otherwise as megabytes. The line is removed at the
 * end. If the output is not a terminal, nothing is written (test/cli/progress.test.ts).
 */
export function progress(screen: Screen, tick: () => number, label: string, total = 0) {
  let done = 0;
  let drawn = Number.NEGATIVE_INFINITY;

  function draw(): void {
    const part = Math.min(done / total, 1);
    const filled = Math.round(part * WIDTH);
    const bar = `[${'#'.repeat(filled)}${'.'.repeat(WIDTH - filled)}] ${Math.floor(part * 100)} %`;
    screen.write(`${CLEAR}${label} ${total > 0 ? bar : `${(done / 1e6).toFixed(1)} MB`}`);
  }

  return {
    add(amount: number): void {
      done += amount;
      if (!screen.isTTY || tick() - drawn < REDRAW_MS) return;
      drawn = tick();
      draw();
    },
    end(): void {
      if (drawn > Number.NEGATIVE_INFINITY) screen.write(CLEAR);
    },
  };
}

const SECOND_MS = 1_000;
const QUIET_SECONDS = 2;

/**
 * Shows the elapsed seconds of a command, beginning after two seconds. If the output is not a terminal, nothing is
 * written.
 */
export function showTime(screen: Screen, label: string): { end(): void } {
  let seconds = 0;
  const timer = screen.isTTY ? setInterval(draw, SECOND_MS).unref() : undefined;

  function draw(): void {
    seconds++;
    if (seconds >= QUIET_SECONDS) screen.write(`${CLEAR}${label}: ${seconds} s …`);
  }

  return {
    end(): void {
      clearInterval(timer);
      if (seconds >= QUIET_SECONDS) screen.write(CLEAR);
    },
  };
}
