import '../browser-globals.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countsSameDays, excludeValues, findCells, narrowFilters } from '../../../src/dashboard/explore/pivot.ts';
import { fillTimes, listTimes } from '../../../src/dashboard/explore/times.ts';

const names = (count: number): string[] => Array.from({ length: count }, (_, n) => `v${n}`);

test('pivot: only a filter on something of the whole visit limits an answer to the shown values', () => {
  assert.deepEqual(narrowFilters({ os: ['Linux'] }, 'country', ['DE', 'DE', '']), {
    os: ['Linux'],
    country: ['DE', ''],
  });
  const filters = { country: ['DE', 'FR'] };
  assert.deepEqual(narrowFilters(filters, 'country', ['FR']), { country: ['FR'] });
  for (const key of ['page', 'event', 'hostname', 'property:plan', 'week', 'hour'] as const)
    assert.equal(narrowFilters(filters, key, ['a']), filters, key);
  assert.equal(narrowFilters(filters, undefined, []), filters);
  assert.equal(narrowFilters(filters, 'os', names(21)), filters, 'more values than a filter can have');
  assert.equal(narrowFilters(filters, 'entry', ['/a', '(other)']), filters, 'a value that no filter can have');
});

test('pivot: the visits with none of the values are asked, or there is no column for them', () => {
  assert.deepEqual(excludeValues({ 'country.not': ['FR'], country: ['DE', 'AT', 'FR'] }, 'country', ['DE', 'FR']), {
    'country.not': ['FR', 'DE'],
    country: ['DE', 'AT', 'FR'],
  });
  for (const key of ['page', 'event', 'property:plan', 'day'] as const)
    assert.equal(excludeValues({}, key, ['a']), undefined, key);
  assert.equal(excludeValues({ 'os.not': names(20) }, 'os', ['a']), undefined, 'more values than a filter can have');
  const full = { source: names(20), browser: names(20), 'device.not': names(9) };
  assert.equal(excludeValues(full, 'country', ['DE', 'FR']), undefined, 'more values than all filters can have');
});

test('pivot: a missing cell is 0 if the answer has all rows, unknown if not, and no mean', () => {
  const rows = [{ by: ['DE', 'Mobile'], metrics: { visitors: 3, bounce_rate: 50, revenue: '1.50' } }];
  const whole = { rows, total_rows: 1 };
  const cut = { rows, total_rows: 2 };
  assert.deepEqual(
    [whole, cut]
      .map((answer) => findCells(answer, 'visitors'))
      .map((find) => [find(['DE', 'Mobile']), find(['FR', 'Mobile'])]),
    [
      [3, 0],
      [3, undefined],
    ],
  );
  assert.equal(findCells(whole, 'bounce_rate')(['FR', 'Mobile']), null);
  assert.equal(findCells(whole, 'revenue')(['DE', 'Mobile']), '1.50');
});

test('pivot: answers about other days do not stand side by side', () => {
  const whole = {};
  const partly = {
    left_out: [{ from: '2026-03-01', to: '2026-03-02' }],
    notice_codes: [{ code: 'left_out', values: {} }],
  };
  assert.equal(countsSameDays(whole, whole), true);
  assert.equal(countsSameDays(partly, partly), true);
  assert.equal(countsSameDays(whole, partly), false);
  assert.equal(countsSameDays(whole, { notice_codes: [{ code: 'bounces_unknown', values: {} }] }), false);
});

test('pivot: a chart has all times of its days, also those without a visit, and none that is to come', () => {
  const span = { from: '2026-02-27', to: '2026-03-15' };
  assert.deepEqual(listTimes('day', { from: '2026-02-27', to: '2026-03-02' }, '2026-03-01'), [
    '2026-02-27',
    '2026-02-28',
    '2026-03-01',
  ]);
  assert.deepEqual(listTimes('week', span, '2026-03-10'), ['2026-02-23', '2026-03-02', '2026-03-09']);
  assert.deepEqual(listTimes('month', span, '2026-03-10'), ['2026-02', '2026-03']);
  assert.deepEqual(listTimes('weekday', span, '2026-03-10'), [1, 2, 3, 4, 5, 6, 7]);
  assert.equal(listTimes('hour_of_day', span, '2026-03-10')?.length, 24);
  assert.equal(listTimes('hour', span, '2026-03-10'), undefined);
  // In Berlin, the hour after 01:00 was 03:00 on this day.
  assert.deepEqual(fillTimes(['2026-03-29T00:00:00+01:00', '2026-03-29T04:00:00+02:00'], 'Europe/Berlin'), [
    '2026-03-29T00:00:00+01:00',
    '2026-03-29T01:00:00+01:00',
    '2026-03-29T03:00:00+02:00',
    '2026-03-29T04:00:00+02:00',
  ]);
  assert.deepEqual(fillTimes([], 'UTC'), []);
});
