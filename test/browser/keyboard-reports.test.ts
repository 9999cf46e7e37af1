import { test } from 'node:test';
import { look, searchIs, serving } from './browser.ts';
import { keyboardOn } from './keyboard.ts';

const MANY = Object.fromEntries(Array.from({ length: 110 }, (_, n) => [`/page${n}`, 1]));

test('by keyboard alone: range, points, comparison, figures, filters and views of a site', async (t) => {
  const stage = await serving(t);
  await look(stage, { '/': 3, '/prices': 2 }, { referrer: 'https://x.example/' });
  const page = await stage.signIn(stage.owner);
  const { goTo, use, type, press } = keyboardOn(page);
  const heading = (name: string | RegExp) => page.getByRole('heading', { name });
  const button = (name: string | RegExp, more = {}) => page.getByRole('button', { name, ...more });

  await use('link', 'example.com', heading('example.com'));
  await use('button', '7 days', button('7 days', { pressed: true }), { key: 'Space' });
  await searchIs(page, /range=7d/);
  await use('button', 'Previous period', button('7 days', { pressed: false }));
  await use('button', 'Next period', button('7 days', { pressed: true }));
  const chosen = page.getByRole('dialog', { name: 'Choose days' });
  // The calendar comes a moment after its dialog, and takes the focus.
  await use('button', /2026$/, chosen.getByRole('grid'), { within: page.locator('.range-picker-days') });
  await use('button', 'Yesterday', heading('Visitors per hour'), { within: chosen, by: 'Shift+Tab' });
  await use('button', '30 days', heading('Visitors per day'));

  await use('button', 'Weeks', heading('Visitors per week'));
  const comparisons = page.getByRole('dialog', { name: 'Compare with' });
  await use('button', /^Compared with/, comparisons);
  await use('button', /^No comparison/, button('Not compared'), { within: comparisons, by: 'Shift+Tab' });
  await searchIs(page, /compare=off/);
  await use('button', 'Table', page.getByRole('table').first());
  await use('button', 'Table', page.getByRole('slider'));
  await use('button', /^Bounce rate/, heading('Bounce rate per week'));

  await use('button', 'x.example', button('Remove the filter Source is x.example'));
  await searchIs(page, /source=x\.example/);
  await use('button', 'Remove the filter Source is x.example', button('Add a filter'));
  await searchIs(page, /^(?!.*source=)/);
  const adding = page.getByRole('dialog', { name: 'Add a filter' });
  await use('button', 'Add a filter', adding);
  await press('Escape', adding, 'detached');

  const views = page.getByRole('dialog', { name: 'Saved views' });
  await use('button', 'Saved views', views);
  await type('textbox', /^Save this view as/, 'Bounces', views);
  await press('Enter', views.getByRole('link', { name: 'Bounces' }));
  await press('Escape', views, 'detached');
  await use('button', /^Visitors/, heading('Visitors per week'));
  await use('button', 'Saved views', views);
  await use('link', 'Bounces', heading('Bounce rate per week'), { within: views });
  await press('Escape', views, 'detached');
  await use('button', 'Saved views', views);
  await use('button', 'Remove the view Bounces', views.getByText('No saved views yet.'), { within: views });
  await press('Escape', views, 'detached');

  const live = page.getByRole('dialog', { name: 'Current visitors on example.com' });
  await use('button', /visitors? now$/, live);
  await press('Escape', live, 'detached');
  await goTo('button', /visitors? now$/);
});

test('by keyboard alone: all rows of a panel, sorted, searched and a filter by one', async (t) => {
  const stage = await serving(t);
  await look(stage, { '/': 3, ...MANY });
  const page = await stage.signIn(stage.owner);
  const { use, type, press } = keyboardOn(page);
  await page.goto('/sites/example.com');
  const details = page.getByRole('dialog');
  await use('button', 'Details of Pages: All', details.getByRole('row').nth(9));
  await use('button', 'Pageviews', details.getByRole('columnheader', { name: 'Pageviews' }), { within: details });
  await use('button', 'More', details.getByText(/111 rows/), { within: details, by: 'Shift+Tab' });
  await type('searchbox', /^Search /, 'page109', details);
  await details.getByText('1 row', { exact: true }).waitFor();
  // The first Escape empties the field.
  await press('Escape', details.getByRole('button', { name: '/page1', exact: true }));
  await press('Escape', details, 'detached');
  await use('button', 'Details of Pages: All', details.getByRole('row').nth(9));
  await use('button', '/page1', page.getByRole('button', { name: 'Remove the filter Page is /page1' }), {
    within: details,
  });
});
