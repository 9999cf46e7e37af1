import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../support/program.ts';
import { threads, unavailable } from './stage.ts';

const INSIDE = new URL('../../src/threads/inside.ts', import.meta.url).href;

/** A thread whose time passes when it is told so, and that counts what it does between tasks; every third time it fails. */
const CODE = `
const { mock } = require('node:test');
const { parentPort, workerData } = require('node:worker_threads');
mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
const count = { keptUp: 0, forgot: 0 };
const work = (checkpoint) => ({
  tasks: {
    pass: (ms) => {
      mock.timers.tick(ms);
      return { ...count };
    },
    hold: () => {
      setImmediate(() => mock.timers.tick(1_000));
      for (;;) checkpoint();
    },
  },
  keepUp: () => {
    checkpoint();
    if (++count.keptUp % 3 === 0) throw new Error('the file is away');
  },
  forget: () => { count.forgot++; },
  movable: () => [],
});
import('${INSIDE}').then(({ workOn }) => {
  workOn(workerData, work);
  parentPort.postMessage('loaded');
});
`;

test('a thread keeps its caches up between tasks, also where that fails, and frees them after a minute without a task', async (t) => {
  const { run, lines } = threads(t, { code: CODE });
  assert.deepEqual(await run('pass', 950), { keptUp: 9, forgot: 0 });
  assert.deepEqual(await run('pass', 59_900), { keptUp: 608, forgot: 0 }, 'after another task another minute');
  assert.deepEqual(await run('pass', 3_600_000), { keptUp: 1_208, forgot: 1 });
  assert.deepEqual(await run('pass', 1_000), { keptUp: 1_218, forgot: 1 });
  assert.deepEqual(lines, []);
});

test('a thread whose task was stopped keeps its caches up as after any other', async (t) => {
  const { run } = threads(t, { code: CODE });
  assert.deepEqual(await run('pass', 0), { keptUp: 0, forgot: 0 });
  const gone = new AbortController();
  const held = assert.rejects(run('hold', null, 0, { signal: gone.signal }), unavailable);
  gone.abort();
  await held;
  await until('a second has passed', async () => {
    const { keptUp } = (await run('pass', 0)) as { keptUp: number };
    return keptUp === 10;
  });
});
