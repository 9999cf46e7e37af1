import assert from 'node:assert/strict';
import { test } from 'node:test';
import { added, isFilter, removed, toggled } from '../../src/web/filters.ts';

test('a filter is added, taken back by the same click, and replaced by another value', () => {
  assert.deepEqual(toggled({}, 'page', '/', false), { page: ['/'] });
  assert.deepEqual(toggled({ page: ['/'], os: ['Linux'] }, 'page', '/', false), { os: ['Linux'] });
  assert.deepEqual(toggled({ page: ['/'] }, 'page', '/a', false), { page: ['/a'] });
});

test('a click for another value adds it, and one on a value of several takes away only that', () => {
  assert.deepEqual(toggled({ country: ['DE'] }, 'country', 'FR', true), { country: ['DE', 'FR'] });
  assert.deepEqual(toggled({ country: ['DE', 'FR'] }, 'country', 'DE', true), { country: ['FR'] });
  assert.deepEqual(toggled({ country: ['DE', 'FR'] }, 'country', 'DE', false), { country: ['FR'] });
  assert.deepEqual(toggled({ country: ['DE', 'FR'] }, 'country', 'IT', false), { country: ['IT'] });
});

test('a value is there once, and a filter without values is none', () => {
  assert.deepEqual(added({ os: ['Linux'] }, 'os', 'Linux'), { os: ['Linux'] });
  assert.deepEqual(added({ os: ['Linux'] }, 'os', ''), { os: ['Linux', ''] });
  assert.deepEqual(removed({ os: ['Linux'], page: ['/'] }, 'os', 'Linux'), { page: ['/'] });
});

test('what the API would refuse is no filter', () => {
  assert.equal(isFilter('page', '(other)'), false);
  assert.equal(isFilter('page', '/'), true);
  assert.equal(isFilter('event', ''), false);
  assert.equal(isFilter('source', ''), true);
});
