import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, type TestContext, test } from 'node:test';
import { type Browser, type ConsoleMessage, chromium, type Page } from 'playwright-core';
import { script } from '../../src/assets/script.ts';
import { folder } from '../helpers.ts';
import { until } from '../program.ts';

type Message = Record<string, unknown>;
type Request = { method: string; headers: IncomingHttpHeaders; body: string };

/** The part of the page that differs from test to test. */
type Setting = {
  /** Attributes of the script tag. */
  tag?: string;
  head?: string;
  body?: string;
  /** Runs before everything else in the page. */
  first?: string;
  path?: string;
  host?: string;
  /** Name of the script, with what follows it. */
  name?: string;
};

type Visit = {
  /** Where the pages are, such as http://example.com:1234. */
  origin: string;
  run(expression: string): Promise<unknown>;
  /** What has been told since the last time, once all that was under way has arrived. */
  told(): Promise<Message[]>;
  /** The same, once so many have arrived; for pages that are gone. */
  toldAtLeast(count: number): Promise<Message[]>;
};

/** A clock that stands until pass() is called, hide() for the page, a person before it, and a list of what was sent. */
const STAGE = `
  let now = 5000, hidden;
  performance.now = () => now;
  pass = (milliseconds) => { now += milliseconds; };
  const { get } = Object.getOwnPropertyDescriptor(Document.prototype, 'hidden');
  Object.defineProperty(document, 'hidden', { get: () => hidden ?? get.call(document) });
  hide = (yes) => { hidden = yes; document.dispatchEvent(new Event('visibilitychange', { bubbles: true })); };
  const begun = [], bodies = [], really = fetch;
  fetch = (...how) => { const answer = really(...how); begun.push(answer); bodies.push(how[1]?.body); return answer; };
  settled = async () => { await Promise.allSettled(begun); return bodies; };
  Object.defineProperty(navigator, 'webdriver', { value: false, configurable: true });
`;
const STUB = 'window.daybook = window.daybook || function () { (daybook.q = daybook.q || []).push(arguments) }';

const portOf = (server: Server): number => (server.address() as AddressInfo).port;
const html = (first: string, head: string, body = ''): string =>
  `<!doctype html><title>page</title><script>${STAGE}${first}</script>${head}<body>${body}`;

let browser: Browser;
let page: Page;
let pages: Server;
let collector: Server;
/** Answers of the page server by path; the empty path is for all others. */
let served: Record<string, RequestListener> = {};
const received = new Map<string, Request[]>();
let visits = 0;

const listen = (handler: RequestListener): Promise<Server> =>
  new Promise((resolve) => {
    const server = createServer(handler).listen(0, '127.0.0.1', () => resolve(server));
  });

const serves =
  (content: string): RequestListener =>
  (_, answer) =>
    answer.setHeader('Content-Type', 'text/html').end(content);

before(async () => {
  const day = (await script()).text;
  pages = await listen((request, answer) => {
    const path = request.url?.split('?')[0] ?? '';
    if (path === '/favicon.ico') answer.writeHead(204).end();
    else (served[path] ?? served[''])?.(request, answer);
  });
  collector = await listen(async (request, answer) => {
    const path = request.url ?? '';
    answer.setHeader('Access-Control-Allow-Origin', '*');
    if (request.method === 'GET') return answer.setHeader('Content-Type', 'text/javascript').end(day);
    const list = received.get(path) ?? [];
    received.set(path, list);
    list.push({ method: request.method ?? '', headers: request.headers, body: await text(request) });
    answer.writeHead(202).end();
  });
  browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    // Playwright switches it off; it is what some of the tests are about.
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
    args: [
      ...['--no-sandbox', '--disable-background-networking', '--disable-gpu', '--disable-quic', '--no-first-run'],
      ...['--disable-component-update', '--disable-sync', '--host-resolver-rules=MAP * 127.0.0.1'],
    ],
  });
  // One for all tests, because a fresh one takes longer than most of them.
  page = await (await browser.newContext()).newPage();
});

after(async () => {
  await browser.close();
  for (const server of [pages, collector]) {
    server.closeAllConnections();
    server.close();
  }
});

/** Every message is a POST of plain text without a cookie, and no preflight came before it. */
function messagesIn(requests: Request[]): Message[] {
  return requests.map(({ method, headers, body }) => {
    assert.equal(method, 'POST');
    assert.equal(headers.cookie, undefined);
    assert.equal(headers['content-type'], 'text/plain;charset=UTF-8');
    return JSON.parse(body);
  });
}

/** The messages once all that is under way has arrived, in the order in which the page sent them. */
async function arrived(requests: Request[], from = 0): Promise<Message[]> {
  const bodies = (await page.evaluate('globalThis.settled?.()')) as string[] | undefined;
  const place = ({ body }: Request) => bodies?.indexOf(body) ?? 0;
  return messagesIn(requests.slice(from).sort((one, other) => place(one) - place(other)));
}

/** The script tag, and the list of what comes in for it. */
function embed({ tag = '', name = 'day.js' }: Setting = {}): { tag: string; requests: Request[] } {
  const folderName = `/visit${++visits}/`;
  const requests: Request[] = [];
  received.set(folderName + name.replace(/\.js(\?.*)?$/, ''), requests);
  const src = `http://stats.example:${portOf(collector)}${folderName}${name}`;
  return { tag: `<script defer src="${src}" data-site="example.com" ${tag}></script>`, requests };
}

/** Opens a page of example.com; the test fails if the page sees an error. */
async function visit(t: TestContext, setting: Setting = {}): Promise<Visit> {
  const { head = '', body = '', first = '', path = '/', host = 'example.com' } = setting;
  const { tag, requests } = embed(setting);
  served = { '': serves(html(first, head + tag, body)) };
  const errors: string[] = [];
  const failed = (error: Error) => errors.push(error.message);
  const said = (line: ConsoleMessage) => line.type() === 'error' && errors.push(line.text());
  page.on('pageerror', failed).on('console', said);
  t.after(() => page.off('pageerror', failed).off('console', said));
  const origin = `http://${host}:${portOf(pages)}`;
  // An address that differs from the one before by its fragment only would not be loaded.
  if (path.includes('#')) await page.goto('about:blank');
  await page.goto(origin + path);
  let seen = 0;
  async function told(): Promise<Message[]> {
    const messages = await arrived(requests, seen);
    seen += messages.length;
    assert.deepEqual(errors, []);
    return messages;
  }
  return {
    origin,
    run: (expression) => page.evaluate(expression),
    told,
    async toldAtLeast(count) {
      await until(`${count} messages`, () => requests.length - seen >= count);
      return told();
    },
  };
}

const pageview = (url: string, referrer?: string): Message => ({
  site: 'example.com',
  url,
  ...(referrer === undefined ? {} : { referrer }),
});
const event = (url: string, name: string, label?: string): Message => ({
  ...pageview(url),
  event: name,
  ...(label === undefined ? {} : { label }),
});
const engagement = (url: string, engaged: number): Message => ({ ...pageview(url), engaged });

const eventsIn = (messages: Message[]): unknown[] =>
  messages.filter((message) => 'event' in message).map(({ event, label }) => [event, label]);

test('a page that is opened is one message, without cookies and without a preflight', async (t) => {
  const { origin, told } = await visit(t);
  assert.deepEqual(await told(), [pageview(`${origin}/`)]);
  await page.context().addCookies([
    { name: 'one', value: '1', url: `http://stats.example:${portOf(collector)}` },
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
    ['?email=ann@example.com&ref=r&utm_term=t&utm_source=&xref=1#ref=2', '?ref=r&utm_source='],
    ['?token=1&utm_sources=2#utm_source=3', ''],
    ['?a?ref=r&&=&', ''],
    ['?', ''],
  ] as const) {
    const { origin, told } = await visit(t, { path: `/a/${query}` });
    assert.deepEqual(await told(), [pageview(`${origin}/a/${kept}`)], query);
  }
});

test('the referrer is told without its query', async (t) => {
  const { origin, told } = await visit(t, { path: '/a?secret=1', body: '<a href="/b">next</a>' });
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

test('a page that comes back out of the back/forward cache is told again, without the time in between', async (t) => {
  const { origin, run, told, toldAtLeast } = await visit(t, {
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
  const { origin, run, told, toldAtLeast } = await visit(t);
  assert.equal((await told()).length, 1);
  await run('pass(1500); hide(true)');
  assert.deepEqual(await told(), [engagement(`${origin}/`, 1500)]);
  await run('pass(60_000); hide(true); hide(false); pass(999); hide(true); hide(false); pass(1000.4); hide(true)');
  assert.deepEqual(await told(), [engagement(`${origin}/`, 1000)]);
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

test('events are counted, before the script is there and after, under the page that they happen on', async (t) => {
  const { origin, run, told } = await visit(t, {
    head: `<script>${STUB}; daybook('first', 'a'); saved = daybook</script>`,
  });
  assert.deepEqual(await told(), [pageview(`${origin}/`), event(`${origin}/`, 'first', 'a')]);
  await run(`history.pushState(null, '', '/b'); daybook('second'); saved('third', 3); daybook('fourth', '')`);
  const [, ...events] = await told();
  assert.deepEqual(events, [
    { ...event(`${origin}/b`, 'second'), referrer: `${origin}/` },
    { ...event(`${origin}/b`, 'third', '3'), referrer: `${origin}/` },
    { ...event(`${origin}/b`, 'fourth'), referrer: `${origin}/` },
  ]);
});

test('a page without the stub has the function too', async (t) => {
  const { origin, run, told } = await visit(t);
  await run(`daybook('signup', 'pro')`);
  assert.deepEqual(await told(), [pageview(`${origin}/`), event(`${origin}/`, 'signup', 'pro')]);
});

test('names and labels are cut at whole characters, and what is no name is no event', async (t) => {
  const { run, told } = await visit(t);
  await told();
  await run(`daybook('😀'.repeat(130), 'é'.repeat(199) + '😀😀'); daybook('half\ud83d', '\ude00of it')`);
  assert.deepEqual(eventsIn(await told()), [
    ['😀'.repeat(120), `${'é'.repeat(199)}😀`],
    ['half', 'of it'],
  ]);
  await run(`daybook(); daybook(''); daybook(null, 'x'); daybook([]); daybook('\ud83d'); daybook(Object.create(null));
    daybook('x', { toString() { throw new Error('no') } })`);
  assert.deepEqual(await told(), []);
});

test('a click on a marked element, or on something in it, is an event', async (t) => {
  const { run, told } = await visit(t, {
    body: `<div data-daybook-event="card" data-daybook-label="blue"><p onclick="event.stopPropagation()">text <b>bold</b></p></div>
      <button data-daybook-event="buy"><svg width="9" height="9"><path d="M0 0h9v9H0z"/></svg></button><a href="#x" data-daybook-event="jump">jump</a>
      <i data-daybook-event="">empty</i><div id="host" data-daybook-event="outside"></div>
      <script>host.attachShadow({ mode: 'open' }).innerHTML = '<u>shadow</u>'</script>`,
  });
  await told();
  for (const target of ['b', 'svg', 'a', 'i', 'u']) await page.click(target);
  assert.deepEqual(eventsIn(await told()), [
    ['card', 'blue'],
    ['buy', undefined],
    ['jump', undefined],
    ['outside', undefined],
  ]);
  // The right button opens a menu; the middle one opens a link, and does nothing with a button.
  for (const target of ['svg', 'a']) await page.click(target, { button: 'right' });
  await page.click('svg', { button: 'middle' });
  assert.deepEqual(await told(), []);
  await run(
    `document.querySelector('a').dispatchEvent(new MouseEvent('auxclick', { button: 1, bubbles: true, composed: true }))`,
  );
  assert.deepEqual(eventsIn(await told()), [['jump', undefined]]);
  await run(
    `for (const target of [window, document, document.body]) target.dispatchEvent(new Event('click', { bubbles: true }))`,
  );
  assert.deepEqual(await told(), []);
});

const LINKS = `<a id="out" href="https://other.example:8443/a/b?secret=1#c">out</a> <a id="sub" href="http://www.example.com/a">sub</a>
  <a id="alike" href="http://notexample.com/">alike</a> <a id="inner" href="/inner">inner</a>
  <a id="pdf" href="/files/Report.PDF?download=1"><b>pdf</b></a> <a id="zip" href="https://other.example/a.zip">zip</a>
  <a id="page" href="/pdf/zip.html">page</a> <a id="mail" href="mailto:a@other.example">mail</a>
  <a id="script" href="javascript:void 0">script</a> <a id="none">none</a>
  <script>addEventListener('click', (event) => event.preventDefault())</script>`;

test('outbound links and downloads are events only where the tag asks for them', async (t) => {
  const cases: [string, (files: string) => unknown[]][] = [
    ['', () => []],
    [
      'data-outbound',
      () => [
        ['Outbound link', 'other.example:8443/a/b'],
        ['Outbound link', 'notexample.com/'],
        ['Outbound link', 'other.example/a.zip'],
      ],
    ],
    [
      'data-downloads',
      (host) => [
        ['Download', `${host}/files/Report.PDF`],
        ['Download', 'other.example/a.zip'],
      ],
    ],
    [
      'data-outbound data-downloads',
      (host) => [
        ['Outbound link', 'other.example:8443/a/b'],
        ['Outbound link', 'notexample.com/'],
        ['Download', `${host}/files/Report.PDF`],
        ['Download', 'other.example/a.zip'],
      ],
    ],
  ];
  for (const [tag, expected] of cases) {
    const { origin, run, told } = await visit(t, { tag, body: LINKS });
    await told();
    await run(`for (const link of document.links) (link.firstElementChild ?? link).click()`);
    assert.deepEqual(eventsIn(await told()), expected(origin.replace('http://', '')), tag);
  }
});

test('a link that leads away is counted without holding the visitor up, with the middle button too', async (t) => {
  const target = `other.example:${portOf(pages)}/there`;
  const { origin, told, toldAtLeast } = await visit(t, {
    tag: 'data-outbound',
    body: `<a href="http://${target}">there</a>`,
  });
  const there = event(`${origin}/`, 'Outbound link', target);
  served['/there'] = serves('there');
  await told();
  const [tab] = await Promise.all([page.context().waitForEvent('page'), page.click('a', { button: 'middle' })]);
  assert.deepEqual(await told(), [there]);
  await tab.close();
  await page.click('a');
  await page.waitForURL(`http://${target}`);
  assert.deepEqual(await toldAtLeast(1), [there]);
});

test('a page that is marked as not found is a pageview, and an event with the path that nobody found', async (t) => {
  const { origin, run, told } = await visit(t, { tag: 'data-404', path: '/nowhere?x=1' });
  assert.deepEqual(await told(), [pageview(`${origin}/nowhere`), event(`${origin}/nowhere`, '404', '/nowhere')]);
  await run(`history.pushState(null, '', '/')`);
  assert.deepEqual(await told(), [pageview(`${origin}/`, `${origin}/nowhere`)]);
});

test('machines of developers are left out unless the tag says data-local', async (t) => {
  for (const host of [
    'localhost',
    '127.0.0.1',
    '[::1]',
    'printer.local',
    '127.example.com',
    'localhost.example.com',
    'local.example.com',
  ]) {
    const { origin, run, told } = await visit(t, { host });
    await run(`daybook('x')`);
    assert.equal((await told()).length, host.endsWith('.com') ? 2 : 0, origin);
  }
  const { origin, told } = await visit(t, { host: 'localhost', tag: 'data-local' });
  assert.deepEqual(await told(), [pageview(`${origin}/`)]);
});

test('a page from a file is left out', async (t) => {
  const { told } = await visit(t);
  assert.equal((await told()).length, 1);
  const { tag, requests } = embed();
  const file = join(folder(t), 'page.html');
  writeFileSync(file, html('', tag));
  await page.goto(`file://${file}`);
  await page.evaluate(`daybook('x'); settled()`);
  assert.deepEqual(requests, []);
});

test('a driven browser is left out unless the tag says data-local', async (t) => {
  const first = `Object.defineProperty(navigator, 'webdriver', { value: true });`;
  for (const [tag, count] of [
    ['', 0],
    ['data-local', 1],
  ] as const) {
    const { told } = await visit(t, { tag, first });
    assert.equal((await told()).length, count, tag);
  }
});

test('who opens #daybook-off is not counted any more on this site, until #daybook-on', async (t) => {
  const { origin, run, told } = await visit(t, { path: '/#daybook-off', host: 'private.example', tag: 'data-404' });
  await run(`daybook('x'); history.pushState(null, '', '/b'); pass(5000); hide(true)`);
  await page.goto(`${origin}/c`);
  assert.deepEqual(await told(), []);
  await page.goto(`${origin}/c#daybook-offer`);
  await page.goto(`${origin}/c#daybook-on`);
  await page.reload();
  assert.deepEqual((await told()).length, 2);
  // In an open page it works at once.
  await run(
    `new Promise((done) => { addEventListener('hashchange', done, { once: true }); location.hash = 'daybook-off' }).then(() => 1)`,
  );
  await run(`history.replaceState(null, '', '/c'); daybook('x')`);
  assert.deepEqual(await told(), []);
});

test('where storage is forbidden everything else works', async (t) => {
  const { origin, told } = await visit(t, {
    first: `Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('no', 'SecurityError'); } });`,
    path: '/#daybook-off',
  });
  assert.deepEqual(await told(), [pageview(`${origin}/`)]);
});

test('Do Not Track and Global Privacy Control are honoured where the tag asks for it', async (t) => {
  for (const [name, value] of [
    ['doNotTrack', `'1'`],
    ['doNotTrack', `'0'`],
    ['globalPrivacyControl', 'true'],
    ['globalPrivacyControl', 'false'],
  ]) {
    for (const tag of ['', 'data-respect-dnt']) {
      const { told } = await visit(t, {
        tag,
        first: `Object.defineProperty(navigator, '${name}', { value: ${value} });`,
      });
      const says = tag !== '' && (value === `'1'` || value === 'true');
      assert.equal((await told()).length, says ? 0 : 1, `${name} ${value} ${tag}`);
    }
  }
});

test('a script that is there twice counts once', async (t) => {
  const second = embed();
  const { origin, run, told } = await visit(t, { head: second.tag });
  await run(`daybook('x'); history.pushState(null, '', '/b')`);
  assert.deepEqual(await told(), []);
  assert.deepEqual(await arrived(second.requests), [
    pageview(`${origin}/`),
    event(`${origin}/`, 'x'),
    pageview(`${origin}/b`, `${origin}/`),
  ]);
  const hidden = embed();
  const waiting = await visit(t, { head: hidden.tag, first: 'hidden = true;' });
  await waiting.run('hide(false)');
  assert.equal((await waiting.told()).length + hidden.requests.length, 1);
});

test('a module has no tag to read, so there the script takes calls and does nothing else', async (t) => {
  const { run, told } = await visit(t, { tag: 'type="module"' });
  await run(`daybook('x'); history.pushState(null, '', '/b')`);
  assert.deepEqual(await told(), []);
});

test('the page sees nothing of a server that does not answer, or of a fetch that it broke itself', async (t) => {
  for (const first of [
    `fetch = () => { throw new TypeError('no'); };`,
    `fetch = () => Promise.reject(new TypeError('no'));`,
    'fetch = () => undefined;',
    'fetch = undefined;',
  ]) {
    const { run, told } = await visit(t, {
      first: `${first} addEventListener('unhandledrejection', () => { loose = true; });`,
    });
    await run(`daybook('x'); pass(2000); hide(true)`);
    assert.equal(await run(`new Promise((done) => setTimeout(() => done(typeof loose)))`), 'undefined');
    assert.deepEqual(await told(), []);
  }
});

/** Opens a page without the protocol in between, which would keep it from being rendered ahead and from being hidden. */
async function openAlone(t: TestContext, url: string) {
  const session = await browser.newBrowserCDPSession();
  const { targetId } = await session.send('Target.createTarget', { url, newWindow: true });
  t.after(() => session.send('Target.closeTarget', { targetId }));
  const { windowId } = await session.send('Browser.getWindowForTarget', { targetId });
  return (windowState: 'minimized' | 'normal') =>
    session.send('Browser.setWindowBounds', { windowId, bounds: { windowState } });
}

test('a window that is really minimized sends the time, and only once', async (t) => {
  const { tag, requests } = embed();
  const url = `http://example.com:${portOf(pages)}/`;
  let isHidden = 'false';
  served = {
    // Each change comes 2 seconds after the one before.
    '/': serves(
      html(`addEventListener('visibilitychange', () => { pass(2000); really('/is?' + document.hidden); }, true);`, tag),
    ),
    '/is': (request, answer) => {
      isHidden = request.url?.split('?')[1] ?? '';
      answer.end();
    },
  };
  const show = await openAlone(t, url);
  await until('the pageview', () => requests.length === 1);
  await show('minimized');
  await until('the first time', () => requests.length === 2 && isHidden === 'true');
  await show('normal');
  await until('the window', () => isHidden === 'false');
  await show('minimized');
  await until('the second time', () => requests.length === 3);
  assert.deepEqual(messagesIn(requests), [pageview(url), engagement(url, 2000), engagement(url, 2000)]);
});

test('a page that the browser really renders ahead counts when the visitor gets there', async (t) => {
  const { tag, requests } = embed();
  const origin = `http://example.com:${portOf(pages)}`;
  const ready = Promise.withResolvers<string>();
  // As long as the protocol still holds the new page, each attempt at rendering another ahead is refused.
  const start = `<script>let turn = 0;
    const timer = setInterval(() => {
      const rules = Object.assign(document.createElement('script'), { type: 'speculationrules' });
      rules.text = JSON.stringify({ prerender: [{ urls: ['/next?' + ++turn], eagerness: 'immediate' }] });
      document.head.append(rules);
    }, 50);
    fetch('/go').then((answer) => answer.text()).then((url) => { clearInterval(timer); location.href = url; })</script>`;
  const next = `<script>addEventListener('load', () => {
      fetch('/ready' + location.search, { method: 'POST', body: String(document.prerendering) }); })</script>`;
  const before: unknown[] = [];
  served = {
    '/': serves(html('', tag, start)),
    '/next': serves(html('', tag, next)),
    '/go': async (_, answer) => answer.end(await ready.promise),
    '/ready': async (request, answer) => {
      before.push(await text(request), ...messagesIn(requests));
      answer.end();
      ready.resolve(request.url?.replace('ready', 'next') ?? '');
    },
  };
  await openAlone(t, `${origin}/`);
  await ready.promise;
  assert.deepEqual(before, ['true', pageview(`${origin}/`)]);
  await until('the second pageview', () => requests.length === 2);
  assert.deepEqual(messagesIn(requests.slice(1)), [pageview(`${origin}/next`, `${origin}/`)]);
});
