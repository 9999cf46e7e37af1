import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lastDayOf, monthAfter, sameDayAfter } from '../../../src/dashboard/dates/days.ts';

test('the same day of a shorter month is its last', () => {
  assert.equal(sameDayAfter('2026-03-31', -1), '2026-02-28');
  assert.equal(sameDayAfter('2024-02-29', 12), '2025-02-28');
  assert.equal(monthAfter('2026-01', -1), '2025-12');
  assert.equal(lastDayOf('2024-02'), '2024-02-29');
});
