import '../../browser-globals.ts';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { dayAfter } from '../../../../src/dashboard/dates/days.ts';
import { Plot } from '../../../../src/dashboard/report/chart/plot.tsx';
import type { Point } from '../../../../src/dashboard/report/model/points.ts';
import { renderIn, SCOPE, textIn } from '../../components.tsx';
import { point } from './points.ts';

const render = (points: Point[], onlyDay?: string): string =>
  renderIn(
    SCOPE,
    <Plot
      points={points}
      figure="visitors"
      onlyDay={onlyDay}
      name="Visitors per day"
      onOpen={() => {}}
      onSelect={() => {}}
    >
      {(place) => <i>{place(1)}</i>}
    </Plot>,
  );

const STYLE = readFileSync(new URL('../../../../src/dashboard/report/chart/plot.css', import.meta.url), 'utf8');
/** What the stylesheet says of a class. */
const ruleOf = (name: string): string => new RegExp(`^\\.${name} \\{\\n([\\s\\S]*?)^\\}`, 'm').exec(STYLE)?.[1] ?? '';

/** The shapes of a line, by its classes. */
const pathOf = (html: string, name: string): string | undefined =>
  new RegExp(`<path class="${name}" d="([^"]*)"`).exec(html)?.[1];

const days = (count: number, change: (i: number) => Partial<Point> = () => ({})): Point[] =>
  Array.from({ length: count }, (_, i) => point(dayAfter('2026-01-01', i), change(i)));

test('the plot draws one path for each line, of 2 as of 730 days', () => {
  const [few, many] = [render(days(2)), render(days(730))];
  assert.equal(few.split('<path').length, many.split('<path').length);
  assert.equal(pathOf(few, 'plot-now'), 'M0,0L100,0');
});

test('the plot has round counts from the top down to zero, each on a line', () => {
  const html = render(days(3, (i) => ({ value: 40 * i })));
  const counts = /class="plot-counts"[^>]*>(.*?)<\/div>/.exec(html)?.[1] ?? '';
  assert.equal(textIn(counts), '80 60 40 20 0');
  assert.deepEqual(
    [...html.matchAll(/<line class="plot-grid" x2="100%" y1="([\d.]+%)"/g)].map(([, y]) => y),
    ['100%', '75%', '50%', '25%', '0%'],
  );
  assert.equal(pathOf(html, 'plot-now'), 'M0,100L50,50L100,0');
});

test('the counts stand beside the lines of the plot, and not on them', () => {
  const html = render(days(3));
  const [counts, body] = ['class="plot-counts"', 'class="plot-body"'].map((name) => html.indexOf(name));
  assert.ok(counts !== undefined && body !== undefined && counts > 0);
  // The list of the counts ends where the column of the lines begins.
  assert.match(html.slice(counts, body), /<\/div><div $/);
  assert.match(ruleOf('plot'), /grid-template: [^/]+\/ auto minmax\(0, 1fr\);/);
  assert.doesNotMatch(ruleOf('plot-counts'), /position:/);
});

test('the line of the comparison is fainter than the line of the chosen period', () => {
  const value = (name: string, property: string) =>
    Number(new RegExp(`^  ${property}: ([\\d.]+);`, 'm').exec(ruleOf(name))?.[1]);
  assert.ok(value('plot-before', 'stroke-width') < value('plot-now', 'stroke-width'));
  assert.ok(value('plot-before', 'opacity') < 1);
  assert.match(ruleOf('plot-before'), /^ {2}stroke-dasharray: /m);
});

test('the plot has a gap where nothing is known, and a dot for a day alone between two gaps', () => {
  const values = [5, null, 5, null, 10, 10];
  const html = render(days(6, (i) => ({ value: values[i] ?? null })));
  assert.equal(pathOf(html, 'plot-now'), 'M0,50ZM40,50ZM80,0L100,0');
});

test('the plot dashes a day that has not ended, and the line to it', () => {
  const html = render(days(3, (i) => ({ isUnfinished: i === 2, previous: { ...point('2025-12-01'), value: 4 } })));
  assert.equal(pathOf(html, 'plot-now'), 'M0,0L50,0');
  assert.equal(pathOf(html, 'plot-now is-part'), 'M50,0L100,0');
  assert.equal(pathOf(html, 'plot-before'), 'M0,20L50,20L100,20');
});

test('the plot hatches days with missing hits together, and marks the only day and days with notes', () => {
  const note = {
    id: 1,
    date: '2026-01-01',
    text: 'Release',
    url: null,
    effect: false,
    created_at: '2026-01-01T00:00:00Z',
  };
  const points = days(11, (i) => ({ isIncomplete: i === 3 || i === 4, notes: i === 0 ? [note] : [] }));
  const html = render(points, '2026-01-11');
  const columns = (name: string) =>
    [...html.matchAll(new RegExp(`<rect class="${name}" x="([\\d.]+)%" width="([\\d.]+)%"`, 'g'))].map(
      ([, x, width]) => [Math.round(Number(x)), Math.round(Number(width))],
    );
  assert.deepEqual(columns('plot-hatched'), [[25, 20]]);
  assert.deepEqual(columns('plot-only'), [[95, 5]]);
  assert.match(html, /<svg class="plot-note" x="0%" y="100%"/);
});

test('the plot says its latest point to screen readers, and hides the drawing from them', () => {
  const html = render(days(2, (i) => ({ value: i, excluded: i * 3 })));
  assert.match(html, /role="slider"[^>]*aria-valuetext="[^"]*: 1 visitor; 3 visits excluded"/);
  assert.match(html, /<svg class="plot-drawing" aria-hidden="true"/);
  assert.match(html, /<i>100<\/i>/);
});

test('a plot of one point has it in the middle, and a plot of none is empty', () => {
  assert.equal(pathOf(render(days(1)), 'plot-now'), 'M50,0Z');
  assert.doesNotMatch(render([]), /d="M[^0]|NaN/);
});

test('a narrow plot leaves out the date at its right edge, which would touch its neighbour', () => {
  const html = render(days(33));
  const list = (name: string) => textIn(new RegExp(`<div class="${name}">(.*?)</div>`).exec(html)?.[1] ?? '');
  assert.equal(list('is-narrow'), 'Jan 5 Jan 12 Jan 19 Jan 26');
  assert.equal(list('is-middle'), 'Jan 5 Jan 12 Jan 19 Jan 26 Feb 2');
});
