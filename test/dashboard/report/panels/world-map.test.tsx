import '../../browser-globals.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderToString } from 'preact-render-to-string';
import { country } from '../../../../src/dashboard/core/format.ts';
import { largestPart } from '../../../../src/dashboard/report/panels/map-shapes.ts';
import world from '../../../../src/dashboard/report/panels/world.json' with { type: 'json' };
import { WorldMap } from '../../../../src/dashboard/report/panels/world-map.tsx';
import { textIn } from '../../components.tsx';

const ROWS = [
  { value: 'DE', visitors: 90 },
  { value: 'FR', visitors: 1 },
  { value: '', visitors: 5 },
];

const html = (rows: typeof ROWS): string =>
  renderToString(<WorldMap rows={rows} selectionOf={(code) => ({ isSelected: code === 'FR', onSelect() {} })} />);

test('countries with visitors can be read, reached and selected; the others are shapes only', () => {
  const buttons = [...html(ROWS).matchAll(/<path [^>]*role="button"[^>]*>/g)].map(([path]) => path);
  const labels = buttons.map((path) => /aria-label="([^"]*)"/.exec(path)?.[1]);
  assert.deepEqual(labels.toSorted(), [`${country('DE')}: 90 visitors`, `${country('FR')}: 1 visitor`].toSorted());
  const germany = buttons.find((path) => path.includes('data-code="DE"')) ?? '';
  const france = buttons.find((path) => path.includes('data-code="FR"')) ?? '';
  assert.match(germany, /is-5".*aria-pressed="false" tabindex="0"/i);
  assert.match(france, /is-1".*aria-pressed="true" tabindex="-1"/i);
});

test('no country is cut by an edge of the map', () => {
  const [left = 0, top = 0, width = 0, height = 0] =
    /viewBox="([^"]*)"/.exec(html(ROWS))?.[1]?.split(' ').map(Number) ?? [];
  assert.ok(width > 0 && height > 0);
  for (const [code, path] of Object.entries(world)) {
    for (const part of path.split('M').slice(1)) {
      const box = largestPart(`M${part}`);
      const isWhole =
        box.left >= left &&
        box.left + box.width <= left + width &&
        box.top > top &&
        box.top + box.height < top + height;
      assert.ok(isWhole, `${code}: ${JSON.stringify(box)}`);
    }
  }
});

test('the legend says from which number on each shade counts', () => {
  assert.match(textIn(html(ROWS)), /^IP Geolocation by DB-IP 1\+ 2\+ 6\+ 10\+ 40\+$/);
  assert.equal(textIn(html([])), 'IP Geolocation by DB-IP');
});
