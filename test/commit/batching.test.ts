import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { gather } from '../../src/commit/batching.ts';

/** Batches that one transaction takes. */
const MOST = 100;

/** Whoever waits, and when they were written, with how many. Time passes only here. */
function stage(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout', 'setImmediate'] });
  let time = 0;
  const waiting: number[] = [];
  const sum = (batches: readonly number[]): number => batches.reduce((hits, more) => hits + more, 0);
  const writes: [at: number, hits: number][] = [];
  const write = (): void => {
    const batches = waiting.splice(0, MOST);
    if (batches.length > 0) writes.push([time, sum(batches)]);
  };
  const queue = { size: () => sum(waiting), batches: () => waiting.length };
  const { soon, now } = gather({ tick: () => time }, write, queue);
  return {
    writes,
    now,
    /** Batches that come in the same moment. */
    come(batches = 1, hits = 1): void {
      for (let n = 0; n < batches; n++) {
        waiting.push(hits);
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

test('what is too much for one transaction is written without a pause, and neither does a large batch wait', (t) => {
  const { come, pass, writes } = stage(t);
  come(MOST + 1);
  pass(1);
  come(1, 500);
  pass(1);
  assert.deepEqual(writes, [
    [0, MOST],
    [0, 1],
    [1, 500],
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

test('while each turn of the event loop brings more, that is written together, within 6 ms', async () => {
  let [waiting, time] = [0, 0];
  const writes: number[] = [];
  const write = (): void => {
    if (waiting > 0) writes.push(waiting);
    waiting = 0;
  };
  const { soon } = gather({ tick: () => time }, write, { size: () => waiting, batches: () => waiting });
  const come = (): void => {
    waiting++;
    soon();
  };
  for (let n = 0; n < 20; n++) {
    come();
    come();
    await turn();
  }
  assert.deepEqual(writes, []);
  await turn();
  await turn();
  assert.deepEqual(writes, [40]);
  for (time = 100; time < 112; time++) {
    come();
    come();
    await turn();
  }
  assert.deepEqual(writes.slice(0, 2), [40, 14]);
});
