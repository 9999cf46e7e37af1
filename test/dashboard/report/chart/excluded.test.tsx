import '../../browser-globals.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DayReport } from '../../../../src/api/day-status.ts';
import type { Exclusion } from '../../../../src/api/exclusions.ts';
import { findExcludedRuns, withExcluded } from '../../../../src/dashboard/report/chart/excluded.ts';
import '../../components.tsx';
import { point } from './points.ts';

const makeDays = (visits: Record<string, number>): DayReport['days'] =>
  Object.entries(visits).map(([date, excluded_visits]) => ({ date, excluded_visits }) as DayReport['days'][number]);
const EXCLUSIONS = [
  { from: '2026-03-02', to: null, filters: { country: 'XX' } },
  { from: '2026-01-01', to: '2026-01-31', filters: { country: 'FR' } },
] as unknown as Exclusion[];

test('each day says how many of its visits are excluded, and days beside each other have one sign', () => {
  const points = ['2026-03-01', '2026-03-02', '2026-03-03', '2026-03-04', '2026-03-05'].map((date) => point(date));
  const days = makeDays({ '2026-03-02': 5, '2026-03-03': 7, '2026-03-05': 1 });
  assert.deepEqual(
    withExcluded(points, days).map(({ excluded }) => excluded),
    [0, 5, 7, 0, 1],
  );
  const runs = findExcludedRuns(points, days, EXCLUSIONS);
  assert.deepEqual(
    runs.map(({ first, last }) => [first, last]),
    [
      [1, 2],
      [4, 4],
    ],
  );
  assert.match(runs[0]?.text ?? '', /: 12 visits excluded \(Country is XX\)$/);
  assert.match(runs[1]?.text ?? '', /: 1 visit excluded \(/);
});

test('the visits of a day are counted once where the chart shows its hours', () => {
  const hours = ['T00', 'T01', 'T02'].map((hour) => point(`2026-03-02${hour}:00:00+00:00`, { interval: 'hour' }));
  const days = makeDays({ '2026-03-02': 5 });
  const [run] = findExcludedRuns(hours, days, EXCLUSIONS);
  assert.match(run?.text ?? '', /: 5 visits excluded/);
  assert.deepEqual(
    withExcluded(hours, days).map(({ excluded }) => excluded),
    [undefined, undefined, undefined],
  );
});
