import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Timeseries } from '../../../src/api/answers.ts';
import type { Note } from '../../../src/api/notes.ts';
import { day, spanText } from '../../../src/web/format.ts';
import { monthAfter } from '../../../src/web/site/days.ts';
import type { Match } from '../../../src/web/site/matches.ts';
import { pointSentence, pointTitle, previousTitle } from '../../../src/web/site/point-text.ts';
import { drawnSpan, linesOf, pointsOf, spanBetweenPoints } from '../../../src/web/site/points.ts';
import type { Span } from '../../../src/web/site/range.ts';

const TODAY = '2026-03-10';
const NOW = Date.parse('2026-03-10T13:30:00Z');

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
    range: { from: '2026-03-09', to: '2026-03-11' },
    series: series('2026-03-09', '2026-03-11', ['2026-03-09', '2026-03-10', '2026-03-11']),
    previous: {
      series: series('2026-03-06', '2026-03-08', ['2026-03-06', '2026-03-07', '2026-03-08']),
      range: { from: '2026-03-06', to: '2026-03-08' },
      match: 'end',
    },
    figure: 'pageviews',
    notes: [note('2026-03-10')],
    today: TODAY,
    now: NOW,
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
    [10, 20, null],
    [10, null, null],
    [10, 20, null],
    [10, 20, 30],
    [null, null, null],
  ]);
  assert.match(
    pointSentence(points[1] as (typeof points)[0], 'pageviews'),
    /so far: 20 pageviews; .*: 20; note: Release$/,
  );
});

test('a month that the range cuts says so, and holds the notes of its days', () => {
  const [first, , last] = pointsOf({
    range: { from: '2025-12-15', to: '2026-03-10' },
    series: series('2025-12-15', '2026-03-10', ['2025-12', '2026-01', '2026-03']),
    previous: undefined,
    figure: 'visitors',
    notes: [note('2025-12-14'), note('2025-12-15')],
    today: TODAY,
    now: NOW,
  });
  assert.deepEqual(first?.span, { from: '2025-12-15', to: '2025-12-31' });
  assert.equal(first?.isPartial, true);
  assert.equal(first?.notes.length, 1);
  assert.equal(last?.isPartial, false);
  assert.equal(last?.isUnfinished, true);
});

test('an hour is open while it lasts, and the first of a day has its notes', () => {
  const hours = ['2026-03-09T23:00:00+01:00', '2026-03-10T00:00:00+01:00', '2026-03-10T14:00:00+01:00'];
  const points = pointsOf({
    range: { from: '2026-03-09', to: '2026-03-10' },
    series: { ...series('2026-03-09', '2026-03-10', [...hours, '2026-03-10T15:00:00+01:00']), interval: 'hour' },
    previous: undefined,
    figure: 'visitors',
    notes: [note('2026-03-10')],
    today: TODAY,
    now: NOW,
  });
  assert.deepEqual(
    points.map(({ value, isUnfinished, notes }) => [value, isUnfinished, notes.length]),
    [
      [1, false, 0],
      [2, false, 1],
      [3, true, 0],
      [null, false, 0],
    ],
  );
  assert.deepEqual(spanBetweenPoints(points, 1, 2), { from: '2026-03-10', to: '2026-03-10' });
});

test('a week has the days of it that are in the range, and says where these are not all', () => {
  const [first, second, last] = pointsOf({
    range: { from: '2026-02-25', to: '2026-03-10' },
    series: { ...series('2026-02-25', '2026-03-10', ['2026-02-23', '2026-03-02', '2026-03-09']), interval: 'week' },
    previous: undefined,
    figure: 'visitors',
    notes: [note('2026-02-24'), note('2026-02-25')],
    today: TODAY,
    now: NOW,
  });
  assert.deepEqual([first?.span, first?.isPartial], [{ from: '2026-02-25', to: '2026-03-01' }, true]);
  assert.equal(first?.notes.length, 1);
  assert.deepEqual([second?.isPartial, second?.isUnfinished], [false, false]);
  assert.deepEqual([last?.isPartial, last?.isUnfinished], [false, true]);
});

test('one day is drawn as the last of two weeks', () => {
  assert.deepEqual(drawnSpan({ from: TODAY, to: TODAY }), { from: '2026-02-25', to: TODAY });
  assert.deepEqual(drawnSpan({ from: '2026-03-09', to: TODAY }), { from: '2026-03-09', to: TODAY });
});

test('two points mean the days from one to the other', () => {
  const points = pointsOf({
    range: { from: '2026-01-15', to: '2026-03-10' },
    series: series('2026-01-15', '2026-03-10', ['2026-01', '2026-02', '2026-03']),
    previous: undefined,
    figure: 'visitors',
    notes: [],
    today: TODAY,
    now: NOW,
  });
  assert.deepEqual(spanBetweenPoints(points, 1, 0), { from: '2026-01-15', to: '2026-02-28' });
  assert.equal(spanBetweenPoints(points, 0, 9), undefined);
});

test('a point in which hits were missed says so, but not one that is still to come', () => {
  const dates = ['2026-03-09', '2026-03-10', '2026-03-11'];
  const whole = series('2026-03-09', '2026-03-11', dates);
  const points = pointsOf({
    range: { from: '2026-03-09', to: '2026-03-11' },
    series: { ...whole, points: whole.points.map((point, i) => (i === 0 ? point : { ...point, complete: false })) },
    previous: undefined,
    figure: 'visitors',
    notes: [],
    today: TODAY,
    now: NOW,
  });
  assert.deepEqual(
    points.map(({ isIncomplete }) => isIncomplete),
    [false, true, false],
  );
  assert.match(
    pointSentence(points[1] as (typeof points)[0], 'visitors'),
    /: 2 visitors; not complete: hits were missed/,
  );
});

type Compared = { range: Span; dates: string[]; before: Span; datesBefore: string[]; match: Match };

/** The points of a chart by months or weeks. */
const comparedPoints = ({ range, dates, before, datesBefore, match }: Compared) =>
  pointsOf({
    range,
    series: series(range.from, range.to, dates),
    previous: { series: series(before.from, before.to, datesBefore), range: before, match },
    figure: 'visitors',
    notes: [],
    today: TODAY,
    now: NOW,
  });
const titles = (points: ReturnType<typeof pointsOf>) =>
  points.map((point) => [pointTitle(point), previousTitle(point)]);
const months = (first: string, count: number): string[] =>
  Array.from({ length: count }, (_, i) => monthAfter(first, i));

test('a month stands beside that of the same place before its end, and what is a part of one says so', () => {
  const points = comparedPoints({
    range: { from: '2025-04-01', to: '2025-06-30' },
    dates: months('2025-04', 3),
    before: { from: '2024-12-31', to: '2025-03-31' },
    datesBefore: months('2024-12', 4),
    match: 'end',
  });
  assert.deepEqual(titles(points), [
    [day('2025-04'), day('2025-01')],
    [day('2025-05'), day('2025-02')],
    [day('2025-06'), day('2025-03')],
  ]);
  const year = comparedPoints({
    range: { from: '2025-04-01', to: TODAY },
    dates: months('2025-04', 12),
    before: { from: '2024-04-22', to: '2025-03-31' },
    datesBefore: months('2024-04', 12),
    match: 'end',
  });
  assert.deepEqual(titles(year)[0], [
    day('2025-04'),
    `${spanText({ from: '2024-04-22', to: '2024-04-30' })}, part of the month`,
  ]);
  assert.deepEqual(titles(year)[11], [`${spanText({ from: '2026-03-01', to: TODAY })}, so far`, day('2025-03')]);
  const [, , whole, parts, before, partsBefore] = linesOf(year);
  assert.deepEqual([whole[10], whole[11], parts[9], parts[10], parts[11]], [11, null, null, 11, 12]);
  assert.deepEqual([before[0], before[1], partsBefore[0], partsBefore[1], partsBefore[2]], [null, 2, 1, 2, null]);
});

test('a year before, a month stands beside the same month, and a week beside that 52 weeks earlier', () => {
  const points = comparedPoints({
    range: { from: '2024-02-29', to: '2024-04-30' },
    dates: months('2024-02', 3),
    before: { from: '2023-02-28', to: '2023-04-30' },
    datesBefore: months('2023-03', 2),
    match: 'year',
  });
  assert.deepEqual(
    points.map(({ previous }) => previous?.date),
    [undefined, '2023-03', '2023-04'],
  );
  const weeks = pointsOf({
    range: { from: '2026-03-02', to: '2026-03-08' },
    series: { ...series('2026-03-02', '2026-03-08', ['2026-03-02']), interval: 'week' },
    previous: {
      series: { ...series('2025-03-02', '2025-03-08', ['2025-02-24', '2025-03-03']), interval: 'week' },
      range: { from: '2025-03-02', to: '2025-03-08' },
      match: 'year',
    },
    figure: 'visitors',
    notes: [],
    today: TODAY,
    now: NOW,
  });
  assert.match(titles(weeks)[0]?.[1] ?? '', /3.*8.*part of the week$/);
});

test('days of which only totals are kept have no value under a filter, neither now nor in what they are compared with', () => {
  const notices = [
    'Not in this answer, because only daily totals are kept of them: 2026-01-01 to 2026-02-10, 2026-03-09.',
  ];
  const dates = ['2026-03-08', '2026-03-09'];
  const days = pointsOf({
    range: { from: '2026-03-08', to: '2026-03-09' },
    series: { ...series('2026-03-08', '2026-03-09', dates), notices },
    previous: {
      series: { ...series('2026-02-10', '2026-02-11', ['2026-02-10', '2026-02-11']), notices },
      range: { from: '2026-02-10', to: '2026-02-11' },
      match: 'end',
    },
    figure: 'visitors',
    notes: [],
    today: TODAY,
    now: NOW,
  });
  assert.deepEqual(
    days.map(({ value, leftOut, previous }) => [value, leftOut, previous?.value]),
    [
      [1, 'none', null],
      [null, 'all', 2],
    ],
  );
  const parts = pointsOf({
    range: { from: '2026-01-01', to: '2026-02-28' },
    series: { ...series('2026-01-01', '2026-02-28', ['2026-01', '2026-02']), notices },
    figure: 'visitors',
    notes: [],
    today: TODAY,
    now: NOW,
  });
  assert.deepEqual(
    parts.map(({ value, leftOut }) => [value, leftOut]),
    [
      [null, 'all'],
      [2, 'some'],
    ],
  );
});
