import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filterValueText } from '../../../src/dashboard/core/filter-names.ts';

test('values are called by their names', () => {
  assert.equal(filterValueText('source', ''), 'Direct');
  assert.equal(filterValueText('utm_source', ''), 'none');
  assert.equal(filterValueText('goal', '3', [{ id: 3, value: 'signup' }]), 'signup');
  const property = { name: 'plan', value: 'pro' };
  assert.equal(filterValueText('goal', '3', [{ id: 3, value: 'signup', property }]), 'signup with plan = pro');
  assert.equal(filterValueText('page', '/<b>'), '/<b>');
});
