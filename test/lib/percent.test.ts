import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { computeChange, computeShare, rounded } from '../../src/lib/percent.ts';

/** In whole numbers, where a half is a half; away from zero. */
function exact(numerator: number, denominator: number, decimals: number): number {
  const [scale, below] = [10n ** BigInt(decimals), BigInt(denominator)];
  const size = (2n * BigInt(Math.abs(numerator)) * scale + below) / (2n * below);
  return (Math.sign(numerator) * Number(size)) / Number(scale) + 0;
}

/** A figure and one before it, whose change is so many tenths of a percent and a half. */
const halves = fc
  .record({ tenths: fc.integer({ min: -999, max: 9_999 }), by: fc.integer({ min: 1, max: 500 }) })
  .map(({ tenths, by }) => ({ before: 2_000 * by, now: 2_000 * by + (2 * tenths + 1) * by }));

test('a change in the middle between two tenths is rounded away from zero, up or down', () => {
  assert.equal(computeChange(2_001, 2_000), 0.1);
  assert.equal(computeChange(1_999, 2_000), -0.1);
  assert.equal(computeChange(2_043, 2_000), 2.2);
  assert.equal(computeChange(1_957, 2_000), -2.2);
  fc.assert(
    fc.property(halves, ({ now, before }) => {
      assert.equal(computeChange(now, before), exact((now - before) * 100, before, 1));
    }),
  );
});

test('rates with two decimals change as whole numbers do', () => {
  const rate = fc.integer({ min: 1, max: 10_000 });
  fc.assert(
    fc.property(rate, rate, (now, before) => {
      assert.equal(computeChange(now / 100, before / 100), computeChange(now, before));
    }),
  );
  assert.equal(computeChange(0.07, 0.56), -87.5);
});

test('where nothing was before there is no change, and of nothing there is no part', () => {
  assert.equal(computeChange(3, 0), null);
  assert.equal(computeChange(0, 3), -100);
  assert.equal(computeShare(0, 0), 0);
});

test('a part is rounded as on paper', () => {
  assert.equal(computeShare(1, 800), 0.1);
  assert.equal(computeShare(57, 20_000, 2), 0.29);
  assert.equal(rounded(-0.05, 1), -0.1);
  assert.equal(rounded(2.5, 0), 3);
  const count = fc.integer({ min: 0, max: 10_000_000 });
  fc.assert(
    fc.property(
      count,
      fc.integer({ min: 1, max: 10_000_000 }),
      fc.integer({ min: 0, max: 2 }),
      (part, whole, decimals) => {
        assert.equal(computeShare(part, whole, decimals), exact(part * 100, whole, decimals));
      },
    ),
  );
});
