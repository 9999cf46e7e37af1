import '../../browser-globals.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { spanText } from '../../../../src/dashboard/core/format.ts';
import type { View } from '../../../../src/dashboard/core/view.ts';
import { comparedSpan, compareQuery } from '../../../../src/dashboard/dates/comparison.ts';
import type { Span } from '../../../../src/dashboard/dates/range.ts';
import { Legend } from '../../../../src/dashboard/report/chart/legend.tsx';
import { intervalOf } from '../../../../src/dashboard/report/model/intervals.ts';
import { renderIn, SCOPE, textIn, VIEW } from '../../components.tsx';

const html = (range: string, more: Partial<View> = {}): string =>
  renderIn({ ...SCOPE, view: { ...VIEW, range, ...more } }, <Legend />);
const choices = (range: string): string =>
  [...html(range).matchAll(/aria-pressed="\w+">(\w+)</g)].map(([, name]) => name).join(' ');
const pressed = (range: string, more?: Partial<View>): string[] =>
  [...html(range, more).matchAll(/aria-pressed="true"[^>]*>(\w+)</g)].map(([, name = '']) => name);

test('the points that can be chosen are those that the range allows', () => {
  assert.equal(choices('today'), 'Hours Days Table');
  assert.equal(choices('7d'), 'Hours Days Table');
  assert.equal(choices('30d'), 'Hours Days Weeks Table');
  assert.equal(choices('2026-01-01~2026-01-31'), 'Hours Days Weeks Table');
  assert.equal(choices('2026-01-01~2026-02-01'), 'Days Weeks Months Table');
  assert.equal(choices('12m'), 'Days Weeks Months Table');
  assert.equal(textIn(html('never')), 'Table');
});

test('one day is shown by hours, up to 90 by days and more by months, unless others are chosen and the range allows them', () => {
  assert.deepEqual(pressed('today'), ['Hours']);
  assert.deepEqual(pressed('today', { interval: 'day' }), ['Days']);
  assert.deepEqual(pressed('30d'), ['Days']);
  assert.deepEqual(pressed('12m'), ['Months']);
  assert.deepEqual(pressed('12m', { interval: 'week' }), ['Weeks']);
  assert.deepEqual(pressed('12m', { interval: 'hour' }), ['Months']);
  const days = (count: number): Span => ({
    from: '2026-01-01',
    to: new Date(Date.UTC(2026, 0, count)).toISOString().slice(0, 10),
  });
  assert.deepEqual([intervalOf(VIEW, days(90)), intervalOf(VIEW, days(91))], ['day', 'month']);
  assert.equal(intervalOf(VIEW, days(1), false), 'day');
});

test('what it is compared with is said, and may be the days before, a year before, days of its own, or nothing', () => {
  const said = (compare: string) => textIn(html('7d', { compare })).split(' Chart interval')[0];
  const text = (from: string, to: string) => textIn(`Compared with ${spanText({ from, to })}`);
  assert.equal(said(''), text('2026-02-25', '2026-03-03'));
  assert.equal(said('year'), text('2025-03-04', '2025-03-10'));
  assert.equal(said('weekdays'), text('2025-03-05', '2025-03-11'));
  assert.equal(said('2025-12-01~2025-12-24'), text('2025-12-01', '2025-12-24'));
  assert.equal(said('off'), 'Not compared');
  assert.match(html('7d'), /comparison-picker-mark/);
  assert.doesNotMatch(html('7d', { compare: 'off' }), /comparison-picker-mark/);
  const leap = { from: '2024-02-29', to: '2024-03-01' };
  assert.deepEqual(comparedSpan({ ...VIEW, compare: 'year' }, leap), {
    from: '2023-02-28',
    to: '2023-03-01',
  });
});

test('the API is asked by its own words where it has one, and by days otherwise', () => {
  const asked = (compare: string) => compareQuery({ ...VIEW, range: '7d', compare }, SCOPE.today).compare;
  assert.deepEqual(['', 'year', 'off', 'constructor', '2026-01-02~2026-01-01'].map(asked), [
    'previous',
    'year',
    'none',
    'previous',
    'previous',
  ]);
  assert.deepEqual(['weekdays', '2025-12-01~2025-12-24'].map(asked), [
    '2025-03-05~2025-03-11',
    '2025-12-01~2025-12-24',
  ]);
});

test('what a range that runs on today is compared with ends at the same time', () => {
  const asked = (range: string, compare = '') => compareQuery({ ...VIEW, range, compare }, SCOPE.today);
  assert.deepEqual(asked('today'), { compare: 'previous', compare_until: 'now' });
  assert.deepEqual(asked('30d', 'year'), { compare: 'year', compare_until: 'now' });
  assert.deepEqual(asked('30d', 'off'), { compare: 'none' });
  assert.deepEqual(asked('2026-03-01~2026-03-02'), { compare: 'previous' });
});

test('an interval that cannot be chosen says why', () => {
  const reason = (range: string, name: string, more: Record<string, string> = {}) =>
    new RegExp(`disabled title="([^"]*)">${name}<`).exec(html(range, more))?.[1];
  assert.equal(reason('7d', 'Weeks'), 'This period is too short for this interval.');
  assert.equal(reason('12m', 'Hours'), 'This period is too long for this interval.');
  assert.equal(
    reason('7d', 'Hours', { show: 'bounce_rate' }),
    'Not available by hour, because a visit may last longer than an hour.',
  );
  assert.equal(reason('7d', 'Days'), undefined);
});
