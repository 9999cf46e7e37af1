import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Note } from '../../../../src/api/notes.ts';
import { linesOf } from '../../../../src/dashboard/report/chart/lines.ts';
import { pointSentence } from '../../../../src/dashboard/report/model/point-text.ts';
import { drawnSpan, type Point, pointsOf, spanBetweenPoints } from '../../../../src/dashboard/report/model/points.ts';
import { NOW, series, TODAY } from './series.ts';

const note = (date: string): Note => ({
  id: 1,
  date,
  text: 'Release',
  url: null,
  effect: false,
  created_at: `${date}T00:00:00Z`,
});

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
  assert.deepEqual(linesOf(points), {
    values: [10, 20, null],
    whole: [10, null, null],
    parts: [10, 20, null],
    previousWhole: [10, 20, 30],
    previousParts: [null, null, null],
  });
  assert.match(
    pointSentence(points[1] as (typeof points)[0], 'pageviews', ''),
    /so far: 20 pageviews; .*: 20; note: Release$/,
  );
});

test('a point of one visitor is said to have one', () => {
  const [one, two] = pointsOf({
    range: { from: '2026-03-08', to: '2026-03-09' },
    series: series('2026-03-08', '2026-03-09', ['2026-03-08', '2026-03-09']),
    figure: 'visitors',
    notes: [],
    today: TODAY,
    now: NOW,
  });
  assert.match(pointSentence(one as Point, 'visitors', ''), /: 1 visitor$/);
  assert.match(pointSentence(two as Point, 'visitors', ''), /: 2 visitors$/);
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
    pointSentence(points[1] as (typeof points)[0], 'visitors', ''),
    /: 2 visitors; incomplete: some hits are missing/,
  );
});

test('revenue: a point has the number of its decimal text, and no value if an import has none', () => {
  const days = series('2026-03-08', '2026-03-09', ['2026-03-08', '2026-03-09']);
  const revenues = ['19.99', null];
  const [known, unknown] = pointsOf({
    range: { from: '2026-03-08', to: '2026-03-09' },
    series: { ...days, points: days.points.map((point, i) => ({ ...point, revenue: revenues[i] ?? null })) },
    figure: 'revenue',
    notes: [],
    today: TODAY,
    now: NOW,
  });
  assert.deepEqual([known?.value, unknown?.value, unknown?.leftOut], [19.99, null, 'unknown']);
  assert.match(pointSentence(known as Point, 'revenue', 'EUR'), /: Revenue €19\.99$/);
});

test('deleted days: a point has no value, and a week with other days has one and is incomplete', () => {
  const days = series('2026-03-07', '2026-03-09', ['2026-03-07', '2026-03-08', '2026-03-09']);
  const notice = (values: object) => ({
    code: 'days_deleted',
    values: { days: [{ from: '2026-03-08', to: '2026-03-08' }], ...values },
  });
  const show = (values: object) =>
    pointsOf({
      range: { from: '2026-03-07', to: '2026-03-09' },
      series: {
        ...days,
        points: days.points.map((point) => (point.date === '2026-03-08' ? { ...point, complete: false } : point)),
        notice_codes: [notice(values)],
      },
      figure: 'visitors',
      notes: [],
      today: TODAY,
      now: NOW,
    });
  const [before, deleted] = show({});
  assert.deepEqual([before?.value === null, before?.leftOut], [false, 'none']);
  assert.deepEqual([deleted?.value, deleted?.leftOut, deleted?.isIncomplete], [null, 'deleted', false]);
  assert.match(pointSentence(deleted as Point, 'visitors', ''), /: no value: deleted/);
  // In an answer about several sites, the other sites have the day.
  assert.notEqual(show({ site: 'example.com' })[1]?.value, null);
  const [week] = pointsOf({
    range: { from: '2026-03-02', to: '2026-03-08' },
    series: { ...series('2026-03-02', '2026-03-08', ['2026-03-02']), interval: 'week', notice_codes: [notice({})] },
    figure: 'visitors',
    notes: [],
    today: TODAY,
    now: NOW,
  });
  assert.notEqual(week?.value, null);
});
