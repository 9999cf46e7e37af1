import '../../browser-globals.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { day, hour, spanText } from '../../../../src/dashboard/core/format.ts';
import { ChartTooltip } from '../../../../src/dashboard/report/chart/chart-tooltip.tsx';
import { PointTable } from '../../../../src/dashboard/report/chart/point-table.tsx';
import { KINDS } from '../../../../src/dashboard/report/model/intervals.ts';
import type { Point } from '../../../../src/dashboard/report/model/points.ts';
import { renderIn, SCOPE, textIn } from '../../components.tsx';
import { point } from './points.ts';

const note = (id: number) => ({
  id,
  date: '2026-03-09',
  text: `Note ${id}`,
  url: null,
  effect: false,
  created_at: '2026-03-09T00:00:00Z',
});
const before = (date: string) => ({
  date,
  value: 3,
  span: KINDS.day.daysOf(date),
  isPartial: false,
  leftOut: 'none' as const,
});

const POINTS = [
  point('2026-03-09', { previous: before('2026-03-06'), notes: [1, 2, 3, 4].map(note) }),
  point('2026-03-10', { value: 7, isUnfinished: true }),
  point('2026-03-11', { value: null }),
];

test('the table has the latest day first, with what it is compared with and its notes', () => {
  const table = <PointTable points={POINTS} figure="pageviews" name="Pageviews per day" onOpen={() => {}} />;
  assert.equal(
    textIn(renderIn(SCOPE, table)),
    [
      'Day Pageviews Comparison period',
      `${day('2026-03-11')} – –`,
      `${day('2026-03-10')} so far 7 –`,
      `${day('2026-03-09')} Note 1 Note 2 Note 3 Note 4 5 3`,
    ].join(' '),
  );
});

test('hours have their time, and weeks their days', () => {
  const name = 'Visitors';
  const hours = ['2026-10-25T02:00:00+02:00', '2026-10-25T03:00:00+01:00'].map((date) =>
    point(date, { interval: 'hour', previous: before(date.replace('25T', '24T')) }),
  );
  const table = renderIn(SCOPE, <PointTable points={hours} figure="visitors" name={name} onOpen={() => {}} />);
  const [two, three] = hours.map(({ date }) => hour(date));
  assert.equal(textIn(table), `Hour Visitors Comparison period ${three} 5 3 ${two} 5 3`);
  assert.match(table, new RegExp(`title="${hour('2026-10-24T03:00:00+01:00')}"`));
  const week = point('2026-03-02', { interval: 'week' });
  const weeks = <PointTable points={[week]} figure="visitors" name={name} onOpen={() => {}} />;
  const days = textIn(spanText({ from: '2026-03-02', to: '2026-03-08' }));
  assert.equal(textIn(renderIn(SCOPE, weeks)), `Week Visitors ${days} 5`);
});

test('without a period before there is no column for it', () => {
  const table = <PointTable points={POINTS.slice(1)} figure="visitors" name="Visitors per day" onOpen={() => {}} />;
  assert.match(textIn(renderIn(SCOPE, table)), /^Day Visitors \w/);
  assert.doesNotMatch(textIn(renderIn(SCOPE, table)), /Before/);
});

const tooltip = (one: Point | undefined): string =>
  one ? renderIn(SCOPE, <ChartTooltip point={one} figure="visitors" left={20} isOnRight={false} />) : '';

test('the tooltip of a day has at most three notes, and says how many more there are', () => {
  assert.equal(
    textIn(tooltip(POINTS[0])),
    `${day('2026-03-09')} 5 visitors 3 ${day('2026-03-06')} Note 1 Note 2 Note 3 and 1 more Click to show the notes`,
  );
});

test('the tooltip of a day to come offers nothing to click, and that of a month its days', () => {
  assert.equal(textIn(tooltip(POINTS[2])), `${day('2026-03-11')} in the future`);
  assert.match(textIn(tooltip(point('2026-03', { interval: 'month' }))), /Click to show single days$/);
});

test('a day in which hits were missed says so in the table and under the pointer', () => {
  const missed = point('2026-03-09', { isIncomplete: true });
  const said = 'incomplete: some hits are missing';
  const table = <PointTable points={[missed]} figure="visitors" name="Visitors per day" onOpen={() => {}} />;
  assert.equal(textIn(renderIn(SCOPE, table)), `Day Visitors ${day('2026-03-09')} ${said} 5`);
  const tooltip = <ChartTooltip point={missed} figure="visitors" left={10} isOnRight={false} />;
  assert.ok(textIn(renderIn(SCOPE, tooltip)).includes(said));
});

test('a point without a value says why, and never stands as a zero', () => {
  const lost = point('2026-03-09', { value: null, leftOut: 'all', previous: { ...before('2026-03-06'), value: null } });
  assert.equal(
    textIn(tooltip(lost)),
    `${day('2026-03-09')} no value: only daily totals are stored – ${day('2026-03-06')}`,
  );
  const table = <PointTable points={[lost]} figure="visitors" name="Visitors per day" onOpen={() => {}} />;
  assert.match(renderIn(SCOPE, table), /<td class="number" title="no value: only daily totals are stored">–</);
  assert.match(
    textIn(tooltip(point('2026-03-09', { leftOut: 'some' }))),
    /5 visitors incomplete: only daily totals are stored for some days/,
  );
});

test('who may write is led to a note, and who may not is led nowhere', () => {
  const day = point('2026-03-09', {});
  const tooltip = (mayChange: boolean, one: Point) =>
    textIn(renderIn({ ...SCOPE, mayChange }, <ChartTooltip point={one} figure="visitors" left={20} isOnRight />));
  assert.match(tooltip(true, day), /5 visitors Click to add a note$/);
  assert.match(tooltip(false, day), /5 visitors$/);
  assert.match(tooltip(false, { ...day, notes: [note(1)] }), /Note 1 Click to show the notes$/);
});
