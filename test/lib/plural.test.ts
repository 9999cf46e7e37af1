import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plural } from '../../src/lib/plural.ts';

test('only one thing is in the singular, and the number can be written in another way', () => {
  const days = [0, 1, 2].map((count) => plural(count, 'day'));
  assert.deepEqual(days, ['0 days', '1 day', '2 days']);
  assert.equal(
    plural(1_000, 'day', (count) => count.toLocaleString('en')),
    '1,000 days',
  );
});
