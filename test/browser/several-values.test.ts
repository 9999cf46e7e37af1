import assert from 'node:assert/strict';
import { test } from 'node:test';
import { look, searchIs, serving } from './browser.ts';

test('a second row is added with a modifier or in the filter bar, and the address keeps all of it', async (t) => {
  const stage = await serving(t);
  const { signIn, owner } = stage;
  for (const [path, referrer] of [
    ['/a', 'https://www.google.com/'],
    ['/aa', 'https://www.bing.com/'],
    ['/aaa', 'https://ecosia.org/'],
  ] as const) {
    await look(stage, { [path]: path.length }, { referrer });
  }
  const page = await signIn(owner, '/sites/example.com');
  const sources = page.locator('section', { has: page.getByRole('heading', { name: 'Sources' }) });
  const pressed = () => sources.locator('button[aria-pressed="true"]').allTextContents();
  const visitors = async (query: string) =>
    (await owner.ask('GET', `/sites/example.com/stats/overview?${query}`)).body.data.visitors;
  const shown = (count: number) => page.getByRole('button', { name: new RegExp(`^Visitors ${count}\\b`) }).waitFor();

  await sources.getByRole('button', { name: 'google.com' }).click();
  await shown(2);
  await sources.getByRole('button', { name: 'bing.com' }).click({ modifiers: ['Control'] });
  await shown(5);
  assert.equal(await visitors('filters[source][is]=google.com&filters[source][is]=bing.com'), 5);
  await searchIs(page, '?source=google.com&source=bing.com');
  assert.deepEqual((await pressed()).toSorted(), ['bing.com', 'google.com']);
  const sentence = page.getByRole('list', { name: 'Filters' }).getByRole('listitem');
  assert.equal(await sentence.textContent(), 'Source is google.com× or bing.com×');

  await sources.getByRole('button', { name: 'ecosia.org' }).focus();
  await page.keyboard.press('Shift+Enter');
  await shown(9);
  await page.reload();
  await shown(9);
  await page.getByRole('button', { name: 'Remove the filter Source is google.com' }).click();
  await shown(7);
  await sources.getByRole('button', { name: 'google.com' }).click();
  await searchIs(page, '?source=google.com');

  await page.getByRole('button', { name: 'Add a filter' }).click();
  await page.getByLabel('Filter by').selectOption('Source');
  await page.getByRole('option', { name: 'ecosia.org' }).click();
  await searchIs(page, '?source=google.com&source=ecosia.org');
  await page.getByRole('button', { name: 'Add a filter' }).click();
  await page.getByLabel('Filter by').selectOption('Source');
  await page.getByRole('combobox', { name: 'Condition' }).selectOption('does not contain');
  await page.getByRole('textbox', { name: 'Source', exact: true }).fill('eco');
  await page.keyboard.press('Enter');
  await shown(2);
  await searchIs(page, '?source=google.com&source=ecosia.org&source.lacks=eco');

  await page.getByRole('button', { name: 'Source does not contain', exact: true }).click();
  await page.getByRole('combobox', { name: 'Condition' }).selectOption('contains');
  await searchIs(page, /&source\.contains=eco$/);
  await shown(4);
});

test('visits are filtered by how many pages they have, whether the number is suggested or typed', async (t) => {
  const stage = await serving(t);
  await look(stage, { '/a': 2 });
  const page = await stage.signIn(stage.owner, '/sites/example.com');
  const shown = (count: number) => page.getByRole('button', { name: new RegExp(`^Visitors ${count}\\b`) }).waitFor();
  const add = async () => {
    await page.getByRole('button', { name: 'Add a filter' }).click();
    await page.getByLabel('Filter by').selectOption('Pages per visit');
  };
  await add();
  await page.getByRole('option', { name: '1', exact: true }).click();
  await searchIs(page, '?pageviews=1');
  await shown(2);
  await page.getByRole('button', { name: 'Remove the filter Pages per visit is 1' }).click();
  await searchIs(page, '');
  await add();
  const count = page.getByRole('combobox', { name: 'Pages per visit', exact: true });
  await count.fill('many');
  await page.getByRole('listbox').getByRole('option').first().waitFor({ state: 'detached' });
  await count.fill('12');
  await page.keyboard.press('Enter');
  await searchIs(page, '?pageviews=12');
  await shown(0);
});

/** Four pages, each with a source of its own and with as many visitors as its path has letters. */
async function fourPages(t: Parameters<typeof serving>[0]) {
  const stage = await serving(t);
  for (const path of ['/a', '/bread', '/breadcrumbs', '/ccc']) {
    await look(stage, { [path]: path.length }, { referrer: `https://${path.slice(1)}.example/` });
  }
  return stage;
}

test('several values are checked in the form and applied together, and one is chosen at once', async (t) => {
  const { signIn, owner } = await fourPages(t);
  const page = await signIn(owner, '/sites/example.com');
  await page.getByRole('button', { name: 'Add a filter' }).click();
  const box = (name: string) => page.getByRole('option', { name }).locator('.value-search-box');
  await box('/a').click();
  await box('/ccc').click();
  await searchIs(page, '');
  await page.getByRole('button', { name: 'Apply' }).click();
  await searchIs(page, /^\?page=\/a&page=\/ccc$/);

  // The values of a filter are checked when it is changed.
  await page.getByRole('button', { name: 'Page is', exact: true }).click();
  await page.getByRole('option', { name: '/a', selected: true }).locator('.value-search-box').click();
  const search = page.getByRole('combobox', { name: 'Page', exact: true });
  await search.fill('crumb');
  await page.getByRole('option', { name: '/breadcrumbs' }).waitFor();
  await search.press('Enter');
  await searchIs(page, /^\?page=\/ccc&page=\/breadcrumbs$/);

  await page.getByRole('button', { name: 'Page is', exact: true }).click();
  await search.fill('/bread');
  await search.press('Shift+Enter');
  await page.getByRole('option', { name: /^\/bread ?6/, selected: true }).waitFor();
  await page.getByRole('button', { name: 'Apply' }).click();
  await searchIs(page, /^\?page=\/ccc&page=\/breadcrumbs&page=\/bread$/);
});

test('a part of a value shows what it matches before it is applied, and can be changed later', async (t) => {
  const { signIn, owner } = await fourPages(t);
  const page = await signIn(owner, '/sites/example.com');
  await page.getByRole('button', { name: 'Add a filter' }).click();
  const form = page.getByRole('dialog', { name: 'Add a filter' });
  await form.getByRole('combobox', { name: 'Condition' }).selectOption('contains');
  await form.getByRole('textbox', { name: 'Page', exact: true }).fill('bread');
  await form.getByText('Values in this period that contain your text:').waitFor();
  assert.deepEqual(await form.getByRole('listitem').allTextContents(), ['/breadcrumbs12', '/bread6']);
  await form.getByRole('textbox').fill('bread5');
  await form.getByText('No value in this period contains this text.').waitFor();
  await form.getByRole('textbox').fill('bread');
  await form.getByRole('button', { name: 'Apply' }).click();
  await searchIs(page, '?page.contains=bread');

  await page.getByRole('list', { name: 'Filters' }).getByRole('button', { name: 'bread', exact: true }).click();
  // The form asks for its code, and then shows its field with the text selected.
  await page
    .locator('input:focus')
    .and(page.getByRole('textbox', { name: 'Page', exact: true }))
    .waitFor();
  await page.keyboard.type('crumb');
  await page.keyboard.press('Enter');
  await searchIs(page, '?page.contains=crumb');
});

test('a row is filtered out by its button or a key, and a list says that its own filter does not apply to it', async (t) => {
  const { signIn, owner } = await fourPages(t);
  const page = await signIn(owner, '/sites/example.com?page=/a');
  const pages = page.getByRole('region', { name: 'Pages' });
  await pages.getByText('The filter “Page” does not apply to this list.').waitFor();
  const sources = page.getByRole('region', { name: 'Sources' });
  const line = sources.getByRole('listitem').filter({ hasText: 'a.example' });
  await line.hover();
  await line.getByRole('button', { name: 'Filter out' }).click();
  await searchIs(page, /^\?page=\/a&source\.not=a\.example$/);
  await sources.getByText('No visits match these filters').waitFor();

  await pages.getByRole('button', { name: '/ccc', exact: true }).focus();
  await page.keyboard.press('-');
  await searchIs(page, /^\?page=\/a&page\.not=\/ccc&source\.not=a\.example$/);
});
