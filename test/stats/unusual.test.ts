import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compared, computeMedian, isFarAbove } from '../../src/stats/unusual.ts';

test('the median is the middle of the numbers, in whatever order', () => {
  assert.equal(computeMedian([]), 0);
  assert.equal(computeMedian([5]), 5);
  assert.equal(computeMedian([9, 1, 10]), 9);
  assert.equal(computeMedian([4, 1, 100, 2]), 3);
});

const eight = (value: number): number[] => new Array<number>(8).fill(value);
const at = (now: number, before: number[]) => compared(now, before);

test('usual is the median, and one wild week does not move it', () => {
  assert.deepEqual(compared(1, [3, 4, 5, 6, 900]), { now: 1, usual: 5, spread: Math.sqrt(5) });
  assert.deepEqual(compared(1, [100, 160, 100, 40, 100, 160, 40, 100]).usual, 100);
});

test('the spread is that of the weeks, at least the root of the usual, and at least one', () => {
  assert.equal(at(0, [40, 60, 100, 140, 160]).spread, 1.4826 * 40);
  assert.equal(at(0, eight(100)).spread, 10);
  assert.equal(at(0, eight(0)).spread, 1);
});

test('far above is five spreads, 25 visitors and twice the usual', () => {
  assert.ok(!isFarAbove(at(24, eight(0))) && isFarAbove(at(25, eight(0))));
  assert.ok(!isFarAbove(at(50, eight(25))) && isFarAbove(at(51, eight(25))));
  assert.ok(!isFarAbove(at(1_999, eight(1_000))) && isFarAbove(at(2_000, eight(1_000))));
  const wild = [100, 300, 500, 700, 900];
  assert.ok(!isFarAbove(at(1_900, wild)) && isFarAbove(at(2_000, wild)));
});
