import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { BROWSER } from '../collect/stage.ts';
import { look, searchIs, serving } from './browser.ts';

test('who gives the right password gets in, and who does not is told so and may try again', async (t) => {
  const { open, owner, origin } = await serving(t);
  const page = await open();
  await page.goto('/sites/example.com?range=7d');
  assert.equal(new URL(page.url()).pathname, '/sign-in');
  await page.getByLabel('E-mail').fill(owner.email);
  await page.getByLabel('Password').fill('something else');
  await page.getByRole('button', { name: 'Sign in' }).click();
  assert.match((await page.getByRole('alert').textContent()) ?? '', /Wrong e-mail or password/);
  assert.equal(await page.getByLabel('E-mail').inputValue(), owner.email);
  await page.getByLabel('Password').fill(`password of ${owner.email}`);
  await page.getByRole('button', { name: 'Sign in' }).click();
  // The page that was asked for at first.
  await page.waitForURL(`${origin}/sites/example.com?range=7d`);
  await page.getByRole('heading', { level: 1, name: 'example.com' }).waitFor();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.waitForURL(`${origin}/sign-in`);
  await page.goto('/');
  await page.waitForURL(`${origin}/sign-in`);
});

test('a first site is added, and the pasted snippet brings the first hit and the first figure', async (t) => {
  const stage = await serving(t, { flood: '20' });
  const { person, signIn, open, origin } = stage;
  const page = await signIn(await person('new@example.com'));
  await page.getByRole('heading', { name: 'Add your first site' }).waitFor();
  await page.getByLabel('Domain').fill('first.example');
  await page.getByRole('button', { name: 'Add site' }).click();
  await page.waitForURL(`${origin}/sites/first.example/settings/general`);
  const snippet = await page.locator('.copy code').first().textContent();
  assert.match(snippet ?? '', /^<script defer src="http.*data-site="first\.example"><\/script>$/);
  await page.getByText('Waiting for a hit').waitFor();

  const site = createServer((_, answer) => {
    answer.setHeader('Content-Type', 'text/html').end(`<!doctype html><title>first</title>${snippet}<h1>First</h1>`);
  }).listen(0, '127.0.0.1');
  t.after(() => site.close());
  await new Promise((resolve) => site.once('listening', resolve));
  const visitor = await open({}, { isElsewhere: true });
  // What a browser that is steered by a program says of itself is left out, and rightly so.
  await visitor.addInitScript("Object.defineProperty(navigator, 'webdriver', { value: false })");
  const [brand, version] = ['Chromium', '141'];
  const more = { platform: 'Windows', platformVersion: '10', architecture: 'x86', model: '', mobile: false };
  const cdp = await visitor.context().newCDPSession(visitor);
  await cdp.send('Emulation.setUserAgentOverride', {
    userAgent: BROWSER['user-agent'],
    acceptLanguage: 'en-GB',
    userAgentMetadata: { ...more, brands: [{ brand, version }] },
  });
  await visitor.goto(`http://first.example:${(site.address() as AddressInfo).port}/welcome`);

  await page.getByText('The snippet works: 1 visitor in the last five minutes.').waitFor();
  const reports = page.getByRole('link', { name: 'See your reports' });
  assert.equal(await reports.getAttribute('href'), '/sites/first.example?range=today');
  await page.getByRole('link', { name: 'Reports', exact: true }).click();
  await page.getByRole('button', { name: /^Visitors 1/ }).waitFor();
  await page.getByRole('button', { name: '/welcome' }).waitFor();
});

test('a click on a row filters by it, and what is shown is what the API answers', async (t) => {
  const stage = await serving(t);
  const { signIn, owner } = stage;
  await look(stage, { '/': 9, '/prices': 5 });
  await look(stage, { '/from-search': 4 }, { referrer: 'https://www.google.com/' });
  const page = await signIn(owner);
  await page.getByRole('link', { name: 'example.com' }).first().click();
  const figure = (name: string) => page.locator('.figure', { hasText: name }).locator('.figure-value');
  const shown = async () => ({
    visitors: Number(await figure('Visitors').textContent()),
    pageviews: Number(await figure('Pageviews').textContent()),
    visits: Number(await figure('Visits').textContent()),
  });
  const told = async (query = '') => {
    const { visitors, pageviews, visits } = (await owner.ask('GET', `/sites/example.com/stats/overview${query}`)).body
      .data;
    return { visitors, pageviews, visits };
  };
  await figure('Visitors').getByText('18', { exact: true }).waitFor();
  assert.deepEqual(await shown(), await told());

  const rows = page.locator('section', { has: page.getByRole('heading', { name: 'Pages' }) }).locator('ol li');
  const { rows: pages } = (await owner.ask('GET', '/sites/example.com/stats/breakdown/pages')).body.data;
  await rows.nth(pages.length - 1).waitFor();
  const names = await rows.locator('.panel-value').allTextContents();
  const counts = await rows.locator('.rows-count').allTextContents();
  assert.deepEqual(
    names.map((value, i) => ({ value, visitors: Number.parseInt(counts[i] ?? '', 10) })),
    pages,
  );

  await page.getByRole('button', { name: 'google.com' }).click();
  await figure('Visitors').getByText('4', { exact: true }).waitFor();
  await searchIs(page, '?source=google.com');
  assert.deepEqual(await shown(), await told('?filters[source]=google.com'));
  const chips = page.getByRole('list', { name: 'Filters' });
  await chips.getByText('google.com').waitFor();
  await page.goBack();
  await figure('Visitors').getByText('18', { exact: true }).waitFor();
  await page.goForward();
  await chips.getByRole('button', { name: /^Remove/ }).click();
  await figure('Visitors').getByText('18', { exact: true }).waitFor();
  await searchIs(page, '');

  await page.getByRole('button', { name: 'Add a filter' }).click();
  await page.getByRole('combobox', { name: 'Condition' }).selectOption('contains');
  await page.getByRole('textbox', { name: 'Page', exact: true }).fill('rice');
  await page.keyboard.press('Enter');
  await figure('Visitors').getByText('5', { exact: true }).waitFor();
  await searchIs(page, '?page.contains=rice');
  assert.deepEqual(await shown(), await told('?filters[page][like]=*rice*'));
  await chips.getByText('Page contains rice').waitFor();
});

test('a goal, a funnel and a note are made, and seen in the reports', async (t) => {
  const stage = await serving(t);
  const { signIn, owner } = stage;
  await look(stage, { '/': 3, '/thanks': 2 });
  const page = await signIn(owner, '/sites/example.com/settings/goals');
  await page.getByLabel('Path').fill('/thanks');
  await page.getByRole('button', { name: 'Add goal' }).click();
  await page.getByRole('group', { name: 'Goals' }).getByText('/thanks').waitFor();

  await page.getByRole('link', { name: 'Funnels' }).click();
  await page.getByLabel('Name').first().fill('To the end');
  await page.getByLabel('Path').nth(0).fill('/');
  await page.getByLabel('Path').nth(1).fill('/thanks');
  await page.getByRole('button', { name: 'Add funnel' }).click();
  await page.getByRole('heading', { name: 'To the end' }).waitFor();

  await page.getByRole('link', { name: 'Reports', exact: true }).click();
  const goals = page.locator('section', { has: page.getByRole('heading', { name: 'Goals' }) });
  await goals.scrollIntoViewIfNeeded();
  const goal = goals.getByRole('listitem').filter({ hasText: '/thanks' });
  await goal.waitFor();
  assert.match((await goal.textContent()) ?? '', /2 visitors.*2 conversions.*40\.0%/);
  const funnels = page.locator('section', { has: page.getByRole('heading', { name: 'Funnels' }) });
  await funnels.scrollIntoViewIfNeeded();
  await funnels.getByText(/3 visitors .*dropped out/).waitFor();

  // The slider of the chart stands on today.
  await page.getByRole('slider').focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('New note').fill('We opened');
  await dialog.getByRole('button', { name: 'Add note' }).click();
  await dialog.getByRole('listitem').getByText('We opened').waitFor();
  const { data } = (await owner.ask('GET', '/sites/example.com/notes')).body;
  assert.deepEqual([data[0].date, data[0].text], ['2026-03-10', 'We opened']);
});

test('an invitation is accepted in another browser, and the invited sees the site and changes nothing', async (t) => {
  const { signIn, open, owner, origin } = await serving(t);
  const page = await signIn(owner, '/account/team');
  await page.getByLabel('E-mail address').fill('guest@example.com');
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  const link = await page.getByRole('group', { name: 'The invitation' }).locator('code').textContent();
  const guest = await open();
  await guest.goto(link ?? '');
  await guest.getByLabel('Password').fill('a password of the guest');
  await guest.getByRole('button', { name: 'Join' }).click();
  await guest.waitForURL(`${origin}/`);
  await guest.getByRole('link', { name: 'example.com' }).first().click();
  await guest.goto('/sites/example.com/settings/goals');
  await guest.getByText('You have read-only access').waitFor();
  assert.equal(await guest.getByRole('button', { name: 'Add goal' }).count(), 0);
});

test('a token is made, shown once, and opens the API', async (t) => {
  const { signIn, owner, origin } = await serving(t);
  const page = await signIn(owner, '/account/tokens');
  await page.getByLabel('Name').fill('script');
  await page.getByRole('button', { name: 'Create token' }).click();
  const made = page.getByRole('group', { name: 'Your new token' });
  const token = await made.locator('code').first().textContent();
  assert.match((await made.locator('code').nth(1).textContent()) ?? '', /^curl -H 'Authorization: Bearer \d+\|dbk_/);
  const answer = await fetch(`${origin}/api/v1/sites`, { headers: { Authorization: `Bearer ${token}` } });
  assert.equal(answer.status, 200);
  await page.reload();
  await page.getByText('script').first().waitFor();
  assert.equal(await page.getByText(token ?? '').count(), 0);
});

test('a share link shows the reports of one site to anybody, and nothing else', async (t) => {
  const stage = await serving(t);
  const { signIn, open, owner, origin } = stage;
  await look(stage, { '/': 6 });
  const page = await signIn(owner, '/sites/example.com/settings/sharing');
  await page.getByRole('switch', { name: /Anyone with the link/ }).click();
  const link = (await page.locator('.copy code').first().textContent()) ?? '';
  assert.match(link, new RegExp(`^${origin}/share/\\w{22}$`));
  const stranger = await open();
  const asked: string[] = [];
  stranger.on('response', (response) => asked.push(`${response.status()} ${new URL(response.url()).pathname}`));
  await stranger.goto(link);
  await stranger.locator('.figure', { hasText: 'Visitors' }).getByText('6', { exact: true }).waitFor();
  assert.equal(await stranger.getByRole('link', { name: 'Account' }).count(), 0);
  assert.equal(await stranger.getByRole('link', { name: /ettings/ }).count(), 0);
  assert.deepEqual(
    asked.filter((one) => !one.startsWith('200 ')),
    [],
  );
  assert.deepEqual(await stranger.context().cookies(), []);
});
