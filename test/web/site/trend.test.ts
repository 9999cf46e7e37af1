import assert from 'node:assert/strict';
import { test } from 'node:test';
import { trendOf } from '../../../src/web/site/trend.ts';

test('changes are good or bad, or cannot be told', () => {
  assert.equal(trendOf(5, '1', 'March').kind, 'good');
  assert.equal(trendOf(5, '1', 'March', true).kind, 'bad');
  assert.equal(trendOf(-5, '1', 'March', true).kind, 'good');
  assert.equal(trendOf(0, '1', 'March').kind, '');
  assert.equal(trendOf(null, '0', 'March').sentence, 'Nothing to compare with: it was 0 (March).');
});
