import '../browser-globals.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { spanText } from '../../../src/dashboard/core/format.ts';
import { comparisonsFor } from '../../../src/dashboard/dates/comparison.ts';
import { customRange, spanOf, steppedRange } from '../../../src/dashboard/dates/range.ts';
import '../components.tsx';

const TODAY = '2026-03-10';

test('comparison: the period before of twelve months is named by its number of days, because one step back is months', () => {
  const span = spanOf('12m', TODAY) ?? assert.fail();
  // From 1 April to 10 March are 344 days.
  const before = { from: '2024-04-22', to: '2025-03-31' };
  const [usual] = comparisonsFor(span, '12m');
  assert.deepEqual(usual, { value: '', name: 'Same number of days just before', days: spanText(before) });
  assert.equal(steppedRange('12m', TODAY, -1), '2024-04-01~2025-03-31');
  assert.notEqual(steppedRange('12m', TODAY, -1), customRange(before));
});

test('comparison: each choice says its days', () => {
  const span = { from: '2026-03-04', to: TODAY };
  const days = comparisonsFor(span, '7d').map((one) => [one.value, one.days]);
  assert.deepEqual(days, [
    ['', spanText({ from: '2026-02-25', to: '2026-03-03' })],
    ['year', spanText({ from: '2025-03-04', to: '2025-03-10' })],
    ['weekdays', spanText({ from: '2025-03-05', to: '2025-03-11' })],
    ['off', ''],
  ]);
});
