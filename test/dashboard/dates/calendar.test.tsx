import '../browser-globals.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderToString } from 'preact-render-to-string';
import { day } from '../../../src/dashboard/core/format.ts';
import { Calendar } from '../../../src/dashboard/dates/calendar.tsx';

const SPAN = { from: '2026-03-03', to: '2026-03-05' };

const html = (today: string): string => renderToString(<Calendar span={SPAN} today={today} onPick={() => {}} />);

const days = (text: string, pattern: RegExp): (string | undefined)[] =>
  (text.match(/<td[^>]*>.*?<\/td>/g) ?? [])
    .filter((cell) => pattern.test(cell))
    .map((cell) => />(\d+)</.exec(cell)?.[1]);

test('the calendar opens at the end of the range, whose days are selected', () => {
  const shown = html('2026-03-10');
  assert.ok(shown.includes(`aria-label="${day('2026-03')}"`));
  assert.deepEqual(days(shown, /aria-selected="true"/), ['3', '4', '5']);
  assert.deepEqual(days(shown, /class="is-first"/), ['3']);
  assert.deepEqual(days(shown, /class="is-last"/), ['5']);
  assert.deepEqual(days(shown, /tabindex="0"/i), ['5']);
});

test('days to come cannot be chosen, and neither can a month to come', () => {
  const shown = html('2026-03-10');
  assert.deepEqual(
    days(shown, /aria-disabled="true"/),
    Array.from({ length: 21 }, (_, i) => String(11 + i)),
  );
  assert.deepEqual(days(shown, /aria-current="date"/), ['10']);
  assert.match(shown, /aria-label="Next month" aria-disabled="true"/);
  assert.match(html('2026-04-01'), /aria-label="Next month" aria-disabled="false"/);
});
