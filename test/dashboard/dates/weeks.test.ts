import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { dayAfter, daysIn, lastDayOf, monthOf } from '../../../src/dashboard/dates/days.ts';
import { dayForKey, firstWeekdayOf, weeksOf } from '../../../src/dashboard/dates/weeks.ts';

const TODAY = '2026-03-10';

const day = fc.integer({ min: 0, max: 30_000 }).map((days) => dayAfter('1990-01-01', days));

test('a calendar holds each day of its month once, in order, under its weekday', () => {
  fc.assert(
    fc.property(day, fc.integer({ min: 0, max: 6 }), (date, first) => {
      const month = monthOf(date);
      const weeks = weeksOf(month, first);
      const days = weeks.flat().filter((one) => one !== undefined);
      assert.deepEqual(
        days,
        Array.from({ length: daysIn(`${month}-01`, lastDayOf(month)) }, (_, i) => dayAfter(`${month}-01`, i)),
      );
      for (const week of weeks) {
        assert.equal(week.length, 7);
        for (const [column, one] of week.entries())
          if (one !== undefined) assert.equal(new Date(`${one}T00:00:00Z`).getUTCDay(), (first + column) % 7);
      }
    }),
  );
});

test('keys move through a calendar', () => {
  assert.equal(dayForKey('ArrowUp', TODAY, 1), '2026-03-03');
  assert.equal(dayForKey('Home', TODAY, 1), '2026-03-09');
  assert.equal(dayForKey('End', TODAY, 0), '2026-03-14');
  assert.equal(dayForKey('PageUp', '2026-03-31', 1), '2026-02-28');
  assert.equal(dayForKey('PageDown', TODAY, 1, true), '2027-03-10');
  assert.equal(dayForKey('x', TODAY, 1), undefined);
  assert.equal(firstWeekdayOf('de-DE'), 1);
  assert.equal(firstWeekdayOf('en-US'), 0);
});
