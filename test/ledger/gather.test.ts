import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { gather } from '../../src/ledger/gather.ts';

/** Whoever waits, and when they were written, with how many. Time passes only here. */
function stage(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout', 'setImmediate'] });
  let time = 0;
  let waiting = 0;
  const writes: [at: number, hits: number][] = [];
  const write = (): void => {
    if (waiting > 0) writes.push([time, waiting]);
    waiting = 0;
  };
  const { soon, now } = gather({ tick: () => time }, write, () => waiting);
  return {
    writes,
    now,
    /** Hits that come in the same moment. */
    come(hits = 1): void {
      for (let n = 0; n < hits; n++) {
        waiting++;
        soon();
      }
      t.mock.timers.tick(0);
    },
    pass(ms: number): void {
      for (let n = 0; n < ms; n++) {
        time++;
        t.mock.timers.tick(1);
      }
    },
  };
}

test('what comes after a while is written at once', (t) => {
  const { come, pass, writes } = stage(t);
  come();
  pass(10);
  come(3);
  assert.deepEqual(writes, [
    [0, 1],
    [10, 3],
  ]);
});

test('what comes soon after a commit is written together with what comes then, and waits for 6 ms at most', (t) => {
  const { come, pass, writes } = stage(t);
  // Every 2 ms.
  for (let n = 0; n < 100; n++) {
    come();
    pass(2);
  }
  assert.deepEqual(writes.slice(0, 3), [
    [0, 1],
    [6, 2],
    [12, 3],
  ]);
  assert.ok(writes.slice(2).every(([at, hits], n) => hits === 3 && at === 12 + n * 6));
});

test('four hits wait no longer', (t) => {
  const { come, pass, writes } = stage(t);
  come();
  pass(1);
  come(3);
  assert.equal(writes.length, 1);
  pass(1);
  come();
  come(64);
  assert.deepEqual(writes, [
    [0, 1],
    [2, 4],
    [2, 64],
  ]);
});

test('whoever sends one hit after another waits in vain once in 100 ms', (t) => {
  const { come, pass, writes } = stage(t);
  let slow = 0;
  for (let n = 0; n < 1_000; n++) {
    const [before, count] = [writes.at(-1)?.[0] ?? 0, writes.length];
    come();
    while (writes.length === count) pass(1);
    const [at, hits] = writes.at(-1) ?? [];
    assert.equal(hits, 1);
    if ((at ?? 0) - before > 1) slow++;
    pass(1);
  }
  assert.ok(slow <= 1_000 / 90, String(slow));
});

test('who asks for it now gets it now, and the rest finds nothing left', (t) => {
  const { come, now, pass, writes } = stage(t);
  come();
  pass(1);
  come();
  now();
  pass(20);
  assert.deepEqual(writes, [
    [0, 1],
    [1, 1],
  ]);
});
