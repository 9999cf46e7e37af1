import assert from 'node:assert/strict';
import { test } from 'node:test';
import { todayIn } from '../../../src/dashboard/dates/today.ts';

test('today is the date in a zone', () => {
  const now = Date.parse('2026-03-09T23:30:00Z');
  assert.equal(todayIn('UTC', now), '2026-03-09');
  assert.equal(todayIn('Europe/Berlin', now), '2026-03-10');
  assert.equal(todayIn('Etc/GMT+12', now), '2026-03-09');
});
