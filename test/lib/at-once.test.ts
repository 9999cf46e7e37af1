import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limitAtOnce } from '../../src/lib/at-once.ts';

test('works at once: so many run, some wait in their order, and others are refused', async () => {
  const inTurn = limitAtOnce(2, 2);
  const ends: (() => void)[] = [];
  const began: string[] = [];
  const start = (name: string, isFine = true) =>
    inTurn(async () => {
      began.push(name);
      await new Promise<void>((resolve) => ends.push(resolve));
      if (!isFine) throw new Error(name);
      return name;
    });
  const works = [start('a'), start('b', false), start('c'), start('d')];
  const failing = assert.rejects(works[1] as Promise<string>, /b/);
  await assert.rejects(start('e'), { code: 'unavailable' });
  assert.deepEqual(began, ['a', 'b']);
  for (let i = 0; i < 4; i++) {
    ends[i]?.();
    await new Promise(setImmediate);
  }
  await failing;
  assert.deepEqual(began, ['a', 'b', 'c', 'd']);
  assert.equal(await works[3], 'd');
});

test('works at once: lines take turns, so many works of one do not block another', async () => {
  const inTurn = limitAtOnce(1, 9);
  const began: string[] = [];
  const start = (name: string, line: number) =>
    inTurn(async () => {
      began.push(name);
      await new Promise(setImmediate);
    }, line);
  await Promise.all([start('a1', 1), start('a2', 1), start('a3', 1), start('a4', 1), start('b1', 2), start('b2', 2)]);
  assert.deepEqual(began, ['a1', 'a2', 'b1', 'a3', 'b2', 'a4']);
});

test('works at once: if all places are taken, the longest line gives way to shorter lines', async () => {
  const inTurn = limitAtOnce(1, 4);
  const began: string[] = [];
  const start = (name: string, line: number) =>
    inTurn(async () => {
      began.push(name);
      await new Promise(setImmediate);
    }, line).catch(({ code }) => `${name} ${code}`);
  const works = [start('a1', 1), start('a2', 1), start('a3', 1), start('b1', 2), start('b2', 2)];
  works.push(start('c1', 3), start('a4', 1), start('c2', 3), start('d1', 4), start('e1', 5));
  const refused = (await Promise.all(works)).filter((ended) => ended !== undefined);
  assert.deepEqual(refused, ['a3 unavailable', 'b2 unavailable', 'a4 unavailable', 'c2 unavailable', 'e1 unavailable']);
  assert.deepEqual(began, ['a1', 'a2', 'b1', 'c1', 'd1']);
});
