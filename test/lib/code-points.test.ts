import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { compareCodePoints } from '../../src/lib/code-points.ts';

/** Compares the lists of all code points. */
function compareLists(a: string, b: string): number {
  const [left, right] = [a, b].map((text) => Array.from(text, (point) => point.codePointAt(0) ?? 0));
  const at = (left ?? []).findIndex((point, i) => point !== right?.[i]);
  return at < 0 ? (left?.length ?? 0) - (right?.length ?? 0) : (left?.[at] ?? 0) - (right?.[at] ?? -1);
}

test('texts are sorted by their code points, also beyond 16 bits', () => {
  // Few characters, so that many texts begin alike.
  const character = fc.constantFrom('a', 'b', '/', 'ä', '\ud7ff', '\ue000', '\uffff', '😀', '😁', '\u{10000}');
  const text = fc.array(character, { maxLength: 6 }).map((all) => all.join(''));
  fc.assert(
    fc.property(text, text, (a, b) => {
      assert.equal(Math.sign(compareCodePoints(a, b)), Math.sign(compareLists(a, b)), `${a} ${b}`);
    }),
    { numRuns: 2_000 },
  );
});

test('comparing two long texts makes no list of their characters', () => {
  const iterate = String.prototype[Symbol.iterator];
  let calls = 0;
  // The mocks of node cannot replace this function: what they put back is not callable for other tests.
  String.prototype[Symbol.iterator] = function count(this: string) {
    calls++;
    return iterate.call(this);
  };
  try {
    const [a, b] = [`/${'a'.repeat(1_000)}`, `/${'a'.repeat(999)}b`];
    const order = [compareCodePoints(a, b) < 0, compareCodePoints(b, a) > 0, compareCodePoints(a, a)];
    assert.deepEqual([order, calls], [[true, true, 0], 0]);
  } finally {
    String.prototype[Symbol.iterator] = iterate;
  }
});
