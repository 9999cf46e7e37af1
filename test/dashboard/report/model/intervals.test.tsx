import '../../browser-globals.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { View } from '../../../../src/dashboard/core/view.ts';
import { intervalOf, intervalsFor, whyNot } from '../../../../src/dashboard/report/model/intervals.ts';
import { VIEW } from '../../components.tsx';

const DAY = { from: '2026-03-10', to: '2026-03-10' };
const WEEK = { from: '2026-03-04', to: '2026-03-10' };

test('one day is shown by its hours, unless the figure is one of whole visits, of which hours have none', () => {
  const view = (show: View['show'], interval: View['interval'] = '') => ({ ...VIEW, show, interval });
  assert.equal(intervalOf(view('visitors'), DAY), 'hour');
  assert.equal(intervalOf(view('pageviews'), DAY), 'hour');
  assert.equal(intervalOf(view('bounce_rate'), DAY), 'day');
  assert.equal(intervalOf(view('visits', 'hour'), WEEK), 'day');
  assert.deepEqual(intervalsFor(view('visitors'), WEEK), ['hour', 'day']);
  assert.deepEqual(intervalsFor(view('visit_duration'), WEEK), ['day']);
  assert.deepEqual(intervalsFor(view('visitors'), WEEK, false), ['day']);
});

test('intervals: revenue has no hours, and the reason says so', () => {
  const view = { ...VIEW, show: 'revenue' } as const;
  assert.equal(intervalOf(view, DAY), 'day');
  assert.equal(whyNot('hour', view, WEEK), 'Revenue is not available by hour.');
  assert.deepEqual(intervalsFor(view, WEEK, false), ['day']);
});
