import assert from 'node:assert/strict';
import { test } from 'node:test';
import { append, pageview, TODAY } from '../collect/stage.ts';
import { faults } from './axe.ts';
import { assertFits, drawn, searchIs, serving } from './browser.ts';

const COUNTRIES = ['DE', 'FR', 'US'];

/** 61 days with 30 visits each. In the last 31 days, ten more each day come from Germany with a phone. */
async function grown(t: Parameters<typeof serving>[0]) {
  const stage = await serving(t);
  const { db, siteId } = stage;
  const visit = (day: number, visitor: number, country: string, device: string) =>
    pageview({ siteId, day, visitor, country, device, page: visitor % 7 ? '/' : '/thanks', second: 600 * visitor });
  const days = Array.from({ length: 61 }, (_, ago) => {
    const usual = Array.from({ length: 30 }, (_, i) =>
      visit(TODAY - ago, i, COUNTRIES[i % 3] ?? '', i % 2 ? 'Mobile' : 'Desktop'),
    );
    const more = Array.from({ length: ago < 31 ? 10 : 0 }, (_, i) => visit(TODAY - ago, 40 + i, 'DE', 'Mobile'));
    return [...usual, ...more];
  });
  await append(db, days.flat());
  return stage;
}

const RANGE = '/sites/example.com?range=2026-02-08~2026-03-09';

test('why: the change of a figure has its reasons, and a click on one filters the report', async (t) => {
  const { signIn, viewer } = await grown(t);
  const page = await signIn(viewer, RANGE);
  await page.getByRole('button', { name: 'Why did the visitors change?' }).click();
  const dialog = page.getByRole('dialog', { name: 'Why did the visitors change?' });
  await dialog.getByText('Most of the difference comes from:').waitFor();
  const reason = dialog.getByRole('button', { name: /Country is Germany, Device is Mobile/ });
  await reason.getByText('100.0% of the difference').waitFor();
  assert.deepEqual(await faults(page, { within: 'dialog' }), []);
  await assertFits(page, [320, 1_440]);
  await page.keyboard.press('Escape');
  // A closed dialog has no role. It leaves the page some milliseconds later, and an Enter before that opens nothing.
  await page.locator('dialog').waitFor({ state: 'detached' });
  assert.equal(await page.evaluate('document.activeElement.textContent'), 'Why?');
  await page.keyboard.press('Enter');
  await reason.waitFor();
  await reason.focus();
  await page.keyboard.press('Enter');
  await searchIs(page, /country=DE.*device=Mobile/);
  await dialog.waitFor({ state: 'detached' });
});

test('why: visits and pageviews are explained too', async (t) => {
  const { signIn, viewer } = await grown(t);
  const page = await signIn(viewer, RANGE);
  for (const figure of ['visits', 'pageviews']) {
    await page.getByRole('button', { name: `Why did the ${figure} change?` }).click();
    const dialog = page.getByRole('dialog', { name: `Why did the ${figure} change?` });
    await dialog.getByRole('button', { name: /Country is Germany, Device is Mobile/ }).waitFor();
    await page.keyboard.press('Escape');
    await page.locator('dialog').waitFor({ state: 'detached' });
  }
  await assertFits(page, [320, 1_440]);
});

test('why: a row is explained for the days that its change compares, in a panel and in the details', async (t) => {
  const { signIn, viewer } = await grown(t);
  const page = await signIn(viewer, '/sites/example.com?range=30d');
  const rows = page.locator('.rows-line', { hasText: 'Germany' });
  const change = page.getByRole('button', { name: /^Up .* from 290 .*Why\?$/ });
  // Today is not over, so 29 days are compared. The German visitors of 29 days are 290, and 290 more came with phones.
  await rows.locator(change).click();
  const dialog = page.getByRole('dialog', { name: 'Why did the visitors change?' });
  await dialog.getByText('Country is Germany', { exact: true }).waitFor();
  await dialog.getByText('290 → 580 (+290)').waitFor();
  await dialog.getByText(/10 Jan\s–\s7 Feb 2026 → 9 Feb\s–\s9 Mar 2026/).waitFor();
  await searchIs(page, /why=visitors&row=country=DE/);
  assert.deepEqual(await faults(page, { within: 'dialog' }), []);
  await assertFits(page, [320, 1_440]);
  await page.goBack();
  await page.locator('dialog').waitFor({ state: 'detached' });
  await rows.getByRole('button', { name: 'Germany', exact: true }).focus();
  await page.keyboard.press('e');
  await dialog.waitFor();
  await page.keyboard.press('Escape');
  await page.locator('dialog').waitFor({ state: 'detached' });
  assert.equal(await page.evaluate('document.activeElement.textContent'), 'Germany');
  await page.getByRole('button', { name: 'Details of Places' }).click();
  await page
    .getByRole('dialog')
    .getByRole('row', { name: /Germany/ })
    .locator(change)
    .click();
  await dialog.getByRole('button', { name: /Device is Mobile/ }).click();
  await searchIs(page, /^\?country=DE&device=Mobile$/);
  await page.locator('dialog').waitFor({ state: 'detached' });
});

test('why: on the page Explore, each sum of a row is explained, if filters select what it counts', async (t) => {
  const { signIn, owner } = await grown(t);
  await owner.ask('POST', '/sites/example.com/goals', { type: 'page', value: '/thanks' });
  const of = (by: string, metrics: string) => `${RANGE}&explore=1&by=${by}&metrics=${metrics}`;
  const page = await signIn(owner, of('country,device', 'visitors,visits,pageviews,bounce_rate,conversions'));
  const row = page.getByRole('row').filter({ hasText: 'Germany' }).filter({ hasText: 'Mobile' });
  const whys = row.getByRole('button', { name: /Why\?$/ });
  await whys.nth(3).waitFor();
  assert.equal(await whys.count(), 4);
  const previous = async (why: ReturnType<typeof whys.nth>) =>
    / from ([\d,]+) /.exec((await why.textContent()) ?? '')?.[1];
  for (const [i, figure] of ['visitors', 'visits', 'pageviews', 'conversions'].entries()) {
    const before = await previous(whys.nth(i));
    await whys.nth(i).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: `Why did the ${figure} change?` });
    await dialog.getByText('Country is Germany, Device is Mobile', { exact: true }).waitFor();
    await dialog.getByText(new RegExp(`^${before} → [\\d,]+ \\(\\+`)).waitFor();
    await page.keyboard.press('Escape');
    await page.locator('dialog').waitFor({ state: 'detached' });
  }
  await assertFits(page, [320, 1_440]);
  for (const [place, count] of [
    [of('page', 'visitors,pageviews'), 2],
    [`${of('country', 'visitors')}&any=device=Mobile%7Cdevice=Desktop`, 0],
  ] as const) {
    await page.goto(place);
    await page.locator('.explore-trend').first().waitFor();
    assert.equal(
      await page
        .locator('.explore-table')
        .getByRole('button', { name: /Why\?$/ })
        .count(),
      count,
      place,
    );
  }
});

test('why: a card and a row of a site lead to the explanation of the site', async (t) => {
  const { signIn, viewer } = await grown(t);
  const page = await signIn(viewer, '/');
  await page.getByRole('link', { name: 'example.com: Why did the visitors change?' }).click();
  const dialog = page.getByRole('dialog', { name: 'Why did the visitors change?' });
  await dialog.getByRole('button', { name: /Country is Germany, Device is Mobile/ }).waitFor();
  await page.goto('/all-sites?range=30d&country=DE');
  await page
    .locator('.rows-line', { hasText: 'example.com' })
    .getByRole('link', { name: /Up .* from 290 / })
    .click();
  await dialog.getByText('290 → 580 (+290)').waitFor();
  await searchIs(page, /^\?range=2026-02-09~2026-03-09&compare=2026-01-10~2026-02-07&why=visitors&country=DE$/);
});

test('why: a host name and a property of hits are a group, and a click filters by both', async (t) => {
  const { signIn, viewer, db, siteId } = await serving(t);
  const visit = (day: number, visitor: number, hostname: string, plan: string) =>
    pageview({
      ...{ siteId, day, visitor, hostname, country: COUNTRIES[visitor % 3] ?? '', second: 600 * visitor },
      properties: JSON.stringify({ plan }),
    });
  const days = Array.from({ length: 61 }, (_, ago) =>
    Array.from({ length: ago < 31 ? 50 : 40 }, (_, i) =>
      visit(
        TODAY - ago,
        i,
        i % 2 || i >= 40 ? 'shop.example.com' : 'example.com',
        i % 4 > 1 || i >= 40 ? 'pro' : 'free',
      ),
    ),
  );
  await append(db, days.flat());
  const page = await signIn(viewer, RANGE);
  await page.getByRole('button', { name: 'Why did the visitors change?' }).click();
  const dialog = page.getByRole('dialog', { name: 'Why did the visitors change?' });
  const reason = dialog.getByRole('button', { name: /Host name is shop\.example\.com, Property plan is pro/ });
  await reason.getByText('100.0% of the difference').waitFor();
  await reason.click();
  await searchIs(page, /hostname=shop\.example\.com.*property:plan=pro/);
  await page.getByRole('button', { name: /^Visitors 600 / }).waitFor();
});

test('why: the conversion rate explains conversions, and nothing is explained without a comparison or by a share link', async (t) => {
  const { signIn, owner, share, siteId } = await grown(t);
  const goal = await owner.ask('POST', '/sites/example.com/goals', { type: 'page', value: '/thanks' });
  await owner.ask('PATCH', '/sites/example.com', { main_goal_id: goal.body.data.id });
  const page = await signIn(owner, RANGE);
  await page.getByRole('button', { name: 'Why did the conversions change?' }).click();
  await page.getByRole('dialog', { name: 'Why did the conversions change?' }).getByText('150 → 210 (+60)').waitFor();
  const without = async (place: string) => {
    await page.goto(place);
    await drawn(page);
    assert.equal(await page.getByRole('button', { name: /^Why did/ }).count(), 0, place);
  };
  await without(`${RANGE}&compare=off`);
  await without(`/share/${await share(owner, siteId)}`);
});
