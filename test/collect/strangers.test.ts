import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../helpers.ts';
import type { Answer } from '../requests.ts';
import { AMERICAN, BROWSER, GERMAN, storedDrops } from './stage.ts';

/** A message that any website may let its visitor's browser send, and whose answer it may read. */
const ELSEWHERE = { ...BROWSER, origin: 'https://curious.example', 'sec-fetch-site': 'cross-site' };

const PAGE = { site: 'example.com', url: 'https://example.com/' };
const ENGAGED = { ...PAGE, engaged: 0 };
const PIXEL = `/day.gif?site=example.com&url=${encodeURIComponent(PAGE.url)}`;

const visible = ({ status, headers, text }: Answer) => ({ status, text, headers: [...headers] });

test('no website learns from an answer whether its visitor was on another one', async (t) => {
  const { ask, db, siteId } = await startApp(t);
  const send = (body: object, address: string) => ask('POST', '/day', { body, headers: ELSEWHERE, address });
  assert.equal((await send(PAGE, GERMAN)).status, 202);
  const wasThere = visible(await send(ENGAGED, GERMAN));
  const neverCame = visible(await send(ENGAGED, AMERICAN));
  assert.deepEqual(neverCame, wasThere);
  assert.deepEqual(storedDrops(db, siteId), { 'no-visit': 1 });
});

test('no website learns from an answer how much its visitor sent before', async (t) => {
  const { ask, db, siteId } = await startApp(t, { flood: '1' });
  const send = (body: object, address: string) => ask('POST', '/day', { body, headers: ELSEWHERE, address });
  const look = (address: string) => ask('GET', PIXEL, { headers: ELSEWHERE, address });
  for (let n = 0; n < 3; n++) await send(PAGE, GERMAN);
  assert.deepEqual(visible(await send(PAGE, GERMAN)), visible(await send(PAGE, AMERICAN)));
  assert.deepEqual(visible(await send(ENGAGED, GERMAN)), visible(await send(ENGAGED, AMERICAN)));
  assert.deepEqual(visible(await look(GERMAN)), visible(await look(AMERICAN)));
  assert.deepEqual(storedDrops(db, siteId), { flood: 3 });
});

test('neither does the time of the answer tell: all wait for the disk', async (t) => {
  const { ask, db } = await startApp(t, { flood: '1' });
  const send = (body: object, address: string) => ask('POST', '/day', { body, headers: ELSEWHERE, address });
  for (let n = 0; n < 3; n++) await send(PAGE, GERMAN);
  db.run('PRAGMA query_only = ON');
  for (const body of [PAGE, ENGAGED]) {
    for (const address of [GERMAN, AMERICAN]) assert.equal((await send(body, address)).status, 503);
  }
  db.run('PRAGMA query_only = OFF');
  for (const body of [PAGE, ENGAGED]) {
    for (const address of [GERMAN, AMERICAN]) assert.equal((await send(body, address)).status, 202);
  }
});
