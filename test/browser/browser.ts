import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, type TestContext } from 'node:test';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { listen } from '../../src/http/server.ts';
import type { OptionName } from '../../src/options.ts';
import { BROWSER } from '../collect/stage.ts';
import { NOON, startApp } from '../support/helpers.ts';
import type { Person } from '../support/people.ts';
import { until } from '../support/program.ts';

/** Debian's browser without a window, which needs half as long as the whole one. */
const CHROMIUM = '/usr/bin/chromium-headless-shell';

let launched: Promise<Browser> | undefined;

/** One Chromium for all tests of a file; each page has a context, and so cookies, of its own. */
function browser(): Promise<Browser> {
  launched ??= chromium.launch({
    executablePath: CHROMIUM,
    args: [
      '--no-sandbox',
      '--disable-background-networking',
      '--disable-gpu',
      '--no-first-run',
      '--disable-sync',
      '--host-resolver-rules=MAP *.example 127.0.0.1',
    ],
  });
  return launched;
}

after(async () => (await launched)?.close());

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

type Place = {
  /** The page begins on another server, so that it may ask there too. */
  isElsewhere?: boolean;
};

/** A page that must not complain: a script error, a refused resource or a broken policy fails the test. */
export async function quietPage(
  t: TestContext,
  origin: string,
  options: BrowserContextOptions,
  { isElsewhere = false }: Place,
): Promise<Page> {
  // Animations would redraw the page all the time, which costs more than all else that it does.
  const still = { baseURL: origin, locale: 'en-GB', reducedMotion: 'reduce' } as const;
  const context = await (await browser()).newContext({ ...still, ...options });
  const page = await context.newPage();
  // The server's clock stands; that of the browser goes on from there.
  await page.clock.install({ time: NOON });
  page.setDefaultTimeout(60_000);
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(`error: ${error.message}`));
  page.on('dialog', (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('console', (message) => {
    const isPlain = /status of (401|402|403|404|422|502)/.test(message.text());
    if (message.type() === 'error' && !isPlain) complaints.push(`console: ${message.text()}`);
  });
  page.on('request', (request) => {
    if (isElsewhere) return;
    if (!request.url().startsWith(origin) && !/^(blob|data):/.test(request.url())) complaints.push(request.url());
  });
  t.after(() => assert.deepEqual(complaints, []));
  return page;
}

/** The whole application over a socket, for a real browser, which finds it by a name of this machine. */
export async function serving(
  t: TestContext,
  settings: Partial<Record<OptionName, string>> = {},
  host: '127.0.0.1' | 'localhost' = '127.0.0.1',
) {
  // Before the server stops, or what a page still asks for would fail.
  const pages: Page[] = [];
  t.after(() => Promise.all(pages.map((page) => page.context().close())));
  const port = await freePort();
  const origin = `http://${host}:${port}`;
  const cast = await startApp(t, { 'base-url': origin, flood: '0', ...settings });
  const { stop } = await listen(
    { host: '127.0.0.1', port, trust: cast.config.trust },
    { random: randomBytes, clock: cast.clock, log: () => {} },
    () => cast.app,
  );
  t.after(() => stop());

  async function open(options: BrowserContextOptions = {}, place: Place = {}): Promise<Page> {
    const page = await quietPage(t, origin, options, place);
    pages.push(page);
    return page;
  }

  /** A page of somebody who has signed in, at an address; with the form that is a test of its own. */
  async function signIn(person: Person, place = '/', options: BrowserContextOptions = {}): Promise<Page> {
    const page = await open(options);
    const [name = '', value = ''] = (await cast.signIn(person)).split('=');
    await page.context().addCookies([{ name, value, url: origin, httpOnly: true, sameSite: 'Lax' }]);
    await page.goto(place);
    return page;
  }

  return { ...cast, origin, open, signIn };
}

export type Stage = Awaited<ReturnType<typeof serving>>;

/** So many visitors look at each path, from a source. */
export async function look({ ask }: Stage, looks: Record<string, number>, more: object = {}): Promise<void> {
  let visitor = 0;
  for (const [path, visitors] of Object.entries(looks)) {
    for (let n = 0; n < visitors; n++) {
      const url = `https://example.com${path}`;
      const headers = { ...BROWSER, 'user-agent': `${BROWSER['user-agent']} ${path.length}${visitor++}` };
      const answer = await ask('POST', '/day', { body: { site: 'example.com', url, ...more }, headers });
      assert.equal(answer.status, 202);
      assert.equal(answer.headers.get('Daybook-Dropped'), null);
    }
  }
}

/** The address follows what is drawn a moment later. */
export const searchIs = (page: Page, wanted: string | RegExp): Promise<void> =>
  until(`the address has ${wanted || 'no search'}`, () => {
    const { search } = new URL(page.url());
    return typeof wanted === 'string' ? search === wanted : wanted.test(decodeURIComponent(search));
  });

const SCROLL_TO_WAITING = `(() => {
  const next = document.querySelector('.skeleton, [aria-busy="true"]');
  next?.scrollIntoView({ block: 'center' });
  return next === null;
})()`;

/** Scrolls to what waits for its answer until all is there: panels load only near the window. */
export const drawn = (page: Page): Promise<void> =>
  until(`all of ${page.url()} is drawn`, () => page.evaluate(SCROLL_TO_WAITING) as Promise<boolean>);

/** Goes to another address of the dashboard without loading the page, which costs as much as most of what is looked at there. */
export async function goWithin(page: Page, place: string): Promise<void> {
  await page.locator('body:not([aria-busy])').waitFor();
  await page.evaluate(`new Promise((done) => {
    history.pushState(null, '', ${JSON.stringify(place)});
    dispatchEvent(new PopStateEvent('popstate'));
    requestAnimationFrame(() => requestAnimationFrame(done));
  })`);
}

/** Goes to another address of the dashboard, and waits until all answers for it are there; the window must be as high as the page. */
export async function show(page: Page, place: string): Promise<void> {
  await goWithin(page, place);
  await until('nothing is on its way', async () => (await page.locator('[aria-busy="true"], .skeleton').count()) === 0);
}

/** What reaches out of the window to the right, though nothing that scrolls by itself is around it. */
const TOO_WIDE = `(() => {
  const { clientWidth: width, scrollWidth: needed } = document.documentElement;
  if (needed <= width) return [];
  const elements = [...document.querySelectorAll('body *')]
    .filter((element) => element.getBoundingClientRect().right > width + 1)
    .map((element) => element.outerHTML.slice(0, 120));
  return [needed, ...elements.slice(0, 5)];
})()`;

/** Nothing has to be scrolled sideways in windows of these widths. Charts are drawn again a moment after the width changes. */
export async function assertFits(page: Page, widths: readonly number[]): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 844 });
    let tooWide: unknown[] = [];
    const fits = async () => {
      tooWide = (await page.evaluate(TOO_WIDE)) as string[];
      return tooWide.length === 0;
    };
    await until(`${page.url()} fits into ${width}`, fits).catch((late) => assert.deepEqual(tooWide, [], late));
  }
}
