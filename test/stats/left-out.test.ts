import assert from 'node:assert/strict';
import { test } from 'node:test';
import { daysLeftOut, isAnyLeftOut } from '../../src/stats/left-out.ts';
import { noticesOf } from '../../src/stats/reports.ts';

test('what an answer says of the days that it leaves out is read back day by day', () => {
  const { notices } = noticesOf({ leftOut: [20_002, 20_000, 20_001, 20_010], untouched: [20_020] });
  assert.deepEqual(daysLeftOut(notices), [
    { from: '2024-10-04', to: '2024-10-06' },
    { from: '2024-10-14', to: '2024-10-14' },
  ]);
  assert.deepEqual(daysLeftOut(noticesOf({ untouched: [20_020] }).notices), []);
  assert.deepEqual(daysLeftOut(), []);
});

test('what one site among several leaves out makes the sum one that leaves out something, on no day all', () => {
  const notices = noticesOf({ leftOut: [20_000] }).notices?.map((notice) => `example.com: ${notice}`);
  assert.equal(isAnyLeftOut(notices), true);
  assert.deepEqual(daysLeftOut(notices), []);
  assert.equal(isAnyLeftOut(noticesOf({ leftOut: [] }).notices), false);
});

test('an answer is of all its days where an exclusion can take nothing from some of them', () => {
  const { notices = [] } = noticesOf({ untouched: [20_020] });
  assert.equal(notices.length, 1);
  assert.equal(isAnyLeftOut(notices), false);
  assert.equal(isAnyLeftOut(notices.map((notice) => `example.com: ${notice}`)), false);
});
