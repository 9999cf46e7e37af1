import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  packVitals,
  parseVitals,
  summarizeRow,
  unpackBuckets,
  unpackVitals,
  VITALS,
  VITALS_TEXT,
  writeVitals,
} from '../../src/stats/vitals.ts';
import { measured } from './random-vitals.ts';

test('a packed number gives back the values of its buckets, is exact as a double, and survives a file', () => {
  fc.assert(
    fc.property(measured, (values) => {
      const packed = packVitals(values);
      assert.ok(Number.isSafeInteger(packed) && packed < 2 ** 45);
      const kept = unpackVitals(packed);
      assert.deepEqual(Object.keys(kept).sort(), Object.keys(values).sort());
      assert.equal(packVitals(kept), packed);
      assert.equal(unpackBuckets(packed).length, VITALS.length);
      if (packed === 0) return;
      const text = writeVitals(kept);
      assert.match(text, VITALS_TEXT);
      assert.deepEqual(parseVitals(text), kept);
    }),
  );
});

test('what is no measurement is left out, and the values beside it are kept', () => {
  for (const wrong of [-1, Number.NaN, Number.POSITIVE_INFINITY, 600_001, undefined]) {
    assert.deepEqual(unpackVitals(packVitals({ lcp: wrong, fcp: 100 })), { fcp: 100 });
  }
  assert.equal(packVitals({}), 0);
  assert.deepEqual(unpackVitals(packVitals({ cls: 0, ttfb: 0 })), { cls: 0, ttfb: 0 });
});

test('of two messages of one page, the one with more layout shifts has the larger number', () => {
  assert.ok(packVitals({ cls: 0.2, lcp: 100 }) > packVitals({ cls: 0.1, lcp: 900, inp: 900 }));
  assert.ok(packVitals({ cls: 0.1, inp: 300 }) > packVitals({ cls: 0.1, inp: 40 }));
  assert.ok(packVitals({ lcp: 100 }) > packVitals({ ttfb: 900 }));
});

test('a row without measurements has no percentiles and no shares', () => {
  const { lcp } = summarizeRow({ value: '', counts: new Map() });
  assert.deepEqual(lcp, { p50: null, p75: null, p95: null, count: 0, good: 0, middle: 0, poor: 0 });
});
