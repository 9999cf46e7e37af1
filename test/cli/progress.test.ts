import assert from 'node:assert/strict';
import { test } from 'node:test';
import { progress, showTime } from '../../src/cli/progress.ts';

function drawn(isTTY: boolean, total: number, amounts: readonly number[]): string[] {
  const written: string[] = [];
  let now = 0;
  const bar = progress({ isTTY, write: (text) => written.push(text) }, () => now, 'reading', total);
  for (const amount of amounts) {
    bar.add(amount);
    now += 60;
  }
  bar.end();
  return written;
}

test('a bar is drawn now and then, and nothing of it is left', () => {
  assert.deepEqual(drawn(true, 8, [2, 2, 1, 2, 1]), [
    '\r\u001b[Kreading [########......................] 25 %',
    '\r\u001b[Kreading [###################...........] 62 %',
    '\r\u001b[Kreading [##############################] 100 %',
    '\r\u001b[K',
  ]);
});

test('where the total is not known it is an amount', () => {
  assert.deepEqual(drawn(true, 0, [1_500_000]), ['\r\u001b[Kreading 1.5 MB', '\r\u001b[K']);
});

test('where there is no terminal nothing is written', () => {
  assert.deepEqual(drawn(false, 8, [2, 2, 4]), []);
});

test('progress: a command that runs for two seconds says how long, and nothing of that is left', (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const runFor = (isTTY: boolean, ms: number): string[] => {
    const written: string[] = [];
    const shown = showTime({ isTTY, write: (text) => written.push(text) }, 'daybook check');
    t.mock.timers.tick(ms);
    shown.end();
    t.mock.timers.tick(5_000);
    return written;
  };
  const [two, three] = [2, 3].map((seconds) => `\r\u001b[Kdaybook check: ${seconds} s …`);
  assert.deepEqual(runFor(true, 3_500), [two, three, '\r\u001b[K']);
  assert.deepEqual(runFor(true, 1_900), []);
  assert.deepEqual(runFor(false, 9_000), []);
});
