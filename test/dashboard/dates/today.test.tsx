import assert from 'node:assert/strict';
import { test } from 'node:test';
import { todayIn } from '../../../src/dashboard/dates/today.ts';

test('today is the date in a zone', (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: Date.parse('2026-03-09T23:30:00Z') });
  assert.equal(todayIn('UTC'), '2026-03-09');
  assert.equal(todayIn('Europe/Berlin'), '2026-03-10');
  assert.equal(todayIn('Etc/GMT+12'), '2026-03-09');
});
