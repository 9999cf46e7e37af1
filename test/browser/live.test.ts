import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { append, pageview } from '../collect/stage.ts';
import { until } from '../support/program.ts';
import { searchIs, serving } from './browser.ts';

async function stage(t: TestContext) {
  const served = await serving(t);
  const { db, siteId } = served;
  const look = (visitor: number, page: string) =>
    append(db, [pageview({ siteId, second: 43_100, visitor, page, source: 'x.org', country: 'DE' })]);
  await look(1, '/a');
  return { ...served, look };
}

/** The requests of a page for figures about now: `stream` or `poll`, with the name of the report. */
function watchRequests(page: Page): string[] {
  const asked: string[] = [];
  page.on('request', (request) => {
    const [, report] = /\/stats\/(live|realtime)/.exec(request.url()) ?? [];
    const isStream = request.headers().accept === 'text/event-stream';
    if (report !== undefined) asked.push(`${isStream ? 'stream' : 'poll'} ${report}`);
  });
  return asked;
}

test('who is there now opens what they see, which goes on by itself, also behind a share link', async (t) => {
  const { owner, siteId, signIn, share, open, look } = await stage(t);
  await look(2, '/a');
  const page = await signIn(owner, '/sites/example.com');
  await page.getByRole('button', { name: '2 visitors now' }).click();
  const dialog = page.getByRole('dialog', { name: 'Current visitors on example.com' });
  await dialog.getByRole('img', { name: /^Visitors per minute over the last 30 minutes. Highest: 2 at / }).waitFor();
  for (const text of ['/a', 'x.org', 'Germany', 'No data yet']) {
    await dialog.getByText(text).first().waitFor();
  }
  await look(3, '/b');
  await dialog.getByText('/b', { exact: true }).waitFor();
  await dialog.getByText('3 visitors', { exact: true }).first().waitFor();
  await searchIs(page, /\blive=1\b/);
  // A row sets its filter, and the dialog stays.
  await dialog.getByRole('button', { name: '/b', exact: true }).click();
  await dialog.getByText('1 visitor', { exact: true }).first().waitFor();
  await searchIs(page, /^\?live=1&page=\/b$/);
  await dialog.getByRole('button', { name: '/b', exact: true, pressed: true }).click();
  await dialog.getByText('3 visitors', { exact: true }).first().waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await searchIs(page, '');

  const slug = await share(owner, siteId);
  const visitor = await open();
  await visitor.goto(`/share/${slug}?live=1`);
  // The stream of the first page must have begun, because only those after it are counted.
  await visitor.getByRole('dialog').getByText('Germany').waitFor();
  const asked = watchRequests(visitor);
  await visitor.reload();
  await visitor.getByRole('dialog').getByText('Germany').waitFor();
  assert.deepEqual(asked, ['stream live']);
});

test('a hit appears in the live view without a request, also in the header, and a hidden page has no stream', async (t) => {
  const { owner, signIn, look, ask } = await stage(t);
  const page = await signIn(owner, '/sites/example.com?live=1');
  const dialog = page.getByRole('dialog');
  await dialog.getByText('/a', { exact: true }).waitFor();
  const asked = watchRequests(page);
  await page.reload();
  await dialog.getByText('/a', { exact: true }).waitFor();
  await look(2, '/new');
  await dialog.getByText('/new', { exact: true }).waitFor();
  await page.getByText('2 visitors now').waitFor();
  await page.clock.runFor(20_000);
  assert.deepEqual(asked, ['stream live']);

  const countStreams = async () => {
    const { text } = await ask('GET', '/metrics', { token: 'token-for-metrics' });
    return Number(/^daybook_event_streams (\d+)/m.exec(text)?.[1]);
  };
  const hide = (isHidden: boolean) =>
    page.evaluate(`Object.defineProperty(document, 'hidden', { get: () => ${isHidden}, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'))`);
  await hide(true);
  await until('the stream is closed', async () => (await countStreams()) === 0);
  await look(3, '/later');
  await hide(false);
  await dialog.getByText('/later', { exact: true }).waitFor();
  assert.deepEqual(asked, ['stream live', 'stream live']);
  await page.keyboard.press('Escape');
  await until('the stream is closed', async () => (await countStreams()) === 0);
  await page.getByText('3 visitors now').waitFor();
});

test('without a stream the live view is requested every 5 s, until a stream works again', async (t) => {
  const { owner, signIn, look } = await stage(t);
  const page = await signIn(owner, '/sites/example.com');
  let isFull = true;
  await page.route('**/stats/live*', (route) => {
    if (!isFull || route.request().headers().accept !== 'text/event-stream') return route.continue();
    return route.fulfill({ status: 502, json: { error: { code: 'unavailable', message: 'x' } } });
  });
  await page.goto('/sites/example.com?live=1');
  const dialog = page.getByRole('dialog');
  await dialog.getByText('/a', { exact: true }).waitFor();
  await look(2, '/polled');
  await page.clock.runFor(5_500);
  await dialog.getByText('/polled', { exact: true }).waitFor();
  isFull = false;
  const asked = watchRequests(page);
  // In small steps, because a stream without an event for 10 s has failed.
  await until('a stream is tried again', async () => {
    await page.clock.runFor(1_000);
    return asked.includes('stream live');
  });
  await look(3, '/streamed');
  await dialog.getByText('/streamed', { exact: true }).waitFor();
  asked.length = 0;
  await page.clock.runFor(20_000);
  assert.deepEqual(asked, []);
});
