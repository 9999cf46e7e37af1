// The pictures of the documents: `npm run pictures` fills the demo, lets a wave come, and takes them with Debian's Chromium.
// Texts have the font Inter, from Debian's package fonts-inter, so that each machine takes equal pictures.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { chromium, type Page } from 'playwright-core';
import { daybookFrom } from '../test/support/program.ts';

/** An afternoon, on which every run takes the pictures, so that they change only with what they show. */
const MOMENT = Date.parse('2026-11-19T15:10:00Z');
const PROGRAM = daybookFrom(MOMENT);
const SITE = 'bakery.example';
/** The site of the alert, which is not the one of the dashboard. */
const WAVED = 'docs.example';
const WAVE = 400;

const folder = mkdtempSync(join(tmpdir(), 'daybook-pictures-'));
const db = join(folder, 'demo.db');
const daybook = (...args: string[]): string =>
  execFileSync(process.execPath, [...PROGRAM, ...args, '--db', db], { encoding: 'utf8' });

/** Visitors from one place to one page, in the hour that is over, which is the one that alerts look at. */
async function sendWave(origin: string): Promise<void> {
  const email = daybook('user', 'list').split(/\s/)[0] ?? '';
  const token = daybook('token', 'add', email, '--name', 'wave', '--abilities', 'collect').trim();
  const at = new Date(MOMENT - 2_400_000).toISOString();
  const hits = Array.from({ length: WAVE }, (_, n) => ({
    at,
    url: `https://${WAVED}/install`,
    referrer: 'https://news.ycombinator.com/item',
    ip: `203.0.${113 + (n % 2)}.${1 + (n % 250)}`,
    agent: `Mozilla/5.0 (X11; Linux x86_64; rv:${100 + (n % 40)}.0) Gecko/20100101 Firefox/${100 + (n % 40)}.0`,
  }));
  const answer = await fetch(`${origin}/api/v1/sites/${WAVED}/hits`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(hits),
  });
  if (answer.status !== 202) throw new Error(`the wave was answered ${answer.status}: ${await answer.text()}`);
}

const FONT = 'Inter';
/** Runs in each page before its own scripts. */
const SET_FONT = `addEventListener('DOMContentLoaded', () => document.documentElement.style.setProperty('--font', '${FONT}'))`;
if (execFileSync('/usr/bin/fc-list', [FONT]).length === 0)
  throw new Error(`The font ${FONT} is missing: apt-get install fonts-inter`);

const WIDTH = 1280;
const HEIGHT = 1000;
/** Below the panels that the picture of the dashboard ends with. */
const MARGIN = 16;

type Scene = { name: string; width: number; take: (page: Page, path: string) => Promise<unknown> };

/** Longer than a page waits before it loads its next part, such as logos and changes of rows. */
const QUIET_MS = 2_000;

/** Waits until a page is the same at two looks. The network says less: a live page keeps one request open. */
async function settle(page: Page): Promise<void> {
  for (let before = '', now = await page.content(); now !== before; now = await page.content()) {
    before = now;
    await pause(QUIET_MS);
  }
}

async function open(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await settle(page);
}

/** Takes a panel that is loaded only when the user scrolls to it. */
async function takePanel(page: Page, address: string, { title, path }: { title: string; path: string }): Promise<void> {
  await open(page, address);
  await page.evaluate('scrollTo(0, document.body.scrollHeight)');
  const panel = page.getByRole('region', { name: title, exact: true });
  await panel.scrollIntoViewIfNeeded();
  await settle(page);
  await panel.screenshot({ path });
}

const panelScenesAt = (origin: string): Scene[] =>
  [
    { name: 'properties', title: 'Properties', query: '?property=pickup' },
    { name: 'speed', title: 'Speed', query: '' },
  ].map(({ name, title, query }) => ({
    name,
    width: WIDTH,
    take: (page, path) => takePanel(page, `${origin}/sites/${SITE}${query}`, { title, path }),
  }));

const exploreSceneAt = (origin: string): Scene => ({
  name: 'explore',
  width: WIDTH,
  async take(page, path) {
    await open(page, `${origin}/sites/${SITE}?explore=1&by=channel,week&metrics=visitors,revenue`);
    await page.locator('.explore-table td').first().waitFor();
    await settle(page);
    await page.screenshot({ path });
  },
});

const scenesAt = (origin: string, mail: string): Scene[] => [
  {
    name: 'dashboard',
    width: WIDTH,
    async take(page, path) {
      await open(page, `${origin}/sites/${SITE}`);
      const panel = page.locator('section.panel').first();
      await panel.locator('ol li').first().waitFor();
      const box = await panel.boundingBox();
      const height = Math.ceil((box?.y ?? 0) + (box?.height ?? 0) + MARGIN);
      await page.screenshot({ path, fullPage: true, clip: { x: 0, y: 0, width: WIDTH, height } });
    },
  },
  {
    name: 'crawlers',
    width: WIDTH,
    async take(page, path) {
      await open(page, `${origin}/sites/${SITE}`);
      const panel = page.locator('section.panel', { has: page.getByRole('heading', { name: 'AI crawlers' }) });
      await panel.scrollIntoViewIfNeeded();
      await panel.locator('ol li').first().waitFor();
      await settle(page);
      await panel.screenshot({ path });
    },
  },
  {
    name: 'sites',
    width: WIDTH,
    async take(page, path) {
      await open(page, origin);
      await page.locator('.site-card-visitors').nth(2).waitFor();
      await page.screenshot({ path, clip: { x: 0, y: 0, width: WIDTH, height: 500 } });
    },
  },
  {
    name: 'live',
    width: WIDTH,
    async take(page, path) {
      await open(page, `${origin}/sites/${SITE}?live=1`);
      await page.locator('.live-now-list ol').first().waitFor();
      await page.locator('dialog').screenshot({ path });
    },
  },
  {
    name: 'details',
    width: WIDTH,
    async take(page, path) {
      await open(page, `${origin}/sites/${SITE}`);
      await page.getByRole('button', { name: 'Details' }).first().click();
      await page.locator('dialog table td').first().waitFor();
      await settle(page);
      await page.locator('dialog').screenshot({ path });
    },
  },
  {
    name: 'phone',
    width: 390,
    async take(page, path) {
      await open(page, `${origin}/sites/${SITE}`);
      await page.locator('section.panel ol li').first().waitFor();
      await page.screenshot({ path });
    },
  },
  {
    name: 'alert',
    width: 640,
    async take(page, path) {
      await page.setContent(mail);
      await page.screenshot({ path, fullPage: true });
    },
  },
  {
    name: 'server',
    width: 1000,
    async take(page, path) {
      await open(page, `${origin}/server`);
      await page.locator('.server-finding').first().waitFor();
      await page
        .locator('section', { has: page.locator('.server-finding') })
        .last()
        .screenshot({ path });
    },
  },
];

const demo = spawn(process.execPath, [...PROGRAM, 'demo', '--db', db], { stdio: ['ignore', 'pipe', 'inherit'] });
try {
  let link = '';
  for await (const line of createInterface(demo.stdout)) {
    link = /^open (\S+)/.exec(line)?.[1] ?? link;
    if (line.startsWith('listening')) break;
  }
  const { origin } = new URL(link);
  daybook('backup', join(folder, 'copy.db'));
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-background-networking'],
  });
  const first = await browser.newContext();
  await (await first.newPage()).goto(link);
  const storageState = await first.storageState();
  await sendWave(origin);
  const mail = daybook('mail', 'preview', WAVED, '--kind', 'traffic', '--html').replaceAll('system-ui', FONT);
  for (const { name, width, take } of [...scenesAt(origin, mail), ...panelScenesAt(origin), exploreSceneAt(origin)])
    for (const colorScheme of ['light', 'dark'] as const) {
      const settings = { colorScheme, viewport: { width, height: HEIGHT }, locale: 'en-GB', storageState };
      const context = await browser.newContext(settings);
      await context.clock.install({ time: MOMENT });
      await context.addInitScript(SET_FONT);
      await take(await context.newPage(), join(import.meta.dirname, `${name}-${colorScheme}.png`));
      await context.close();
    }
  await browser.close();
} finally {
  demo.kill();
  await once(demo, 'exit');
  rmSync(folder, { recursive: true, force: true });
}
