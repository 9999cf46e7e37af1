import '../../browser-globals.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { shortMoney } from '../../../../src/dashboard/core/format.ts';
import { scaleFor } from '../../../../src/dashboard/report/chart/scale.ts';
import { point } from './points.ts';

const valued = (...values: (number | null)[]) => values.map((value) => point('2026-01-01', { value }));

test('the axis has whole counts, however few visitors there are', () => {
  assert.deepEqual(scaleFor(valued(0), 'visitors').counts, [0, 1, 2, 3, 4]);
  assert.deepEqual(scaleFor(valued(3, null), 'visitors').counts, [0, 1, 2, 3, 4]);
  assert.deepEqual(scaleFor(valued(83), 'visitors').counts, [0, 20, 40, 60, 80, 100]);
  assert.deepEqual(scaleFor([], 'visitors').counts, [0, 1, 2, 3, 4]);
});

test('the axis of rates and of money ends near the highest value, however small it is', () => {
  assert.deepEqual(scaleFor(valued(0.5), 'conversion_rate').counts, [0, 0.1, 0.2, 0.3, 0.4, 0.5]);
  assert.deepEqual(scaleFor(valued(0.15), 'revenue').counts, [0, 0.05, 0.1, 0.15]);
  assert.deepEqual(
    [0, 0.05, 0.15, 0.5, 2, 12_345].map((value) => shortMoney(value, 'EUR')),
    ['€0', '€0.05', '€0.15', '€0.5', '€2', '€12.3K'],
  );
  assert.deepEqual(scaleFor(valued(0), 'revenue').counts, [0, 1, 2, 3, 4]);
  assert.deepEqual(scaleFor(valued(0.5, 3), 'visit_duration').counts, [0, 1, 2, 3, 4], 'seconds are whole');
});

test('the axis of durations has round minutes and hours', () => {
  assert.deepEqual(scaleFor(valued(70), 'visit_duration').counts, [0, 20, 40, 60, 80]);
  assert.deepEqual(scaleFor(valued(200), 'visit_duration').counts, [0, 60, 120, 180, 240]);
  assert.deepEqual(scaleFor(valued(130), 'visit_duration').counts, [0, 30, 60, 90, 120, 150]);
  assert.deepEqual(scaleFor(valued(10_000), 'visit_duration').counts, [0, 3600, 7200, 10800]);
});

test('the top of the axis is a count that no value exceeds, and the axis has 3 to 8 counts at equal distances', () => {
  fc.assert(
    fc.property(fc.nat(1e9), fc.constantFrom('visitors' as const, 'visit_duration' as const), (value, figure) => {
      const { y, counts } = scaleFor(valued(value), figure);
      assert.ok(counts.length >= 3 && counts.length <= 8, `${counts}`);
      assert.ok((counts.at(-1) ?? 0) >= value);
      counts.forEach((count, i) => {
        assert.ok(Number.isInteger(count));
        assert.ok(Math.abs(y(count) - 100 * (1 - i / (counts.length - 1))) < 1e-6);
      });
    }),
  );
});

test('the comparison is on the same axis', () => {
  const points = [point('2026-01-01', { value: 1, previous: { ...point('2025-01-01'), value: 900 } })];
  assert.equal(scaleFor(points, 'visitors').counts.at(-1), 1000);
});

test('each place belongs to the nearest point, and none is outside', () => {
  const { x, indexAt } = scaleFor(valued(1, 2, 3, 4, 5), 'visitors');
  assert.deepEqual([-0.5, 0, 1, 4, 4.5].map(x), [0, 0, 25, 100, 100]);
  assert.deepEqual([-9, 0, 12, 13, 100, 109].map(indexAt), [0, 0, 0, 1, 4, 4]);
  assert.equal(scaleFor(valued(1), 'visitors').indexAt(99), 0);
});
