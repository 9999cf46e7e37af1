import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Hit, pageview, TODAY } from '../collect/stage.ts';
import { naive } from './naive.ts';
import { labelled } from './random-zones.ts';
import type { Query } from './visits.ts';
import { UTC_ONLY, type Zones } from './zones.ts';

const NOON = TODAY * 86_400 + 43_200;
const NOTHING = { crawls: [], goals: [], funnels: [], crawlers: [] };

/** What the reference answers about some hits. */
function ask(hits: Hit[], path: string, query: Query, zones: Zones = UTC_ONLY) {
  // biome-ignore lint/suspicious/noExplicitAny: the cases look into parts of many shapes
  return naive({ ...NOTHING, hits, zones }, { path, query }, NOON) as any;
}

type Point = { date: string; visitors: number; pageviews: number };

const points = (...asked: Parameters<typeof ask>): [string, number, number][] =>
  ask(...asked).points.map(({ date, visitors, pageviews }: Point) => [date, visitors, pageviews]);

const at = (instant: string, more: Partial<Hit> = {}): Hit => {
  const second = Date.parse(instant) / 1000;
  const day = Math.floor(second / 86_400);
  return pageview({ day, second: second - day * 86_400, ...more });
};

test('a visitor counts in each hour with a hit, and hours without any are there', () => {
  const hits = ['00:00:00', '00:59:59', '02:00:00'].map((time) => at(`2026-03-10T${time}Z`));
  const [first, second, third, ...others] = points(
    [...hits, at('2026-03-10T02:30:00Z', { visitor: 9 })],
    'timeseries',
    {
      range: 'today',
      interval: 'hour',
    },
  );
  assert.deepEqual(
    [first, second, third],
    [
      ['2026-03-10T00:00:00+00:00', 1, 2],
      ['2026-03-10T01:00:00+00:00', 0, 0],
      ['2026-03-10T02:00:00+00:00', 2, 2],
    ],
  );
  assert.deepEqual(others.at(-1), ['2026-03-10T23:00:00+00:00', 0, 0]);
  assert.equal(others.length, 21);
});

test('an hour that comes twice is two points, and one that is left out is none', () => {
  const berlin = [{ from: Number.NEGATIVE_INFINITY, zone: 'Europe/Berlin' }];
  const hits = labelled([at('2025-10-26T00:30:00Z'), at('2025-10-26T01:30:00Z')], berlin);
  const autumn = points(hits, 'timeseries', { range: '2025-10-26~2025-10-26', interval: 'hour' }, berlin);
  assert.equal(autumn.length, 25);
  assert.deepEqual(autumn.slice(1, 5), [
    ['2025-10-26T01:00:00+02:00', 0, 0],
    ['2025-10-26T02:00:00+02:00', 1, 1],
    ['2025-10-26T02:00:00+01:00', 1, 1],
    ['2025-10-26T03:00:00+01:00', 0, 0],
  ]);
  const spring = points([], 'timeseries', { range: '2026-03-29~2026-03-29', interval: 'hour' }, berlin);
  assert.deepEqual(
    spring.slice(1, 3).map(([date]) => date),
    ['2026-03-29T01:00:00+01:00', '2026-03-29T03:00:00+02:00'],
  );
});

test('weeks are from Monday to Sunday, named by a Monday that may be before the range, and add up their days', () => {
  // 10 March 2026 is a Tuesday.
  const hits = [TODAY - 3, TODAY - 2, TODAY - 1, TODAY].map((day) => pageview({ day }));
  assert.deepEqual(points(hits, 'timeseries', { range: '2026-03-06~2026-03-10', interval: 'week' }), [
    ['2026-03-02', 2, 2],
    ['2026-03-09', 2, 2],
  ]);
  assert.deepEqual(points(hits, 'timeseries', { range: '2026-03-08~2026-03-08', interval: 'week' }), [
    ['2026-03-02', 1, 1],
  ]);
});

test('days and months are as long as they are asked for, whatever the length of the range', () => {
  assert.equal(points([], 'timeseries', { range: '2025-01-01~2025-12-31', interval: 'day' }).length, 365);
  assert.deepEqual(points([], 'timeseries', { range: '2026-02-28~2026-03-01', interval: 'month' }), [
    ['2026-02', 0, 0],
    ['2026-03', 0, 0],
  ]);
});

test('a range is compared with the days before, the same dates a year before, any days, or none', () => {
  const before = (range: string, compare: string): string[] => {
    const { previous } = ask([], 'overview', { range, compare });
    return [previous.from, previous.to].map((moment) => moment.slice(0, 10));
  };
  assert.deepEqual(before('7d', 'previous'), ['2026-02-25', '2026-03-03']);
  assert.deepEqual(before('7d', 'year'), ['2025-03-04', '2025-03-10']);
  assert.deepEqual(before('2024-02-29~2024-02-29', 'year'), ['2023-02-28', '2023-02-28']);
  assert.deepEqual(before('2025-02-28~2025-03-01', 'year'), ['2024-02-28', '2024-03-01']);
  assert.deepEqual(before('7d', '2026-01-01~2026-01-01'), ['2026-01-01', '2026-01-01']);
  const { visitors, previous, change } = ask([pageview()], 'overview', { range: 'today', compare: 'none' });
  assert.deepEqual([visitors, previous, change], [1, undefined, undefined]);
  const year = ask([pageview(), pageview({ day: TODAY - 365 })], 'overview', { range: 'today', compare: 'year' });
  assert.deepEqual([year.previous.visitors, year.change.visitors], [1, 0]);
});
