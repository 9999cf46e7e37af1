import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Note } from '../../src/api/notes.ts';
import type { Timeseries } from '../../src/api/stats.ts';
import { dayAfter, daysIn, lastDayOf, monthAfter, monthOf, sameDayAfter } from '../../src/web/site/days.ts';
import { filterValueText } from '../../src/web/site/filter-names.ts';
import { pointSentence } from '../../src/web/site/point-text.ts';
import { drawnSpan, linesOf, pointsOf, spanBetweenPoints } from '../../src/web/site/points.ts';
import {
  customRange,
  isAllowed,
  longestUpTo,
  presets,
  previousOf,
  rangeOf,
  spanBetween,
  spanOf,
  steppedRange,
} from '../../src/web/site/range.ts';
import { changeForKey } from '../../src/web/site/shortcuts.ts';
import { suggestionsFor } from '../../src/web/site/suggestions.ts';
import { trendOf } from '../../src/web/site/trend.ts';
import { dayForKey, firstWeekdayOf, weeksOf } from '../../src/web/site/weeks.ts';
import type { View } from '../../src/web/view.ts';

const TODAY = '2026-03-10';
const NAMES = ['today', '7d', '30d', '12m'];

const day = fc.integer({ min: 0, max: 30_000 }).map((days) => dayAfter('1990-01-01', days));
/** A day to be today, and some days that are over by then. */
const past = fc
  .record({ from: day, length: fc.integer({ min: 1, max: 730 }), since: fc.integer({ min: 0, max: 900 }) })
  .map(({ from, length, since }) => {
    const to = dayAfter(from, length - 1);
    return { span: { from, to }, today: dayAfter(to, since) };
  });

test('named ranges mean the days that the server counts', () => {
  assert.deepEqual(spanOf('today', TODAY), { from: TODAY, to: TODAY });
  assert.deepEqual(spanOf('7d', TODAY), { from: '2026-03-04', to: TODAY });
  assert.deepEqual(spanOf('30d', TODAY), { from: '2026-02-09', to: TODAY });
  assert.deepEqual(spanOf('12m', TODAY), { from: '2025-04-01', to: TODAY });
});

test('a range of its own is shorter than two years and in order', () => {
  assert.deepEqual(spanOf('2024-03-10~2026-03-09', TODAY), { from: '2024-03-10', to: '2026-03-09' });
  assert.equal(spanOf('2024-03-10~2026-03-10', TODAY), undefined);
  // Two years after 29 February is 1 March, as the server has it.
  assert.ok(spanOf('2024-02-29~2026-02-28', TODAY));
  assert.equal(spanOf('2024-02-29~2026-03-01', TODAY), undefined);
  for (const range of ['', '8d', 'toString', '2026-03-02~2026-03-01', '2026-02-30~2026-03-01', '2026-03-01', 'a~b~c'])
    assert.equal(spanOf(range, TODAY), undefined, range);
});

test('what has a name is written by its name', () => {
  for (const name of NAMES) {
    const span = spanOf(name, TODAY);
    assert.ok(span);
    assert.equal(rangeOf(span, TODAY), name);
    assert.equal(rangeOf(span, dayAfter(TODAY)), customRange(span));
  }
});

test('any range means the days that it was written from', () => {
  fc.assert(
    fc.property(past, ({ span, today }) => {
      assert.deepEqual(spanOf(rangeOf(span, today), today), span);
    }),
  );
});

test('the period before is as long and ends the day before', () => {
  fc.assert(
    fc.property(past, ({ span }) => {
      const before = previousOf(span);
      assert.equal(daysIn(before.from, before.to), daysIn(span.from, span.to));
      assert.equal(dayAfter(before.to), span.from);
    }),
  );
});

test('a step leads to days that can be asked for, beside those before', () => {
  fc.assert(
    fc.property(past, fc.constantFrom(-1 as const, 1 as const), ({ span, today }, way) => {
      const range = rangeOf(span, today);
      const next = steppedRange(range, today, way);
      if (way === 1 && span.to === today) return assert.equal(next, undefined);
      const found = next === undefined ? undefined : spanOf(next, today);
      assert.ok(found && isAllowed(found, today), `${range} on ${today} leads to ${next}`);
      if (way === -1) assert.equal(dayAfter(found.to), span.from);
      else assert.ok(found.to > span.to && found.to <= today);
    }),
  );
});

test('a step back and one on lead to where one was', () => {
  fc.assert(
    fc.property(past, ({ span, today }) => {
      const range = rangeOf(span, today);
      const back = steppedRange(range, today, -1);
      // Two years with 29 February in them are longer than those before; months that are not over yet grow.
      const isEven = back !== undefined && daysIn(span.from, span.to) <= 365 && !span.from.endsWith('-01');
      if (isEven && !(spanOf(back, today)?.from ?? '').endsWith('-01'))
        assert.equal(steppedRange(back, today, 1), range);
    }),
  );
});

test('months step by months', () => {
  assert.equal(steppedRange('2026-02-01~2026-02-28', TODAY, -1), '2026-01-01~2026-01-31');
  assert.equal(steppedRange('2026-01-01~2026-02-28', TODAY, -1), '2025-11-01~2025-12-31');
  assert.equal(steppedRange('2026-01-01~2026-01-31', TODAY, 1), '2026-02-01~2026-02-28');
  // March is not over, and steps as March.
  assert.equal(steppedRange('2026-02-01~2026-02-28', TODAY, 1), '2026-03-01~2026-03-10');
  assert.equal(steppedRange('2026-03-01~2026-03-10', TODAY, -1), '2026-02-01~2026-02-28');
  assert.equal(steppedRange('12m', TODAY, -1), '2024-04-01~2025-03-31');
  assert.equal(steppedRange('2024-04-01~2025-03-31', TODAY, 1), '12m');
});

test('seven days that begin with a month are still days', () => {
  assert.equal(steppedRange('7d', '2026-03-07', -1), '2026-02-22~2026-02-28');
  assert.equal(steppedRange('today', '2026-03-01', -1), '2026-02-28~2026-02-28');
});

test('a step on never leads beyond today', () => {
  assert.equal(steppedRange('2026-03-01~2026-03-07', TODAY, 1), '7d');
  assert.equal(steppedRange('2026-03-09~2026-03-09', TODAY, 1), 'today');
  for (const name of NAMES) assert.equal(steppedRange(name, TODAY, 1), undefined);
});

test('two taps make a range in any order, without days to come', () => {
  assert.deepEqual(spanBetween('2026-03-05', '2026-03-01', TODAY), { from: '2026-03-01', to: '2026-03-05' });
  assert.deepEqual(spanBetween('2026-03-01', '2026-03-31', TODAY), { from: '2026-03-01', to: TODAY });
  assert.equal(isAllowed({ from: '2026-03-01', to: '2026-03-11' }, TODAY), false);
});

test('every shortcut can be asked for', () => {
  fc.assert(
    fc.property(day, (today) => {
      for (const { name, span } of presets(today)) assert.ok(isAllowed(span, today), `${name} on ${today}`);
      assert.ok(isAllowed(longestUpTo(today), today));
    }),
  );
});

test('the same day of a shorter month is its last', () => {
  assert.equal(sameDayAfter('2026-03-31', -1), '2026-02-28');
  assert.equal(sameDayAfter('2024-02-29', 12), '2025-02-28');
  assert.equal(monthAfter('2026-01', -1), '2025-12');
  assert.equal(lastDayOf('2024-02'), '2024-02-29');
});

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

test('keys choose a range, step, and clear filters', () => {
  const view: View = { range: '30d', filters: {}, more: {} };
  assert.deepEqual(changeForKey('w', view, TODAY), { range: '7d' });
  assert.deepEqual(changeForKey('W', view, TODAY), { range: '7d' });
  assert.equal(changeForKey('m', view, TODAY), undefined);
  assert.deepEqual(changeForKey('ArrowLeft', view, TODAY), { range: '2026-01-10~2026-02-08' });
  assert.equal(changeForKey('ArrowRight', view, TODAY), undefined);
  assert.equal(changeForKey('Escape', view, TODAY), undefined);
  assert.deepEqual(changeForKey('Escape', { ...view, filters: { page: '/' } }, TODAY), { filters: {} });
});

const series = (from: string, to: string, dates: string[]): Timeseries => ({
  from: `${from}T00:00:00Z`,
  to: `${to}T23:59:59Z`,
  filters: {},
  interval: dates[0]?.length === 7 ? 'month' : 'day',
  points: dates.map((date, i) => ({ date, visitors: i + 1, pageviews: 10 * (i + 1) })),
});
const note = (date: string): Note => ({ id: 1, date, text: 'Release', created_at: `${date}T00:00:00Z` });

test('the point of today is open, and those after it are still to come', () => {
  const points = pointsOf({
    series: series('2026-03-09', '2026-03-11', ['2026-03-09', '2026-03-10', '2026-03-11']),
    previous: series('2026-03-06', '2026-03-08', ['2026-03-06', '2026-03-07', '2026-03-08']),
    figure: 'pageviews',
    notes: [note('2026-03-10')],
    today: TODAY,
  });
  assert.deepEqual(
    points.map(({ value, isUnfinished, notes }) => [value, isUnfinished, notes.length]),
    [
      [10, false, 0],
      [20, true, 1],
      [null, false, 0],
    ],
  );
  assert.deepEqual(linesOf(points), [
    [0, 1, 2],
    [10, null, null],
    [10, 20, null],
    [10, 20, 30],
  ]);
  assert.match(
    pointSentence(points[1] as (typeof points)[0], 'pageviews'),
    /so far: 20 pageviews; .*: 20; note: Release$/,
  );
});

test('a month that the range cuts says so, and holds the notes of its days', () => {
  const [first, , last] = pointsOf({
    series: series('2025-12-15', '2026-03-10', ['2025-12', '2026-01', '2026-03']),
    previous: undefined,
    figure: 'visitors',
    notes: [note('2025-12-14'), note('2025-12-15')],
    today: TODAY,
  });
  assert.deepEqual(first?.span, { from: '2025-12-15', to: '2025-12-31' });
  assert.equal(first?.isPartial, true);
  assert.equal(first?.notes.length, 1);
  assert.equal(last?.isPartial, false);
  assert.equal(last?.isUnfinished, true);
});

test('one day is drawn as the last of two weeks', () => {
  assert.deepEqual(drawnSpan({ from: TODAY, to: TODAY }), { from: '2026-02-25', to: TODAY });
  assert.deepEqual(drawnSpan({ from: '2026-03-09', to: TODAY }), { from: '2026-03-09', to: TODAY });
});

test('two points mean the days from one to the other', () => {
  const points = pointsOf({
    series: series('2026-01-15', '2026-03-10', ['2026-01', '2026-02', '2026-03']),
    previous: undefined,
    figure: 'visitors',
    notes: [],
    today: TODAY,
  });
  assert.deepEqual(spanBetweenPoints(points, 1, 0), { from: '2026-01-15', to: '2026-02-28' });
  assert.equal(spanBetweenPoints(points, 0, 9), undefined);
});

test('changes are good or bad, or cannot be told', () => {
  assert.equal(trendOf(5, '1', 'March').kind, 'good');
  assert.equal(trendOf(5, '1', 'March', true).kind, 'bad');
  assert.equal(trendOf(-5, '1', 'March', true).kind, 'good');
  assert.equal(trendOf(0, '1', 'March').kind, '');
  assert.equal(trendOf(null, '0', 'March').sentence, 'Nothing to compare with: it was 0 (March).');
});

test('values are called by their names', () => {
  assert.equal(filterValueText('source', ''), 'Direct');
  assert.equal(filterValueText('utm_source', ''), 'none');
  assert.equal(filterValueText('goal', '3', [{ id: 3, value: 'signup' }]), 'signup');
  assert.equal(filterValueText('page', '/<b>'), '/<b>');
});

test('suggestions hold what was typed, those that begin with it first', () => {
  const known = ['/a/price', '/price', '/'].map((value) => ({ value, text: value, visitors: 1 }));
  const found = (typed: string) => suggestionsFor('page', known, typed).map(({ value }) => value);
  assert.deepEqual(found('/price'), ['/price', '/a/price']);
  assert.deepEqual(found('prices'), ['/prices']);
  assert.deepEqual(found(''), ['/a/price', '/price', '/']);
  assert.deepEqual(suggestionsFor('country', [], 'Atlantis'), []);
});
