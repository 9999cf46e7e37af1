import assert from 'node:assert/strict';
import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, type TestContext } from 'node:test';
import { type ConsoleMessage, chromium, type Page } from 'playwright-core';
import { loadScript } from '../../src/embedded/script.ts';
import { until } from '../support/program.ts';

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
  /** What is at other paths. */
  others?: Record<string, RequestListener>;
  /** Name of the script, with what follows it. */
  name?: string;
};

type Visit = {
  page: Page;
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
  settled = async () => {
    // What the script puts off for this tick comes before.
    await new Promise((done) => setTimeout(done));
    await Promise.allSettled(begun);
    return bodies;
  };
  Object.defineProperty(navigator, 'webdriver', { value: false, configurable: true });
`;
export const STUB = 'window.daybook = window.daybook || function () { (daybook.q = daybook.q || []).push(arguments) }';

export const html = (first: string, head: string, body = ''): string =>
  `<!doctype html><title>page</title><script>${STAGE}${first}</script>${head}<body>${body}`;

/** Answers of the page server by path; the empty path is for all others. */
let served: Record<string, RequestListener> = {};
const received = new Map<string, Request[]>();
let visits = 0;

/** What the pages of the next visit are, by path. */
export const serve = (pages: Record<string, RequestListener>): void => {
  served = pages;
};

const listen = (handler: RequestListener): Promise<Server> =>
  new Promise((resolve) => {
    const server = createServer(handler).listen(0, '127.0.0.1', () => resolve(server));
  });

export const serves =
  (content: string): RequestListener =>
  (_, answer) =>
    answer.setHeader('Content-Type', 'text/html').end(content);

/** The server of the pages. */
const servePages = (): Promise<Server> =>
  listen((request, answer) => {
    const path = request.url?.split('?')[0] ?? '';
    if (path === '/favicon.ico') answer.writeHead(204).end();
    else (served[path] ?? served[''])?.(request, answer);
  });

/** The server of the script, and of what it sends. */
async function serveScript(): Promise<Server> {
  const day = (await loadScript()).text;
  return await listen(async (request, answer) => {
    const path = request.url ?? '';
    answer.setHeader('Access-Control-Allow-Origin', '*');
    if (request.method === 'GET') return answer.setHeader('Content-Type', 'text/javascript').end(day);
    const list = received.get(path) ?? [];
    received.set(path, list);
    list.push({ method: request.method ?? '', headers: request.headers, body: await text(request) });
    answer.writeHead(202).end();
  });
}

async function begin() {
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    // Playwright switches it off; it is what some of the tests are about.
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
    args: [
      ...['--no-sandbox', '--disable-background-networking', '--disable-gpu', '--disable-quic', '--no-first-run'],
      ...['--disable-component-update', '--disable-sync', '--host-resolver-rules=MAP * 127.0.0.1'],
    ],
  });
  const page = await (await browser.newContext()).newPage();
  const servers = [await servePages(), await serveScript()] as const;
  const [pagesPort, scriptPort] = servers.map((server) => (server.address() as AddressInfo).port);
  return { browser, page, servers, pagesPort, scriptPort };
}

let begun: ReturnType<typeof begin> | undefined;

/** One page for the tests of all files, because a fresh one takes longer than most of them. */
export function stage(): ReturnType<typeof begin> {
  begun ??= begin();
  return begun;
}

after(async () => {
  if (begun === undefined) return;
  const { browser, servers } = await begun;
  await browser.close();
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

/**
 * Every message is a POST of plain text without a cookie, and no preflight came before it. Pageviews and events have
 * the width of the window and properties, and heartbeats have a depth. The width, a depth and no properties are left out of
 * what this returns.
 */
export function messagesIn(requests: Request[]): Message[] {
  return requests.map(({ method, headers, body }) => {
    assert.equal(method, 'POST');
    assert.equal(headers.cookie, undefined);
    assert.equal(headers['content-type'], 'text/plain;charset=UTF-8');
    const { width, props, scroll, ...message } = JSON.parse(body);
    const isHit = message.engaged === undefined;
    assert.deepEqual([Number.isInteger(width), props !== undefined, scroll === undefined], [isHit, isHit, isHit], body);
    return isHit && Object.keys(props).length > 0 ? { ...message, props } : message;
  });
}

/** The messages once all that is under way has arrived, in the order in which the page sent them. */
export async function arrived(requests: Request[], from = 0): Promise<Message[]> {
  const { page } = await stage();
  const bodies = (await page.evaluate('globalThis.settled?.()')) as string[] | undefined;
  const place = ({ body }: Request) => bodies?.indexOf(body) ?? 0;
  return messagesIn(requests.slice(from).sort((one, other) => place(one) - place(other)));
}

/** The script tag, and the list of what comes in for it. */
export async function embed({
  tag = '',
  name = 'day.js',
}: Setting = {}): Promise<{ tag: string; requests: Request[] }> {
  const { scriptPort } = await stage();
  const folderName = `/visit${++visits}/`;
  const requests: Request[] = [];
  received.set(folderName + name.replace(/\.js(\?.*)?$/, ''), requests);
  const src = `http://stats.example:${scriptPort}${folderName}${name}`;
  return { tag: `<script defer src="${src}" data-site="example.com" ${tag}></script>`, requests };
}

/** Opens a page of example.com; the test fails if the page sees an error. */
export async function visit(t: TestContext, setting: Setting = {}): Promise<Visit> {
  const { head = '', body = '', first = '', path = '/', host = 'example.com', others = {} } = setting;
  const { page, pagesPort } = await stage();
  const { tag, requests } = await embed(setting);
  serve({ ...others, '': serves(html(first, head + tag, body)) });
  const errors: string[] = [];
  const failed = (error: Error) => errors.push(error.message);
  const said = (line: ConsoleMessage) => line.type() === 'error' && errors.push(line.text());
  page.on('pageerror', failed).on('console', said);
  t.after(() => page.off('pageerror', failed).off('console', said));
  const origin = `http://${host}:${pagesPort}`;
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
    page,
    origin,
    run: (expression) => page.evaluate(expression),
    told,
    async toldAtLeast(count) {
      await until(`${count} messages`, () => requests.length - seen >= count);
      return told();
    },
  };
}

export const pageview = (url: string, referrer?: string): Message => ({
  site: 'example.com',
  url,
  ...(referrer === undefined ? {} : { referrer }),
});
export const event = (url: string, name: string, label?: string | number): Message => ({
  ...pageview(url),
  event: name,
  ...(label === undefined ? {} : { label }),
});
export const engagement = (url: string, engaged: number): Message => ({ ...pageview(url), engaged });

export const eventsIn = (messages: Message[]): unknown[] =>
  messages.filter((message) => 'event' in message).map(({ event, label }) => [event, label]);

/** Opens a page without the protocol in between, which would keep it from being rendered ahead and from being hidden. */
export async function openAlone(t: TestContext, url: string) {
  const { browser } = await stage();
  const session = await browser.newBrowserCDPSession();
  const { targetId } = await session.send('Target.createTarget', { url, newWindow: true });
  t.after(() => session.send('Target.closeTarget', { targetId }));
  const { windowId } = await session.send('Browser.getWindowForTarget', { targetId });
  return (windowState: 'minimized' | 'normal') =>
    session.send('Browser.setWindowBounds', { windowId, bounds: { windowState } });
}
