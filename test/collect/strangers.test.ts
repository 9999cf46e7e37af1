import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refuseHits } from '../support/held.ts';
import { ON_CLUSTER, startApp } from '../support/helpers.ts';
import type { Answer } from '../support/requests.ts';
import { AMERICAN, BROWSER, GERMAN } from './stage.ts';

/** A message that any website may let its visitor's browser send, and whose answer it may read. */
const ELSEWHERE = { ...BROWSER, origin: 'https://curious.example', 'sec-fetch-site': 'cross-site' };

const PAGE = { site: 'example.com', url: 'https://example.com/' };
const ENGAGED = { ...PAGE, engaged: 0 };
const PIXEL = `/day.gif?site=example.com&url=${encodeURIComponent(PAGE.url)}`;

const visible = ({ status, headers, text }: Answer) => ({ status, text, headers: [...headers] });

test('no website learns from an answer whether its visitor was on another one', async (t) => {
  const { ask, held, siteId } = await startApp(t);
  const send = (body: object, address: string) => ask('POST', '/day', { body, headers: ELSEWHERE, address });
  assert.equal((await send(PAGE, GERMAN)).status, 202);
  const wasThere = visible(await send(ENGAGED, GERMAN));
  const neverCame = visible(await send(ENGAGED, AMERICAN));
  assert.deepEqual(neverCame, wasThere);
  // The collectors of a cluster cannot know whether the visit is one of another.
  assert.deepEqual(await held.drops(siteId), ON_CLUSTER ? {} : { 'no-visit': 1 });
});

test('no website learns from an answer how much its visitor sent before', async (t) => {
  const { ask, held, siteId } = await startApp(t, { flood: '1' });
  const send = (body: object, address: string) => ask('POST', '/day', { body, headers: ELSEWHERE, address });
  const look = (address: string) => ask('GET', PIXEL, { headers: ELSEWHERE, address });
  for (let n = 0; n < 3; n++) await send(PAGE, GERMAN);
  assert.deepEqual(visible(await send(PAGE, GERMAN)), visible(await send(PAGE, AMERICAN)));
  assert.deepEqual(visible(await send(ENGAGED, GERMAN)), visible(await send(ENGAGED, AMERICAN)));
  assert.deepEqual(visible(await look(GERMAN)), visible(await look(AMERICAN)));
  assert.deepEqual(await held.drops(siteId), { flood: 3 });
});

test('neither does the time of the answer tell: all wait for the disk', async (t) => {
  const app = await startApp(t, { flood: '1' });
  const { ask } = app;
  const send = (body: object, address: string) => ask('POST', '/day', { body, headers: ELSEWHERE, address });
  for (let n = 0; n < 3; n++) await send(PAGE, GERMAN);
  const { takeAgain } = refuseHits(app);
  for (const body of [PAGE, ENGAGED]) {
    for (const address of [GERMAN, AMERICAN]) assert.equal((await send(body, address)).status, 503);
  }
  takeAgain();
  for (const body of [PAGE, ENGAGED]) {
    for (const address of [GERMAN, AMERICAN]) assert.equal((await send(body, address)).status, 202);
  }
});
