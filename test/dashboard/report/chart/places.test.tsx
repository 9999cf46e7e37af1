import '../../browser-globals.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dayShort, hourShort } from '../../../../src/dashboard/core/format.ts';
import { dayAfter, daysIn, monthAfter } from '../../../../src/dashboard/dates/days.ts';
import { placesFor } from '../../../../src/dashboard/report/chart/places.ts';
import type { Interval } from '../../../../src/dashboard/report/model/intervals.ts';
import '../../components.tsx';
import { point } from './points.ts';

const daysFrom = (from: string, to: string, step = 1): string[] =>
  Array.from({ length: Math.ceil(daysIn(from, to) / step) }, (_, i) => dayAfter(from, i * step));
const hoursOf = (days: string[]): string[] =>
  days.flatMap((day) => Array.from({ length: 24 }, (_, i) => `${day}T${String(i).padStart(2, '0')}:00:00+01:00`));

function labels(interval: Interval, dates: string[], most: number): string[] {
  const points = dates.map((date) => point(date, { interval }));
  return placesFor(points, most).map(({ label }) => label);
}
const written = (...dates: string[]) => dates.map(dayShort);

test('a year by days or weeks has its labels at the first days of months, January with its year', () => {
  const year = ['Dec', 'Jan 2026', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov'];
  const is = (given: string[], expected: string[]) =>
    assert.deepEqual(
      given.map((label) => label.replace('Sept', 'Sep')),
      expected,
    );
  is(labels('day', daysFrom('2025-11-20', '2026-11-19'), 14), year);
  is(labels('week', daysFrom('2025-11-17', '2026-11-16', 7), 14), year);
  is(labels('day', daysFrom('2025-11-20', '2026-11-19'), 5), ['Jan 2026', 'Apr', 'Jul', 'Oct']);
});

test('months have a label each, or one for two, three, six or twelve months', () => {
  const months = Array.from({ length: 24 }, (_, i) => monthAfter('2024-12', i));
  assert.equal(labels('month', months, 24).length, 24);
  assert.equal(labels('month', months, 14).length, 12);
  assert.equal(labels('month', months, 8).length, 8);
  assert.deepEqual(labels('month', months, 2), ['Jan 2025', 'Jan 2026']);
});

test('thirty days have labels at Mondays, and a week has its days', () => {
  const month = daysFrom('2026-10-21', '2026-11-19');
  assert.deepEqual(labels('day', month, 14), written('2026-10-26', '2026-11-02', '2026-11-09', '2026-11-16'));
  const week = daysFrom('2026-11-13', '2026-11-19');
  assert.deepEqual(labels('day', week, 8), written(...week));
  assert.deepEqual(labels('day', week, 5), written('2026-11-13', '2026-11-15', '2026-11-17', '2026-11-19'));
});

test('hours have labels at round hours, midnight with its day', () => {
  const [day] = hoursOf(['2026-11-19']).map(hourShort);
  const shown = labels('hour', hoursOf(['2026-11-19']), 8);
  assert.equal(shown.length, 8);
  assert.equal(shown[0], day);
  assert.equal(shown[1], hourShort('2026-11-19T03:00:00+01:00'));
  const week = daysFrom('2026-11-13', '2026-11-19');
  assert.deepEqual(labels('hour', hoursOf(week), 8), written(...week));
});

test('a chart has at most the labels that fit, for two years by every interval', () => {
  const days = daysFrom('2024-11-20', '2026-11-19');
  for (const most of [5, 8, 14])
    for (let length = 1; length <= days.length; length += 7) {
      const dates = days.slice(-length);
      assert.ok(labels('day', dates, most).length <= most, `${length} days`);
      if (length <= 31) assert.ok(labels('hour', hoursOf(dates), most).length <= most, `hours of ${length} days`);
    }
  assert.deepEqual(labels('day', [], 5), []);
});
