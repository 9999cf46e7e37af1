import '../browser-globals.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Overview, Timeseries } from '../../../src/api/answers.ts';
import { change, percent } from '../../../src/dashboard/core/format.ts';
import { trendOf } from '../../../src/dashboard/report/model/trend.ts';
import { figuresIn } from '../../../src/dashboard/sites/card-figures.ts';
import { computeChange } from '../../../src/lib/percent.ts';

const DAYS = 30;

test('the card of a site and its report write the same change, at halves too', () => {
  const half = fc
    .record({ tenths: fc.integer({ min: -999, max: 9_999 }), by: fc.integer({ min: 1, max: 500 }) })
    .map(({ tenths, by }) => ({ before: 2_000 * by, now: 2_000 * by + (2 * tenths + 1) * by }));
  const any = fc.record({ before: fc.integer({ min: 1, max: 100_000 }), now: fc.nat(100_000) });
  fc.assert(
    fc.property(fc.oneof(half, any), ({ before, now }) => {
      const answered = computeChange(now, before);
      const shown = change(answered).replace(/^[+\-\u2212]/, '');
      assert.equal(trendOf({ change: answered }, '', '').text || percent(0), shown);
    }),
  );
});

test('a card shows the visitors of its 30 days, and nothing to compare with where there was nobody before', () => {
  const points = Array.from({ length: DAYS + 1 }, (_, i) => ({ date: `day ${i}`, visitors: i, pageviews: i }));
  const sum = { visitors: 7, change: { visitors: null } } as Overview;
  const { visitors, change, points: shown } = figuresIn(sum, { points } as Timeseries);
  assert.deepEqual([visitors, change, shown.length, shown[0]?.visitors], [7, null, DAYS, 1]);
});
