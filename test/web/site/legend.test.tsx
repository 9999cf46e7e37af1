import '../browser-globals.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderToString } from 'preact-render-to-string';
import { spanText } from '../../../src/web/format.ts';
import { comparedSpan, compareQuery } from '../../../src/web/site/comparison.ts';
import { intervalOf } from '../../../src/web/site/intervals.ts';
import { Legend } from '../../../src/web/site/legend.tsx';
import type { Span } from '../../../src/web/site/range.ts';
import { textIn, VIEW } from '../components.tsx';

const TODAY = '2026-03-10';

const html = (range: string, more: Record<string, string> = {}): string =>
  renderToString(<Legend domain="example.com" view={{ ...VIEW, range, more }} today={TODAY} />);
const choices = (range: string): string => /Points of the chart (.*) Compare with/.exec(textIn(html(range)))?.[1] ?? '';
const chosen = (text: string): string[] =>
  [...text.matchAll(/<option selected value(?:="(\w*)")?/g)].map(([, value = '']) => value);

test('the points that can be chosen are those that the range allows', () => {
  assert.equal(choices('today'), 'Hours Days');
  assert.equal(choices('7d'), 'Hours Days');
  assert.equal(choices('30d'), 'Hours Days Weeks');
  assert.equal(choices('2026-01-01~2026-01-31'), 'Hours Days Weeks');
  assert.equal(choices('2026-01-01~2026-02-01'), 'Days Weeks Months');
  assert.equal(choices('12m'), 'Days Weeks Months');
  assert.equal(textIn(html('never')), 'Table');
});

test('days are shown of up to 90 days and months of more, unless others are chosen and the range allows them', () => {
  assert.deepEqual(chosen(html('30d')), ['day', '']);
  assert.deepEqual(chosen(html('12m')), ['month', '']);
  assert.deepEqual(chosen(html('12m', { interval: 'week' })), ['week', '']);
  assert.deepEqual(chosen(html('12m', { interval: 'hour' })), ['month', '']);
  assert.deepEqual(chosen(html('30d', { interval: 'year' })), ['day', '']);
  const days = (count: number): Span => ({
    from: '2026-01-01',
    to: new Date(Date.UTC(2026, 0, count)).toISOString().slice(0, 10),
  });
  assert.deepEqual([intervalOf(VIEW, days(90)), intervalOf(VIEW, days(91))], ['day', 'month']);
});

test('what it is compared with is the days before, a year before, or nothing', () => {
  const before = textIn(spanText({ from: '2026-02-25', to: '2026-03-03' }));
  const year = textIn(spanText({ from: '2025-03-04', to: '2025-03-10' }));
  assert.match(textIn(html('7d')), new RegExp(`Before: ${before} A year before: ${year} No comparison Table$`));
  assert.deepEqual(chosen(html('7d', { compare: 'off' })), ['day', 'off']);
  assert.match(html('7d'), /legend-previous/);
  assert.doesNotMatch(html('7d', { compare: 'off' }), /legend-previous/);
  const asked = (compare: string) => compareQuery({ ...VIEW, more: { compare } }).compare;
  assert.deepEqual(['', 'year', 'off', 'constructor'].map(asked), ['previous', 'year', 'none', 'previous']);
  const leap = { from: '2024-02-29', to: '2024-03-01' };
  assert.deepEqual(comparedSpan({ ...VIEW, more: { compare: 'year' } }, leap), {
    from: '2023-02-28',
    to: '2023-03-01',
  });
});
