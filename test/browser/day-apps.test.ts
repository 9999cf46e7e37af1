import assert from 'node:assert/strict';
import { test } from 'node:test';
import { event, eventsIn, pageview, serves, visit } from './visiting.ts';

/** A router on the Navigation API, which changes nothing by pushState. */
const ROUTER = `navigation.addEventListener('navigate', (event) => {
  if (event.canIntercept && !event.hashChange) event.intercept({ handler: async () => { await 0; } });
});`;

test('an app on the Navigation API tells each page once, whether a link or its code goes there', async (t) => {
  const { page, origin, run, told } = await visit(t, { first: ROUTER, body: '<a href="/b">b</a>' });
  assert.deepEqual(await told(), [pageview(`${origin}/`)]);
  await page.click('a');
  await page.waitForURL('**/b');
  assert.deepEqual(await told(), [pageview(`${origin}/b`, `${origin}/`)]);
  await run(`navigation.navigate('/c').finished.then(() => undefined)`);
  assert.deepEqual(await told(), [pageview(`${origin}/c`, `${origin}/b`)]);
  // Both ways tell of this one.
  await run(`history.pushState(null, '', '/d')`);
  assert.deepEqual(await told(), [pageview(`${origin}/d`, `${origin}/c`)]);
  await run(`navigation.back().finished.then(() => undefined)`);
  assert.deepEqual(await told(), [pageview(`${origin}/c`, `${origin}/d`)]);
});

test('an app without the Navigation API is told of all the same', async (t) => {
  const first = `Object.defineProperty(self, 'navigation', { value: undefined });`;
  const { origin, run, told } = await visit(t, { first });
  await run(`history.pushState(null, '', '/b')`);
  assert.deepEqual(await told(), [pageview(`${origin}/`), pageview(`${origin}/b`, `${origin}/`)]);
});

test('of redirects in one tick only the last page counts', async (t) => {
  const { origin, run, told } = await visit(t, { path: '/spa' });
  assert.deepEqual(await told(), [pageview(`${origin}/spa`)]);
  await run(`history.replaceState(null, '', '/login'); history.replaceState(null, '', '/home')`);
  assert.deepEqual(await told(), [pageview(`${origin}/home`, `${origin}/spa`)]);
  // There and back is nowhere.
  await run(`history.pushState(null, '', '/login'); history.replaceState(null, '', '/home')`);
  assert.deepEqual(await told(), []);
});

test('an event after the address has changed is of the new page, and a page that is left at once is told', async (t) => {
  const { origin, page, run, told, toldAtLeast } = await visit(t);
  await told();
  await run(`history.pushState(null, '', '/b'); daybook('x')`);
  assert.deepEqual(await told(), [
    pageview(`${origin}/b`, `${origin}/`),
    { ...event(`${origin}/b`, 'x'), referrer: `${origin}/` },
  ]);
  await page.evaluate(`history.pushState(null, '', '/c'); location.href = '/d'`);
  await page.waitForURL('**/d');
  const urls = (await toldAtLeast(2)).map(({ url }) => url);
  assert.deepEqual(urls, [`${origin}/c`, `${origin}/d`]);
});

test('pages are counted by hand only where the tag says so', async (t) => {
  const { origin, run, told } = await visit(t, { tag: 'data-manual' });
  await run(`history.pushState(null, '', '/b?utm_source=s&x=1')`);
  assert.deepEqual(await told(), []);
  await run(`daybook('pageview')`);
  assert.deepEqual(await told(), [pageview(`${origin}/b?utm_source=s`, `${origin}/`)]);
  await run(`daybook('signup', 'pro')`);
  assert.deepEqual(eventsIn(await told()), [['signup', 'pro']]);
  const usual = await visit(t);
  await usual.run(`daybook('pageview')`);
  assert.deepEqual(eventsIn(await usual.told()), [['pageview', undefined]]);
});

test('a form tells its event when it is sent, and not at each click in it', async (t) => {
  const body = `<form data-daybook-event="signup" data-daybook-label="pro" onsubmit="return false">
    <input id="name" name="action" required> <button id="send">Send</button></form>
    <div data-daybook-event="around"><button id="in" type="button">in</button></div>`;
  const { page, told } = await visit(t, { body });
  await page.click('#name');
  await page.click('#send');
  assert.deepEqual(eventsIn(await told()), [], 'it is not filled in');
  await page.fill('#name', 'x');
  await page.click('#send');
  assert.deepEqual(eventsIn(await told()), [['signup', 'pro']]);
  await page.click('#in');
  assert.deepEqual(eventsIn(await told()), [['around', undefined]]);
});

test('a page in a frame of its own origin is no page, and in a frame of another it is one', async (t) => {
  const framed = await visit(t, {
    path: '/framed',
    others: {
      '/around': serves('<!doctype html><iframe src="/framed"></iframe>'),
      '/elsewhere': serves(
        `<!doctype html><script>document.write('<iframe src="http://example.com:' + location.port + '/framed"></iframe>')</script>`,
      ),
    },
  });
  assert.deepEqual(await framed.told(), [pageview(`${framed.origin}/framed`)]);
  await framed.page.goto(`${framed.origin}/around`);
  const frame = framed.page.frames().find((one) => one.url().endsWith('/framed'));
  await frame?.waitForFunction('document.readyState === "complete" && typeof daybook === "function"');
  await frame?.evaluate(`daybook('x'); globalThis.settled()`);
  assert.deepEqual(await framed.told(), []);

  await framed.page.goto(`${framed.origin.replace('example.com', 'other.example')}/elsewhere`);
  const [seen] = await framed.toldAtLeast(1);
  assert.equal(seen?.url, `${framed.origin}/framed`, 'what another site shows is seen');
});

test('a page with something of its own called navigation is counted, and sees no error', async (t) => {
  for (const own of ['var navigation = ["a"]', 'function navigation() {}', 'navigation = null']) {
    const { origin, run, told } = await visit(t, { first: own });
    await run(`history.pushState(null, '', '/b')`);
    assert.deepEqual(await told(), [pageview(`${origin}/`), pageview(`${origin}/b`, `${origin}/`)], own);
  }
});
