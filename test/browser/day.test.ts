import assert from 'node:assert/strict';
import { test } from 'node:test';
import { embed, engagement, event, html, pageview, STUB, serve, serves, stage, visit } from './visiting.ts';

/** Names of parameters whose values are the ids of clicks on ads. */
const CLICK_IDS = ['gclid', 'gbraid', 'wbraid', 'msclkid', 'fbclid', 'ttclid', 'twclid', 'li_fat_id'];

test('a page that is opened is one message, without cookies and without a preflight', async (t) => {
  const { page, origin, told } = await visit(t);
  assert.deepEqual(await told(), [pageview(`${origin}/`)]);
  const { scriptPort } = await stage();
  await page.context().addCookies([
    { name: 'one', value: '1', url: `http://stats.example:${scriptPort}` },
    { name: 'two', value: '2', url: origin },
  ]);
  await page.goto(`${origin}/again`);
  assert.deepEqual(await told(), [pageview(`${origin}/again`)]);
  assert.equal(await page.evaluate('document.cookie'), 'two=2');
  assert.deepEqual(await page.evaluate('Object.keys(localStorage)'), []);
});

test('the messages go to the path of the script without its ending, wherever that is', async (t) => {
  for (const name of ['renamed.js', 'day.js?v=2', 'lib.js/read.me.js', 'plain']) {
    const { origin, told } = await visit(t, { name });
    assert.deepEqual(await told(), [pageview(`${origin}/`)], name);
  }
});

test('of the query only campaign tags, source and ref leave the browser, as they were written', async (t) => {
  const tags = 'utm_source=a%20b&utm_medium=m&utm_campaign=c&source=s&ref=r';
  for (const [query, kept] of [
    [`?${tags}`, `?${tags}`],
    ['?email=ann@example.com&ref=r&utm_term=t&utm_source=&xref=1#ref=2', '?ref=r&utm_term=t&utm_source='],
    ['?token=1&utmsource=2&xutm_term=4#utm_source=3', ''],
    ['?a?ref=r&&=&', ''],
    ['?', ''],
    [`?${CLICK_IDS.join('=SECRET&')}=SECRET`, `?${CLICK_IDS.join('=&')}=`],
    ['?user_id=SECRET&gclid=SECRET&utm_source=x&id=gclid=SECRET&clid=SECRET', '?gclid=&utm_source=x'],
  ] as const) {
    const { origin, told } = await visit(t, { path: `/a/${query}` });
    assert.deepEqual(await told(), [pageview(`${origin}/a/${kept}`)], query);
  }
});

test('the width of the window is told, and of a click id only that it was there', async () => {
  const { page, pagesPort } = await stage();
  const { tag, requests } = await embed();
  serve({ '': serves(html('', tag)) });
  await page.setViewportSize({ width: 777, height: 500 });
  await page.goto(`http://example.com:${pagesPort}/?gclid=SECRET&utm_source=x&y=1#z`);
  await page.evaluate(`daybook('x'); pass(2000); hide(true)`);
  const bodies = (await page.evaluate('settled()')) as string[];
  await page.setViewportSize({ width: 1280, height: 720 });
  assert.deepEqual(requests.map(({ body }) => body).sort(), bodies.toSorted());
  const messages = bodies.map((body) => JSON.parse(body));
  assert.deepEqual(
    messages.map(({ width, event, engaged }) => [width, event, engaged]),
    [
      [777, undefined, undefined],
      [777, 'x', undefined],
      [undefined, undefined, 2000],
    ],
  );
  for (const { url } of messages) assert.equal(url, `http://example.com:${pagesPort}/?gclid=&utm_source=x`);
  assert.doesNotMatch(JSON.stringify(requests), /SECRET/);
});

test('the referrer is told without its query', async (t) => {
  const { page, origin, told } = await visit(t, { path: '/a?secret=1', body: '<a href="/b">next</a>' });
  await told();
  await page.click('a');
  await page.waitForURL('**/b');
  assert.equal(await page.evaluate('document.referrer'), `${origin}/a?secret=1`);
  assert.deepEqual(await told(), [pageview(`${origin}/b`, `${origin}/a`)]);
});

test('a single-page application tells each new path once, and the page before it', async (t) => {
  const { origin, run, told } = await visit(t, { path: '/?ref=r' });
  assert.deepEqual(await told(), [pageview(`${origin}/?ref=r`)]);
  await run(`history.pushState(null, '', '/b?utm_source=s&x=1')`);
  assert.deepEqual(await told(), [pageview(`${origin}/b?utm_source=s`, `${origin}/`)]);
  await run(`history.replaceState(null, '', '/b'); history.replaceState(null, '', '/b?x=2');
    history.pushState(null, '', '#top'); history.pushState(null, '', location.href); location.hash = 'end'`);
  assert.deepEqual(await told(), []);
  await run(`history.replaceState(null, '', '/c')`);
  assert.deepEqual(await told(), [pageview(`${origin}/c`, `${origin}/b`)]);
  const moved = (how: string) =>
    `new Promise((done) => { addEventListener('popstate', done, { once: true }); ${how} })`;
  await run(`${moved('history.go(-4)')}.then(() => 1)`);
  assert.deepEqual(await told(), [pageview(`${origin}/?ref=r`, `${origin}/c`)]);
  await run(`${moved('history.forward()')}.then(() => 1)`);
  assert.deepEqual(await told(), [pageview(`${origin}/b`, `${origin}/`)]);
});

test('the history of the page works as before: states, its own wrappers, its errors', async (t) => {
  const { run, told } = await visit(t, {
    head: `<script>calls = []; for (const name of ['pushState', 'replaceState']) {
      const change = history[name]; history[name] = function (...how) { calls.push(name); return change.apply(this, how); } }</script>`,
  });
  assert.equal(await run(`history.pushState({ a: 1 }, '', '/b'); history.state.a`), 1);
  assert.equal(await run(`history.replaceState({ a: 2 }, ''); history.state.a`), 2);
  assert.deepEqual(await run('calls'), ['pushState', 'replaceState']);
  const failed = (how: string) => run(`try { ${how}; 'fine' } catch ({ name }) { name }`);
  assert.equal(await failed(`history.pushState(null, '', 'http://other.example/')`), 'SecurityError');
  assert.equal(await failed('history.pushState(() => {}, "")'), 'DataCloneError');
  assert.equal((await told()).length, 2);
});

test('with data-hash the fragment is part of the page, but not what follows a question mark in it', async (t) => {
  const { origin, run, told } = await visit(t, { tag: 'data-hash', path: '/app?ref=r&x=1#/a?token=1' });
  assert.deepEqual(await told(), [pageview(`${origin}/app?ref=r#/a`)]);
  await run(`history.replaceState(null, '', '#/a?token=2'); history.pushState(null, '', '#/a')`);
  assert.deepEqual(await told(), []);
  await run(`history.pushState(null, '', '#/b')`);
  assert.deepEqual(await told(), [pageview(`${origin}/app?ref=r#/b`, `${origin}/app#/a`)]);
  await run(
    `new Promise((done) => { addEventListener('hashchange', done, { once: true }); location.hash = '/c' }).then(() => 1)`,
  );
  assert.deepEqual(await told(), [pageview(`${origin}/app?ref=r#/c`, `${origin}/app#/b`)]);
});

test('with data-hash an app that replaces its first page by #/ or #!/ is counted once, and #top is no page', async (t) => {
  for (const route of ['#/', '#!/', '#/?tab=1', '#top']) {
    const { origin, run, told } = await visit(t, { tag: 'data-hash', path: '/app' });
    assert.deepEqual(await told(), [pageview(`${origin}/app`)]);
    await run(`history.replaceState(null, '', '${route}')`);
    assert.deepEqual(await told(), [], route);
    await run(`history.pushState(null, '', '#/b/')`);
    assert.deepEqual(await told(), [pageview(`${origin}/app#/b`, `${origin}/app`)]);
    await run(`history.pushState(null, '', '#!b/c')`);
    assert.deepEqual(await told(), [pageview(`${origin}/app#!b/c`, `${origin}/app#/b`)]);
  }
});

test('a page that comes back out of the back/forward cache is told again, without the time in between', async (t) => {
  const { page, origin, run, told, toldAtLeast } = await visit(t, {
    // A browser that does not say that the page is hidden while it is in there.
    first: `hidden = false; addEventListener('pageshow', ({ persisted }) => { if (persisted) pass(60_000); });`,
    path: '/a?ref=r',
  });
  await run('kept = 1; history.pushState(null, "", "/b")');
  assert.equal((await told()).length, 2);
  await page.goto(`${origin}/elsewhere`);
  assert.deepEqual(await toldAtLeast(1), [pageview(`${origin}/elsewhere`)]);
  const isBack = page.waitForURL(`${origin}/b`, { waitUntil: 'commit' });
  await page.evaluate('setTimeout(() => history.back())');
  await isBack;
  assert.deepEqual(await toldAtLeast(1), [pageview(`${origin}/b`)]);
  assert.equal(await run('kept'), 1);
  await run('pass(2000); hide(true)');
  assert.deepEqual(await told(), [engagement(`${origin}/b`, 2000)]);
});

test('a page that opens in a hidden tab counts when somebody sees it, and what it called in the meantime follows', async (t) => {
  const { origin, run, told } = await visit(t, {
    first: 'hidden = true;',
    head: `<script>${STUB}; daybook('early', 'one')</script>`,
    body: '<button data-daybook-event="pressed">press</button>',
  });
  await run(`daybook('later'); history.pushState(null, '', '/b'); pass(9000); hide(true)`);
  assert.deepEqual(await told(), []);
  await run('hide(false)');
  assert.deepEqual(await told(), [
    pageview(`${origin}/b`),
    event(`${origin}/b`, 'early', 'one'),
    event(`${origin}/b`, 'later'),
  ]);
  await run('hide(true); hide(false)');
  assert.deepEqual(await told(), []);
});

test('time counts while the page is visible, from a second on, and each millisecond once', async (t) => {
  const { page, origin, run, told, toldAtLeast } = await visit(t);
  assert.equal((await told()).length, 1);
  await run('pass(1500); hide(true)');
  assert.deepEqual(await told(), [engagement(`${origin}/`, 1500)]);
  await run('pass(60_000); hide(true); hide(false); pass(999); hide(true); hide(false); pass(1000.5); hide(true)');
  assert.deepEqual(await told(), [engagement(`${origin}/`, 1000.5)]);
  await run(`hide(false); pass(2000); history.pushState(null, '', '/b')`);
  assert.deepEqual(await told(), [engagement(`${origin}/`, 2000), pageview(`${origin}/b`, `${origin}/`)]);
  await run(`pass(900); history.pushState(null, '', '/c')`);
  assert.deepEqual(await told(), [pageview(`${origin}/c`, `${origin}/b`)]);
  await run(`pass(3000); hide(true); dispatchEvent(new Event('pagehide')); hide(undefined); pass(4000)`);
  await page.goto(`${origin}/d`);
  assert.deepEqual(await toldAtLeast(3), [
    engagement(`${origin}/c`, 3000),
    engagement(`${origin}/c`, 4000),
    pageview(`${origin}/d`),
  ]);
});

test('a heartbeat has the deepest share of the page that was on the screen', async (t) => {
  const tall = '<style>body { margin: 0 }</style><div style="height: 3000px">tall</div>';
  const { page, origin } = await visit(t, { body: tall });
  await page.setViewportSize({ width: 1280, height: 600 });
  const depths = async (deeds: string): Promise<unknown[]> => {
    const before = ((await page.evaluate('settled()')) as string[]).length;
    await page.evaluate(`(async () => { ${deeds} })()`);
    const bodies = (await page.evaluate('settled()')) as string[];
    return bodies.slice(before).map((body) => JSON.parse(body).scroll);
  };
  const scroll = (y: number) =>
    `await new Promise((done) => { addEventListener('scroll', done, { once: true }); scrollTo(0, ${y}); });`;
  assert.deepEqual(await depths('pass(2000); hide(true); hide(false)'), [20], 'the first screen');
  assert.deepEqual(await depths(`${scroll(900)} ${scroll(300)} pass(2000); hide(true); hide(false)`), [50]);
  assert.deepEqual(await depths(`${scroll(2400)} ${scroll(0)} pass(2000); hide(true); hide(false)`), [100]);
  // The next page of a single-page application begins again. Here it is not scrolled, but clicked.
  assert.deepEqual(await depths(`pass(2000); history.pushState(null, '', '/b'); await settled()`), [100, undefined]);
  const next = `document.body.click(); document.querySelector('div').style.height = '600px'; pass(2000);`;
  assert.deepEqual(await depths(`${next} history.pushState(null, '', '/c'); await settled()`), [20, undefined]);
  // A page that is shorter than the window is seen whole.
  const short = `document.querySelector('div').style.height = '60px'; pass(2000); hide(true); hide(false)`;
  assert.deepEqual(await depths(short), [100]);
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.goto(`${origin}/end`);
});
