import '../browser-globals.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Measured, noTotals } from '../../../src/stats/measured.ts';
import { present } from '../../../src/stats/reports.ts';
import { change, percent } from '../../../src/web/format.ts';
import { trendOf } from '../../../src/web/site/trend.ts';
import { figuresIn } from '../../../src/web/sites/card-figures.ts';

const DAYS = 30;

/** Visitors of two periods of 30 days, all of them on the first day. */
const points = (before: number, now: number) =>
  Array.from({ length: 2 * DAYS }, (_, i) => {
    const visitors = i === 0 ? before : i === DAYS ? now : 0;
    return { date: `day ${i}`, visitors, pageviews: visitors };
  });

const NOTHING: Measured = {
  totals: [],
  times: [],
  rows: [],
  goals: [],
  steps: [],
  hours: [],
  live: 0,
  leftOut: [],
  aside: {},
  untouched: [],
};

function serverChange(before: number, now: number): number | null {
  const totals = [now, before].map((visitors) => ({ ...noTotals(), visitors }));
  const question = { report: 'overview', siteId: 1, range: { from: 100, to: 100 + DAYS }, filters: {} } as const;
  return present(question, { ...NOTHING, totals }).change.visitors;
}

test('the card of a site and its report show the same change, at halves too', () => {
  const half = fc
    .record({ tenths: fc.integer({ min: -999, max: 9_999 }), by: fc.integer({ min: 1, max: 500 }) })
    .map(({ tenths, by }) => ({ before: 2_000 * by, now: 2_000 * by + (2 * tenths + 1) * by }));
  const any = fc.record({ before: fc.nat(100_000), now: fc.nat(100_000) });
  fc.assert(
    fc.property(fc.oneof(half, any), ({ before, now }) => {
      const onCard = figuresIn(points(before, now)).change;
      const inReport = serverChange(before, now);
      assert.equal(onCard, inReport);
      const shown = change(onCard).replace(/^[+-]/, '');
      if (inReport !== null)
        assert.equal(trendOf({ change: inReport }, '', '').text || percent(0), shown.replace(/^\u2212/, ''));
    }),
  );
});

test('a card shows the visitors of its 30 days, and nothing to compare with where there was nobody before', () => {
  const { visitors, change, points: shown } = figuresIn(points(0, 7));
  assert.deepEqual([visitors, change, shown.length, shown[0]?.visitors], [7, null, DAYS, 7]);
});
