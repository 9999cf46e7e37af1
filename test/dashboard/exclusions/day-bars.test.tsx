import '../browser-globals.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderToString } from 'preact-render-to-string';
import { dayShort } from '../../../src/dashboard/core/format.ts';
import { DayBars } from '../../../src/dashboard/exclusions/day-bars.tsx';
import { textIn } from '../components.tsx';

const html = (days: { date: string; visits: number }[], to: string): string =>
  renderToString(<DayBars days={days} span={{ from: '2026-03-01', to }} />);

test('day bars: each day of the span has its place, from edge to edge, also those without visits', () => {
  const shown = html([{ date: '2026-03-02', visits: 4 }], '2026-03-10');
  const bars = [...shown.matchAll(/<rect x="([\d.]+)" y="[\d.]+" width="([\d.]+)" height="([\d.]+)"/g)].map((bar) =>
    bar.slice(1).map(Number),
  );
  assert.equal(bars.length, 10);
  const step = 600 / 10;
  for (const [i, [x = 0, width = 0]] of bars.entries()) assert.ok(x >= i * step && x + width <= (i + 1) * step, `${i}`);
  assert.deepEqual(
    bars.map(([, , height]) => height),
    [0, 95, 0, 0, 0, 0, 0, 0, 0, 0],
  );
  const [first, last] = ['2026-03-01', '2026-03-10'].map(dayShort);
  assert.ok(textIn(shown).endsWith(textIn(`${first} ${last}`)), textIn(shown));
});

test('day bars: of a long span only days with visits have a bar', () => {
  const shown = html([{ date: '2026-03-02', visits: 4 }], '2027-06-01');
  assert.equal(shown.match(/<rect /g)?.length, 1);
});
