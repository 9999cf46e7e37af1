import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { makeLatestHits } from '../../../src/ledger/open/active-visitors.ts';

/** Codes of 53 bits, some of which share their lower half, and some their upper one. */
const codeOf = (visitor: number): number => (visitor % 50) * 2 ** 40 + visitor;

test('the visitors of a window are those with a hit in it, in whatever order hits come and however often', () => {
  const step = fc.record({
    move: fc.nat(40),
    hits: fc.array(fc.tuple(fc.nat(3_000), fc.integer({ min: -400, max: 60 })), { maxLength: 300, size: 'max' }),
  });
  const property = fc.property(fc.array(step, { minLength: 1, maxLength: 20, size: 'max' }), (steps) => {
    let window = { from: -50, to: 251 };
    const latest = makeLatestHits(window);
    const all: [visitor: number, second: number][] = [];
    for (const { move, hits } of steps) {
      const next = { from: window.from + move, to: window.to + move };
      assert.ok(latest.mayMove(next));
      latest.move(next);
      window = next;
      for (const [visitor, before] of hits) {
        all.push([visitor, window.to + before]);
        latest.add(codeOf(visitor), window.to + before);
        if (before % 5 === 0) latest.add(codeOf(visitor), window.to + before);
      }
      const there = all.filter(([, second]) => second >= window.from && second < window.to);
      assert.equal(latest.visitors(), new Set(there.map(([visitor]) => visitor)).size);
    }
  });
  fc.assert(property, { numRuns: 20 });
});

test('a window does not move back, because what was behind it is forgotten', () => {
  const latest = makeLatestHits({ from: 100, to: 400 });
  assert.equal(latest.mayMove({ from: 99, to: 400 }), false);
  assert.equal(latest.mayMove({ from: 100, to: 399 }), false);
  assert.equal(latest.mayMove({ from: 100, to: 400 }), true);
});
