import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cachedBriefly } from '../../src/lib/cached-briefly.ts';

test('a cache for a moment: results are let go a second after the first one, and when there are too many', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const asked: string[] = [];
  const length = cachedBriefly((text) => asked.push(text) && text.length, 2);
  assert.deepEqual(['a', 'bb', 'a', 'bb'].map(length), [1, 2, 1, 2]);
  t.mock.timers.tick(999);
  assert.deepEqual(['a', 'bb'].map(length), [1, 2]);
  assert.deepEqual(asked, ['a', 'bb']);
  t.mock.timers.tick(1);
  assert.deepEqual(['a', 'bb', 'ccc', 'a'].map(length), [1, 2, 3, 1]);
  assert.deepEqual(asked, ['a', 'bb', 'a', 'bb', 'ccc', 'a']);
});
