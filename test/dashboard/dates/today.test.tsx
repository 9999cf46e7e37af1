import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderToString } from 'preact-render-to-string';
import { Clock } from '../../../src/dashboard/core/clock.ts';
import { todayIn, useToday } from '../../../src/dashboard/dates/today.ts';

test('today is the date in a zone', () => {
  const now = Date.parse('2026-03-09T23:30:00Z');
  assert.equal(todayIn('UTC', now), '2026-03-09');
  assert.equal(todayIn('Europe/Berlin', now), '2026-03-10');
  assert.equal(todayIn('Etc/GMT+12', now), '2026-03-09');
});

test('today comes from the clock that the page provides', () => {
  const Today = () => <>{useToday('Europe/Berlin')}</>;
  const now = () => Date.parse('2031-12-31T23:30:00Z');
  const html = renderToString(
    <Clock.Provider value={now}>
      <Today />
    </Clock.Provider>,
  );
  assert.equal(html, '2032-01-01');
});
