import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderToString } from 'preact-render-to-string';
import { dayShort, number } from '../../../src/dashboard/core/format.ts';
import { Sparkline } from '../../../src/dashboard/sites/sparkline.tsx';

const drawn = (...visitors: number[]): string => {
  const points = visitors.map((count, i) => ({ date: `2026-03-0${i + 1}`, visitors: count, pageviews: count }));
  return renderToString(<Sparkline points={points} />);
};

test('the line goes from edge to edge, and the day with the most visitors is at its top', () => {
  assert.match(drawn(0, 17, 34, 0), /<polyline points="0\.0,35\.0 40\.0,18\.0 80\.0,1\.0"/);
});

test('today, which is not over, is no part of the line and its area, so that they do not fall', () => {
  const html = drawn(34, 34, 0);
  assert.match(html, /<polygon points="0,36 0\.0,1\.0 60\.0,1\.0 60\.0,36"/);
  assert.match(html, /class="sparkline-today" points="60\.0,1\.0 120\.0,35\.0"/);
});

test('the line says in words what it shows', () => {
  const words = `Visitors per day over 30 days. Highest: ${number(1234)} on ${dayShort('2026-03-02')}. Today so far: 5`;
  assert.ok(drawn(3, 1234, 5).includes(`role="img" aria-label="${words}"`));
  assert.match(drawn(0, 0, 0), /aria-label="No visitors on the days before today. Visitors today so far: 0"/);
});
