import assert from 'node:assert/strict';
import { test } from 'node:test';
import { day, spanText } from '../../../../src/dashboard/core/format.ts';
import type { Match } from '../../../../src/dashboard/dates/comparison.ts';
import { monthAfter } from '../../../../src/dashboard/dates/days.ts';
import type { Span } from '../../../../src/dashboard/dates/range.ts';
import { linesOf } from '../../../../src/dashboard/report/chart/lines.ts';
import { pointTitle, previousTitle } from '../../../../src/dashboard/report/model/point-text.ts';
import { pointsOf } from '../../../../src/dashboard/report/model/points.ts';
import { NOW, series, TODAY } from './series.ts';

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
    `${spanText({ from: '2024-04-22', to: '2024-04-30' })}, partial month`,
  ]);
  assert.deepEqual(titles(year)[11], [`${spanText({ from: '2026-03-01', to: TODAY })} so far`, day('2025-03')]);
  const { whole, parts, previousWhole: before, previousParts: partsBefore } = linesOf(year);
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
  assert.match(titles(weeks)[0]?.[1] ?? '', /3.*8.*partial week$/);
});

test('days of which only totals are kept have no value under a filter, neither now nor in what they are compared with', () => {
  const leftOut = [
    { from: '2026-01-01', to: '2026-02-10' },
    { from: '2026-03-09', to: '2026-03-09' },
  ];
  const dates = ['2026-03-08', '2026-03-09'];
  const days = pointsOf({
    range: { from: '2026-03-08', to: '2026-03-09' },
    series: { ...series('2026-03-08', '2026-03-09', dates), left_out: leftOut },
    previous: {
      series: { ...series('2026-02-10', '2026-02-11', ['2026-02-10', '2026-02-11']), left_out: leftOut },
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
    series: { ...series('2026-01-01', '2026-02-28', ['2026-01', '2026-02']), left_out: leftOut },
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
