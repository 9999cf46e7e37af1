import assert from 'node:assert/strict';
import { test } from 'node:test';
import { added, isFilter, moved, removed, toggled, whyFull } from '../../../src/dashboard/core/filters.ts';

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

test('a filter takes 20 values, all of them 50, and then a click for another adds none', () => {
  const values = (count: number) => Array.from({ length: count }, (_, i) => `v${i}`);
  assert.equal(whyFull({ source: values(19) }, 'source'), undefined);
  const full = { source: values(20) };
  assert.equal(whyFull(full, 'source'), 'A filter can have at most 20 values.');
  assert.equal(toggled(full, 'source', 'new', true), full);
  assert.equal(toggled(full, 'source', 'v3', true).source?.length, 19);
  assert.equal(whyFull(full, 'browser'), undefined);
  const all = { source: values(20), browser: values(20), page: values(10) };
  assert.equal(whyFull(all, 'os'), 'All filters together can have at most 50 values.');
});

test('the values of a filter are moved to another condition, beside those that are there', () => {
  const filters = { page: ['/a', '/b'], 'page.not': ['/b'], os: ['Linux'] };
  assert.deepEqual(moved(filters, 'page', 'page.not'), { 'page.not': ['/b', '/a'], os: ['Linux'] });
});
