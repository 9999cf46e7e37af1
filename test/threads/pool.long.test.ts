import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refusedInTime, threads, unavailable } from './stage.ts';

test('a job that takes too long is answered 503 and its thread ended, the other threads are not disturbed', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { run, lines } = threads(t, { size: 2, patience: 1_000 });
  await Promise.all([run('echo', 1, 0), run('echo', 1, 1)]);
  for (const [begun, name] of ['hang', 'sleep'].entries()) {
    const slow = run(name);
    assert.equal(await run('count', null, 1), begun + 2);
    await refusedInTime(t, slow);
  }
  assert.equal(await run('count'), 1);
  const [stopped, ended] = [
    'job stopped, because it took too long',
    'worker thread stopped, because its job took too long',
  ];
  assert.deepEqual(lines, [stopped, ended, stopped, ended]);
});

test('close fails what is being done, what waits and what comes', async (t) => {
  const { run, close } = threads(t);
  await run('echo', 1);
  const outcomes = [run('hang'), run('echo', 2), run('echo', 3)].map((job) => assert.rejects(job, unavailable));
  await close();
  await Promise.all(outcomes);
  await assert.rejects(run('echo', 4), unavailable);
  await close();
});
