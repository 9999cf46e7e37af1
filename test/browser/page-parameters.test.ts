import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../support/program.ts';
import { serving } from './browser.ts';

test('a manager lists page parameters, tries a URL, and saves them; a mistake names the parameter', async (t) => {
  const stage = await serving(t);
  await stage.owner.ask('POST', `/sites/${stage.siteId}/goals`, { type: 'page', value: '/done' });
  const page = await stage.signIn(stage.manager, '/sites/example.com/settings/collection');
  const form = page.getByRole('form', { name: 'Page parameters' });
  const names = form.getByLabel('Parameters');
  await form.getByLabel('Try a URL').fill('https://example.com/viewtopic.php?t=12&sid=9&f=3');
  await page.clock.runFor(500);
  await form.getByText('Stored as /viewtopic.php', { exact: true }).waitFor();
  await names.fill('t, utm_source');
  await page.clock.runFor(500);
  await form.getByText('"utm_source": says where a visit came from').waitFor();
  assert.ok(await form.getByRole('button', { name: 'Save' }).isDisabled());
  await names.fill('t, f');
  await page.clock.runFor(500);
  await form.getByText('Stored as /viewtopic.php?f=3&t=12').waitFor();
  await form.getByRole('button', { name: 'Save' }).click();
  await form.getByText('Saved. Now replace the snippet in your pages with the one under General.').waitFor();
  await page.getByRole('link', { name: 'General', exact: true }).click();
  await page.getByText('/day.js?keep=t,f').first().waitFor();
  const { body } = await stage.owner.ask('GET', '/sites/example.com');
  assert.deepEqual(body.data.page_parameters, ['t', 'f']);

  const guest = await stage.signIn(stage.viewer, '/sites/example.com/settings/collection');
  const shown = guest.getByRole('form', { name: 'Page parameters' });
  assert.equal(await shown.getByLabel('Parameters').inputValue(), 't\nf');
  assert.equal(await shown.getByLabel('Parameters').getAttribute('readonly'), '');
  assert.equal(await shown.getByRole('button', { name: 'Save' }).count(), 0);
});

test('the form of page parameters fits a phone, and warns of goals that would no longer match', async (t) => {
  const stage = await serving(t);
  await stage.owner.ask('PATCH', '/sites/example.com', { page_parameters: ['title'] });
  await stage.owner.ask('POST', '/sites/example.com/goals', { type: 'page', value: '/index.php?title=Help:Contents' });
  const options = { viewport: { width: 360, height: 740 } };
  const page = await stage.signIn(stage.manager, '/sites/example.com/settings/collection', options);
  const form = page.getByRole('form', { name: 'Page parameters' });
  await form.getByLabel('Try a URL').fill(`https://example.com/index.php?title=${'Long_title_of_a_page_'.repeat(8)}`);
  await page.clock.runFor(500);
  await form.getByText('Stored as').waitFor();
  const isWide = () => page.evaluate('document.documentElement.scrollWidth > innerWidth');
  assert.equal(await isWide(), false);
  await form.getByLabel('Parameters').fill('');
  await page.clock.runFor(500);
  await form.getByText('A goal or funnel step uses /index.php?title=Help:Contents').waitFor();
  assert.equal(await isWide(), false);
});

test('the script with page parameters sends them, with pageviews, events and heartbeats', async (t) => {
  const stage = await serving(t, {}, 'localhost');
  await stage.owner.ask('PATCH', '/sites/example.com', { page_parameters: ['t', 'x[]'] });
  const { body } = await stage.owner.ask('GET', '/sites/example.com');
  const [, query = ''] = /day\.js(\?[^"]*)"/.exec(body.data.snippet) ?? [];
  const script = await stage.ask('GET', `/day.js${query}`);
  const page = await stage.open({}, { isElsewhere: true });
  const sent: Record<string, unknown>[] = [];
  await page.route('http://pages.example/**', (route) => {
    const path = new URL(route.request().url()).pathname;
    if (path === '/day.js') return route.fulfill({ contentType: 'text/javascript', body: script.text });
    if (path === '/day') {
      sent.push(JSON.parse(route.request().postData() ?? '{}'));
      return route.fulfill({ status: 202 });
    }
    const tag = `<script src="/day.js${query}" data-site="example.com" data-local></script>`;
    return route.fulfill({ contentType: 'text/html', body: `<!doctype html><title>x</title>${tag}` });
  });
  await page.goto('http://pages.example/a?sid=9&t=12&x%5B%5D=1&x[]=2&email=ann@example.com');
  await page.evaluate("window.daybook('signup')");
  await until('both messages', () => sent.length >= 2);
  assert.deepEqual(
    sent.map(({ url }) => url),
    Array(2).fill('http://pages.example/a?t=12&x%5B%5D=1&x[]=2'),
  );
});
