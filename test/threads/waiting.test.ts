import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { makeWaitingRoom } from '../../src/threads/waiting.ts';
import { threads, unavailable } from './stage.ts';

test('a job that has waited for twice as long as one may run is answered 503', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { run } = threads(t, { patience: 1_000 });
  await run('echo', 1);
  const gone = new AbortController();
  const held = assert.rejects(run('hold', null, 0, { signal: gone.signal }), unavailable);
  const waiting = assert.rejects(run('echo', 2), unavailable);
  t.mock.timers.tick(2_000);
  await waiting;
  gone.abort();
  await held;
  assert.equal(await run('count'), 3, 'it was never begun');
});

test('a job that nobody waits for any more is dropped before it begins, and stopped where it runs', async (t) => {
  const { run, lines } = threads(t);
  await run('echo', 1);
  const gone = new AbortController();
  const left = Array.from({ length: 8 }, () =>
    assert.rejects(run('hold', null, 0, { signal: gone.signal }), unavailable),
  );
  const count = run('count', null, 0, { line: 2 });
  gone.abort();
  assert.equal(await count, 3, 'of the eight one had begun');
  await Promise.all(left);
  await assert.rejects(run('echo', 1, 0, { signal: gone.signal }), unavailable);
  assert.deepEqual(lines, []);
});

test('lines are served in turn, so that many jobs in one hold up the others by one job only', async (t) => {
  const { run } = threads(t);
  const order: string[] = [];
  const asked = (line: number, name: string) => run('echo', name, 0, { line }).then(() => order.push(name));
  const jobs = ['a1', 'a2', 'a3', 'a4'].map((name) => asked(1, name));
  jobs.push(asked(2, 'b1'), asked(2, 'b2'), asked(3, 'c1'));
  await Promise.all(jobs);
  assert.deepEqual(order, ['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
});

test('no more than a thousand wait; the next is answered 503 at once', async (t) => {
  const { run, close } = threads(t);
  await run('echo', 1);
  const asked = (line: number) => assert.rejects(run('hang', null, 0, { line }), unavailable);
  const waiting = Array.from({ length: 1_001 }, (_, line) => asked(line));
  await assert.rejects(run('echo', 1), unavailable);
  await close();
  await Promise.all(waiting);
});

test('no more than 250 wait in one line, and there is room for others', async (t) => {
  const { run, close } = threads(t);
  await run('echo', 1);
  const waiting = Array.from({ length: 251 }, () => assert.rejects(run('sleep', null, 0, { line: 1 }), unavailable));
  await assert.rejects(run('echo', 1, 0, { line: 1 }), unavailable);
  let isRefused = false;
  const refused = assert.rejects(run('echo', 1, 0, { line: 2 }), unavailable).finally(() => {
    isRefused = true;
  });
  await turn();
  assert.ok(!isRefused, 'it waits');
  await close();
  await Promise.all([...waiting, refused]);
});

test('sites that fill all thousand places do not keep out another site', () => {
  const room = makeWaitingRoom(1_000);
  const refused: number[] = [];
  const enter = (number: number, line: number) =>
    room.enter({
      ...{ number, name: 'echo', input: 1, place: { line } },
      done() {},
      failed: () => void refused.push(number),
    });
  for (let i = 0; i < 1_000; i++) enter(i, i % 4);
  enter(1_000, 5);
  enter(1_001, 5);
  assert.deepEqual(refused, [996, 997], 'the last jobs of two long lines give way');
  enter(1_002, 3);
  assert.deepEqual(refused, [996, 997, 1_002], 'a long line gets no further place');
  let left = 0;
  while (room.next()) left++;
  assert.equal(left, 1_000);
});
