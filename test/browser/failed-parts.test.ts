import assert from 'node:assert/strict';
import { test } from 'node:test';
import { append, pageview, TODAY } from '../collect/stage.ts';
import { look, serving, show } from './browser.ts';

test('a file that cannot be fetched reloads the page once, and then is said to be missing', async (t) => {
  const stage = await serving(t);
  const { signIn, owner } = stage;
  await look(stage, { '/': 3 });
  const page = await signIn(owner);
  let loads = 0;
  page.on('domcontentloaded', () => loads++);
  await page.route(/assets\/later-/, (route) => route.fulfill({ status: 404 }));
  await page.goto('/sites/example.com');
  const failed = page.getByRole('alert').filter({ hasText: 'This part could not be displayed.' });
  await failed.waitFor();
  assert.equal(loads, 2);
  // Nothing else is missing: the panels of the first view are there, and the chart without its marks.
  assert.equal(await page.getByRole('alert').count(), 1);
  await page.getByRole('region', { name: 'Pages' }).getByRole('button', { name: '/', exact: true }).waitFor();

  await page.unroute(/assets\/later-/);
  await failed.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { name: 'Goals' }).waitFor();
});

test('a panel whose answer is of another form says that it failed, and the others stay', async (t) => {
  const stage = await serving(t);
  const { signIn, owner } = stage;
  await look(stage, { '/': 3 }, { referrer: 'https://search.example/' });
  const page = await signIn(owner);
  await page.route(/stats\/breakdown\/pages/, (route) => route.fulfill({ json: { data: {} } }));
  await page.goto('/sites/example.com');
  const pages = page.getByRole('region', { name: 'Pages' });
  await pages.getByRole('alert').getByText('This part could not be displayed.').waitFor();
  const sources = page.getByRole('region', { name: 'Sources' });
  await sources.getByText('search.example').waitFor();
  await sources.getByText('100.0%').waitFor();

  await page.unroute(/stats\/breakdown\/pages/);
  await pages.getByRole('button', { name: 'Try again' }).click();
  await pages.getByRole('button', { name: '/', exact: true }).waitFor();
});

const UNAVAILABLE = { status: 502, contentType: 'text/html', body: '<h1>502 Bad Gateway</h1>' };

test('figures of other days stand in for none that could not be answered, nor does a rate or a share of them', async (t) => {
  const { signIn, owner, db, siteId } = await serving(t);
  const goal = await owner.ask('POST', '/sites/example.com/goals', { type: 'page', value: '/order' });
  await owner.ask('PATCH', '/sites/example.com', { main_goal_id: goal.body.data.id });
  const hits = (day: number, count: number, page: string) =>
    Array.from({ length: count }, (_, visitor) => pageview({ siteId, day, visitor, page }));
  await append(db, [...hits(TODAY - 1, 6, '/order'), ...hits(TODAY, 3, '/')]);
  const page = await signIn(owner, '/sites/example.com?range=2026-03-08~2026-03-09&show=conversion_rate');
  const card = page.getByRole('button', { name: /^Conversion rate \/order/ });
  await card.getByText('100.0%').waitFor();

  await page.route(/overview.*goal/, (route) => route.fulfill(UNAVAILABLE));
  await show(page, '?range=today');
  await page.getByRole('button', { name: /^Visitors 3/ }).waitFor();
  await card.waitFor({ state: 'detached' });

  await page.unroute(/overview.*goal/);
  await page.route(/stats\/overview/, (route) => route.fulfill(UNAVAILABLE));
  await show(page, '?range=2026-03-08~2026-03-09');
  const pages = page.getByRole('region', { name: 'Pages' });
  await pages.getByRole('button', { name: '/order', exact: true }).waitFor();
  assert.equal(await pages.getByText('200.0%').count(), 0);
});
