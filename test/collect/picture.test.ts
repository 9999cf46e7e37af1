import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PIXEL, stage } from './sending.ts';
import { CURL } from './stage.ts';

test('the picture counts a pageview without a script, and is never kept by the browser', async (t) => {
  const { look, held, siteId } = await stage(t);
  const referrer = encodeURIComponent('https://www.x.org/page');
  const answer = await look(`${PIXEL}&referrer=${referrer}`);
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('Content-Type'), 'image/gif');
  assert.equal(answer.headers.get('Cache-Control'), 'no-store');
  assert.match(answer.text, /^GIF89a/);
  const [hit] = await held.hits();
  assert.deepEqual(
    [hit?.page, hit?.event, hit?.source, hit?.utm_source, hit?.siteId],
    ['/pixel', '', 'x.org', 'mail', siteId],
  );

  const bot = await look(PIXEL, { headers: { 'user-agent': CURL } });
  assert.deepEqual([bot.status, bot.headers.get('Daybook-Dropped')], [200, 'bot']);
  assert.equal(bot.text, answer.text);
  const ahead = await look(PIXEL, { headers: { 'sec-purpose': 'prefetch' } });
  assert.equal(ahead.headers.get('Daybook-Dropped'), 'prefetch');
  assert.equal((await held.hits()).length, 1);
});

test('asking what the picture would be like counts nothing', async (t) => {
  const { look, ask, as, held, siteId, config } = await stage(t, { flood: '1' });
  const path = `${config.script}.gif`;
  const seen = await look(PIXEL);
  for (let n = 0; n < 10; n++) {
    const head = await ask('HEAD', path + PIXEL, as({}));
    assert.deepEqual([head.status, head.text, [...head.headers]], [200, '', [...seen.headers]]);
  }
  const curl = as({ headers: { 'user-agent': CURL } });
  assert.equal((await ask('HEAD', path + PIXEL, curl)).status, 200);
  assert.equal((await look(PIXEL)).headers.get('Daybook-Dropped'), null);
  assert.equal((await held.hits()).length, 2);
  assert.deepEqual(await held.drops(siteId), {});
});

test('a picture that says too little or too much is refused', async (t) => {
  const { look, held } = await stage(t);
  const malformed: [query: string, ...fields: string[]][] = [
    ['', 'site', 'url'],
    ['?', 'site', 'url'],
    ['?site=example.com', 'url'],
    ['?url=https://example.com/', 'site'],
    ['?site=example.com&url=/page', 'url'],
    [`${PIXEL}&event=x`, 'event'],
    [`${PIXEL}&engaged=1000`, 'engaged'],
    [`${PIXEL}&site=example.com`, 'site'],
    ['?site=example.com&url=https://example.com/%zz', 'url'],
  ];
  for (const [query, ...fields] of malformed) {
    const { status, body } = await look(query);
    assert.deepEqual([status, Object.keys(body?.error.fields ?? {})], [422, fields], query);
  }
  assert.equal((await held.hits()).length, 0);
});
