import assert from 'node:assert/strict';
import { test } from 'node:test';
import { client } from '../../client/src/index.ts';
import { appendTo, pageview } from '../collect/stage.ts';
import { startApp } from '../support/helpers.ts';
import { listening, PACE } from '../support/streams.ts';
import { refusal } from './refusing.ts';
import { stage } from './stage.ts';

test('an export is a stream of bytes, and an export without hits is an error', async (t) => {
  const { daybook, count } = await stage(t);
  const asked = { path: { site: 'example.com' }, query: { format: 'ndjson' } } as const;
  assert.equal((await refusal(daybook('GET /sites/{site}/export', asked))).status, 422);
  await count('/exported');
  let text = '';
  for await (const bytes of await daybook('GET /sites/{site}/export', asked)) text += new TextDecoder().decode(bytes);
  assert.equal(JSON.parse(text).url, 'https://example.com/exported');
});

test('the live report is read as it changes, over a lost connection too, until it is refused or left', async (t) => {
  const cast = await startApp(t, {}, { streams: { pace: PACE } });
  const { engine, siteId, owner, stranger, tokenOf } = cast;
  const { port } = await listening(t, cast);
  const url = `http://127.0.0.1:${port}`;
  const see = (visitor: number, country: string) =>
    appendTo(engine, [pageview({ siteId, second: 43_140, visitor, country })]);
  await see(1, 'DE');
  const token = tokenOf(owner, ['read']);
  const lost = new AbortController();
  let opened = 0;
  const daybook = client({
    ...{ url, token },
    // The first connection is lost after its first event.
    fetch: (place, init) => fetch(place, opened++ === 0 ? { ...init, signal: lost.signal } : init),
  });
  const german = daybook.live('example.com', { query: { 'filters[country]': 'DE' } });
  const next = async () => (await german.next()).value?.visitors;
  assert.equal(await next(), 1);
  lost.abort();
  await see(2, 'DE');
  await see(3, 'FR');
  let visitors = await next();
  while (visitors === 1) visitors = await next();
  assert.deepEqual([visitors, opened > 1], [2, true]);
  await owner.ask('DELETE', `/tokens/${token.split('|')[0]}`);
  const refused = await refusal(german.next());
  assert.equal(refused.status, 401);

  const foreign = client({ url, token: stranger.token }).live(siteId);
  assert.equal((await refusal(foreign.next())).status, 404);

  const abort = new AbortController();
  const own = client({ url, token: owner.token }).live(siteId, { signal: abort.signal });
  assert.equal((await own.next()).value?.visitors, 3);
  const waiting = own.next();
  abort.abort();
  await assert.rejects(waiting, { name: 'AbortError' });

  const text = async () => new Response('<h1>Welcome</h1>');
  assert.match((await refusal(client({ url, token, fetch: text }).live(1).next())).message, /does not come from/);
});
