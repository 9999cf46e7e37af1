import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BROWSER } from '../collect/stage.ts';
import { startApp } from '../support/helpers.ts';

test('whoever waits for the first hit learns what came last, and from which host that is not of the site', async (t) => {
  const { ask, viewer } = await startApp(t);
  const seen = async () => (await viewer.ask('GET', '/sites/example.com/arrivals')).body.data;
  const send = (url: string, headers: Record<string, string> = BROWSER) =>
    ask('POST', '/day', { body: { site: 'example.com', url }, headers });
  assert.deepEqual(await seen(), { last: null, foreign: null });

  await send('https://staging.example.net/');
  const { last, foreign } = await seen();
  assert.equal(last.dropped, 'foreign-host');
  assert.deepEqual(foreign, { at: last.at, host: 'staging.example.net' });

  await send('https://example.com/', { ...BROWSER, 'user-agent': 'curl/8' });
  assert.equal((await seen()).last.dropped, 'bot');
  await send('https://example.com/');
  assert.equal((await seen()).last.dropped, null);
  assert.equal((await seen()).foreign.host, 'staging.example.net');
});

test('the snippet of a site named localhost counts there, and that of another has no hidden setting', async (t) => {
  const { owner } = await startApp(t);
  const added = (domain: string) => owner.ask('POST', '/sites', { domain });
  assert.match((await added('localhost')).body.data.snippet, / data-site="localhost"><\/script>$/);
  assert.match((await added('local.example')).body.data.snippet, / data-site="local\.example"><\/script>$/);
});
