import assert from 'node:assert/strict';
import { test } from 'node:test';
import { trendOf } from '../../../../src/dashboard/report/model/trend.ts';

test('changes are good or bad, or cannot be told', () => {
  assert.equal(trendOf({ change: 5 }, '1', 'March').kind, 'good');
  assert.equal(trendOf({ change: 5, isLessBetter: true }, '1', 'March').kind, 'bad');
  assert.equal(trendOf({ change: -5, isLessBetter: true }, '1', 'March').kind, 'good');
  assert.equal(trendOf({ change: 0 }, '1', 'March').kind, '');
  assert.equal(
    trendOf({ change: null }, '0', 'March').sentence,
    'The change cannot be calculated. Previous value: 0 (March).',
  );
});

test('figures change by percent, and rates by percentage points', () => {
  assert.equal(trendOf({ change: 2.1 }, '1', 'March').text, '2.1%');
  assert.equal(trendOf({ change: -2.1, isRate: true }, '10.0%', 'March').sentence, 'Down 2.1 pp from 10.0% (March).');
});
