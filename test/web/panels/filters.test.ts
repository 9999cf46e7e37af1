import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isFilter, toggled } from '../../../src/web/panels/filters.ts';

test('a second click on a value takes its filter away', () => {
  assert.deepEqual(toggled({}, 'page', '/'), { page: '/' });
  assert.deepEqual(toggled({ page: '/', os: 'Linux' }, 'page', '/'), { os: 'Linux' });
  assert.deepEqual(toggled({ page: '/' }, 'page', '/a'), { page: '/a' });
});

test('what the API would refuse is no filter', () => {
  assert.equal(isFilter('page', '(other)'), false);
  assert.equal(isFilter('page', '/'), true);
  assert.equal(isFilter('event', ''), false);
  assert.equal(isFilter('source', ''), true);
});
