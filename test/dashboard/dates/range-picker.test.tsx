import '../browser-globals.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderToString } from 'preact-render-to-string';
import { spanText } from '../../../src/dashboard/core/format.ts';
import { RangePicker } from '../../../src/dashboard/dates/range-picker.tsx';
import { textIn } from '../components.tsx';

const html = (range: string): string => renderToString(<RangePicker range={range} today="2026-03-10" />);

test('the period of the page is pressed, and its days stand beside it', () => {
  assert.match(html('7d'), /aria-pressed="true"[^>]*>7 days</);
  assert.equal(html('7d').match(/aria-pressed="true"/g)?.length, 1);
  assert.ok(textIn(html('7d')).includes(textIn(spanText({ from: '2026-03-04', to: '2026-03-10' }))));
});

test('days without a name are no period, and what is no range is shown as it was typed', () => {
  assert.doesNotMatch(html('2026-01-01~2026-01-09'), /aria-pressed="true"/);
  assert.ok(textIn(html('2026-01-01~2026-01-09')).includes(textIn(spanText({ from: '2026-01-01', to: '2026-01-09' }))));
  assert.ok(textIn(html('nonsense')).includes('nonsense'));
});

test('there is no period after one that ends today, and neither before nor after what is no range', () => {
  const isOff = (range: string, label: string) =>
    new RegExp(`aria-label="${label}"[^>]*aria-disabled="(\\w+)"`).exec(html(range))?.[1];
  assert.deepEqual([isOff('7d', 'Previous period'), isOff('7d', 'Next period')], ['false', 'true']);
  assert.equal(isOff('2026-01-01~2026-01-09', 'Next period'), 'false');
  assert.deepEqual([isOff('x', 'Previous period'), isOff('x', 'Next period')], ['true', 'true']);
});
