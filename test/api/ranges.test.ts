import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../support/helpers.ts';

/** The first and the last day of each word. The clock stands at noon of 10 March 2026. */
const DAYS: Record<string, [from: string, to: string]> = {
  today: ['2026-03-10', '2026-03-10'],
  yesterday: ['2026-03-09', '2026-03-09'],
  '7d': ['2026-03-04', '2026-03-10'],
  '30d': ['2026-02-09', '2026-03-10'],
  '12m': ['2025-04-01', '2026-03-10'],
  month: ['2026-03-01', '2026-03-10'],
  'last-month': ['2026-02-01', '2026-02-28'],
  year: ['2026-01-01', '2026-03-10'],
  'last-year': ['2025-01-01', '2025-12-31'],
  all: ['2024-03-11', '2026-03-10'],
};

test('ranges: a word means the days of the calendar on the day on which it is asked', async (t) => {
  const app = await startApp(t);
  for (const [word, [from, to]] of Object.entries(DAYS)) {
    const { status, body } = await app.owner.ask('GET', `/sites/${app.siteId}/stats/overview?range=${word}`);
    assert.equal(status, 200, word);
    assert.deepEqual([body.data.from, body.data.to], [`${from}T00:00:00Z`, `${to}T23:59:59Z`], word);
  }
});

test('ranges: a word follows the calendar of the site', async (t) => {
  const app = await startApp(t);
  const site = await app.owner.ask('POST', '/sites', { domain: 'island.example', time_zone: 'Pacific/Kiritimati' });
  const { body } = await app.owner.ask('GET', `/sites/${site.body.data.id}/stats/overview?range=yesterday`);
  assert.deepEqual([body.data.from, body.data.to], ['2026-03-09T10:00:00Z', '2026-03-10T09:59:59Z']);
});

test('ranges: another word is refused with all that there are', async (t) => {
  const app = await startApp(t);
  const { status, body } = await app.owner.ask('GET', `/sites/${app.siteId}/stats/overview?range=toString`);
  assert.equal(status, 422);
  for (const word of Object.keys(DAYS)) assert.ok(body.error.fields.range.includes(word), word);
});
