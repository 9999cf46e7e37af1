import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { findNearest } from '../../src/lib/nearest.ts';

/** Levenshtein's distance as it is defined, which is slow. */
function distance(one: string, other: string): number {
  if (one === '' || other === '') return one.length + other.length;
  const [a, b] = [one.slice(1), other.slice(1)];
  if (one[0] === other[0]) return distance(a, b);
  return 1 + Math.min(distance(a, b), distance(a, other), distance(one, b));
}

test('nearest is the known word with the fewest changes, and the first of several, or none where all are far', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 5 });
  fc.assert(
    fc.property(word, fc.array(word, { maxLength: 6 }), (typed, known) => {
      const fewest = Math.min(...known.map((one) => distance(typed, one)));
      const before = [...known];
      assert.equal(
        findNearest(typed, known),
        fewest <= Math.ceil(typed.length / 3) ? known.find((one) => distance(typed, one) === fewest) : undefined,
      );
      assert.deepEqual(known, before);
    }),
    { numRuns: 1_000 },
  );
});

test('a slip of the finger is understood', () => {
  const known = ['serve', 'user add', 'site add', 'token add', 'plan set'];
  assert.equal(findNearest('sevre', known), 'serve');
  assert.equal(findNearest('tokenadd', known), 'token add');
  assert.equal(findNearest('plan sets', known), 'plan set');
  assert.equal(findNearest('serve', []), undefined);
  for (const far of ['foo', 'x', '', 'statistics']) assert.equal(findNearest(far, known), undefined, far);
});
