import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { boundsOf, shadeOf } from '../../../../src/dashboard/report/panels/shades.ts';

test('the largest count has the darkest shade, and no count has a darker one than a larger count', () => {
  const counts = fc.array(fc.integer({ min: 1, max: 1_000_000 }), { minLength: 1, maxLength: 50 });
  fc.assert(
    fc.property(counts, (all) => {
      const sorted = all.toSorted((a, b) => a - b);
      const bounds = boundsOf(sorted.at(-1) ?? 1);
      const shades = sorted.map((count) => shadeOf(count, bounds));
      assert.equal(shades.at(-1), 5);
      assert.ok(shades.every((shade, i) => shade >= 1 && shade >= (shades[i - 1] ?? 0)));
      assert.equal(new Set(bounds).size, bounds.length);
    }),
  );
});

test('bounds are round numbers', () => {
  assert.deepEqual(boundsOf(10_000), [1, 6, 40, 300, 2_000]);
  assert.deepEqual(boundsOf(1), [1]);
});
