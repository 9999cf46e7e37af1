import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cached } from '../../src/lib/cache.ts';

test('a result is kept until there are too many', () => {
  const asked: string[] = [];
  const length = cached((text) => asked.push(text) && text.length, { size: 2 });
  assert.deepEqual(['a', 'bb', 'a', 'bb'].map(length), [1, 2, 1, 2]);
  assert.deepEqual(asked, ['a', 'bb']);
  assert.deepEqual(['ccc', 'bb', 'ccc', 'bb'].map(length), [3, 2, 3, 2]);
  assert.deepEqual(asked, ['a', 'bb', 'ccc', 'bb']);
});

test('the result for a long text is not kept', () => {
  const asked: string[] = [];
  const length = cached((text) => asked.push(text) && text.length, { size: 9, longest: 2 });
  assert.deepEqual(['bb', 'bb', 'ccc', 'ccc'].map(length), [2, 2, 3, 3]);
  assert.deepEqual(asked, ['bb', 'ccc', 'ccc']);
});
