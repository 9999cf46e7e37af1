import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findOutlierDay } from '../../../../src/dashboard/report/chart/outlier-day.ts';
import type { Point } from '../../../../src/dashboard/report/model/points.ts';

const dateOf = (index: number): string => `2026-03-${String(index + 1).padStart(2, '0')}`;
const SPAN = { from: dateOf(0), to: dateOf(9) };

/** Days from 1 March on, with these values. The days in `noted` have a note. */
const pointsOf = (values: (number | null)[], noted: number[] = []): Point[] =>
  values.map((value, index): Point => {
    const date = dateOf(index);
    const span = { from: date, to: date };
    return {
      ...{
        interval: 'day',
        date,
        value,
        span,
        previous: null,
        isPartial: false,
        isUnfinished: false,
        isIncomplete: false,
      },
      leftOut: 'none',
      notes: noted.includes(index)
        ? [{ id: 1, date, text: 'In the news', url: null, effect: false, created_at: '' }]
        : [],
    };
  });

test('outlier day: the day with the most visitors stands out, if twice as many come as usual', () => {
  assert.equal(findOutlierDay(SPAN, pointsOf([10, 12, 9, 40, 10, 21, 11, 10, null, 10])), dateOf(3));
  assert.equal(findOutlierDay(SPAN, pointsOf([10, 12, 9, 20, 10, 12, 11, 10, 10, 10])), undefined);
});

test('outlier day: a note explains its day and the two days after it, but no other day', () => {
  const values = [10, 90, 70, 50, 40, 10, 11, 10, 10, 10];
  assert.equal(findOutlierDay(SPAN, pointsOf(values)), dateOf(1));
  assert.equal(findOutlierDay(SPAN, pointsOf(values, [1])), dateOf(4));
  assert.equal(findOutlierDay(SPAN, pointsOf(values, [2])), dateOf(1));
  assert.equal(findOutlierDay(SPAN, pointsOf(values, [1, 2])), undefined);
});

test('outlier day: a range of one day is that day, unless it has a note itself', () => {
  const span = { from: dateOf(1), to: dateOf(1) };
  assert.equal(findOutlierDay(span, pointsOf([10, 10], [0])), dateOf(1));
  assert.equal(findOutlierDay(span, pointsOf([10, 10], [1])), undefined);
});
