import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countChanges } from '../../src/jobs/changes.ts';
import { append, pageview, TODAY } from '../collect/stage.ts';
import { until } from '../support/program.ts';
import { assertFits, drawn, serving } from './browser.ts';

const NAME = /Past days have changed since you last looked/;

test('past changes: a line names figures that changed since the last look, and a click lists why, by whom and by how much', async (t) => {
  const app = await serving(t);
  const { owner, manager, db, siteId, signIn, clock, engine } = app;
  const hits = Array.from({ length: 40 }, (_, i) =>
    pageview({ siteId, visitor: i, day: TODAY - 1 - (i % 5), country: i % 4 === 0 ? 'SG' : 'DE', page: `/${i % 3}` }),
  );
  await append(db, hits);
  await app.seal();
  const count = () => countChanges({ db, queries: engine.queries, clock });
  await count();
  const page = await signIn(owner, '/sites/example.com?range=7d', { viewport: { width: 1280, height: 900 } });
  const line = page.getByText(NAME);
  const isKept = "localStorage.getItem('daybook-changes example.com') !== null";
  await until('the browser remembers the visit', () => page.evaluate(isKept) as Promise<boolean>);
  assert.equal(await line.count(), 0, 'nothing is new at the first visit');

  const filters = { country: { is: ['SG'] } };
  const body = { from: '2026-03-01', to: null, filters, note: 'Bots from one data centre' };
  const { status } = await manager.ask('POST', '/sites/example.com/exclusions', body);
  assert.equal(status, 201);
  await manager.ask('POST', '/sites/example.com/goals', { type: 'page', value: '/1' });
  await count();
  await page.reload();
  await line.waitFor();
  assert.match((await line.textContent()) ?? '', /Visitors −10, Visits −10, Pageviews −10\. What changed\?/);
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/line.png` });
  await page.getByRole('button', { name: 'What changed?' }).click();
  const list = page.getByRole('dialog', { name: 'Changes of past days' });
  const text = (await list.textContent()) ?? '';
  assert.match(text, /Visits were excluded: Bots from one data centre/);
  assert.match(text, /manager@example\.com/);
  assert.match(text, /5 days: Visitors 40 → 30, Visits 40 → 30, Pageviews 40 → 30/);
  assert.match(text, /A goal was added: \/1/);
  if (process.env.SHOTS) {
    await page.screenshot({ path: `${process.env.SHOTS}/list.png` });
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.setViewportSize({ width: 390, height: 844 });
    await page.screenshot({ path: `${process.env.SHOTS}/list-phone-dark.png` });
  }
  await assertFits(page, [320, 390]);
  const asked = page.waitForResponse(/\/changes\?/);
  await page.keyboard.press('Escape');
  await line.waitFor({ state: 'detached' });
  await asked;
  const again = page.waitForResponse(/\/changes\?/);
  await page.reload();
  await again;
  await drawn(page);
  assert.equal(await line.count(), 0, 'it was seen');
});
