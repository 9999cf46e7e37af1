import assert from 'node:assert/strict';
import { test } from 'node:test';
import { packVitals, unpackVitals, VITAL_BOUNDS, VITAL_ERROR, VITALS } from '../../src/stats/vitals.ts';

test('a vital differs by at most 2 % from its measured value, and never crosses a bound', () => {
  for (const vital of VITALS) {
    const { good, poor } = VITAL_BOUNDS[vital];
    for (let units = 0; units <= 600_000; units++) {
      const value = vital === 'cls' ? units / 10_000 : units;
      const packed = packVitals({ [vital]: value });
      const kept = unpackVitals(packed)[vital] ?? Number.NaN;
      // Of 0, only 0 differs by 0 %.
      const isNear = Math.abs(kept - value) <= VITAL_ERROR * value + 1e-12;
      const isSameSide = kept <= good === value <= good && kept > poor === value > poor;
      // Three million messages that nobody reads would take most of the time.
      if (!isNear || !isSameSide) assert.fail(`${vital} ${value}: ${kept}`);
    }
  }
});
