import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { noteUpkeep } from '../../src/store/upkeep.ts';
import { drawn, look, type Stage, serving } from './browser.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

type Violation = { id: string; nodes: { html: string; failureSummary: string }[] };

/** What axe-core finds wrong with what is shown now. */
async function faults(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  const { violations } = (await page.evaluate('axe.run()')) as { violations: Violation[] };
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
}

/** Something of everything, so that nothing is looked at empty only. */
async function furnish(stage: Stage): Promise<string> {
  const { owner, ask, db } = stage;
  noteUpkeep(db, 'drill', { at: 0, fine: false, words: 'it is damaged' });
  await look(stage, { '/': 9, '/prices': 5, '/thanks': 2 });
  await look(stage, { '/': 3 }, { referrer: 'https://chatgpt.com/', event: 'signup', label: 'pro' });
  const crawler = { 'user-agent': 'Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)' };
  await ask('POST', '/day', { body: { site: 'example.com', url: 'https://example.com/' }, headers: crawler });
  const add = (path: string, body: unknown) => owner.ask('POST', path, body);
  await add('/sites/example.com/goals', { type: 'page', value: '/thanks' });
  const steps = ['/', '/prices'].map((value) => ({ type: 'page', value }));
  await add('/sites/example.com/funnels', { name: 'To the prices', steps });
  await add('/sites/example.com/notes', { date: '2026-03-09', text: 'A release' });
  await add('/sites/example.com/embeds', { origin: 'https://www.example.org' });
  await add('/team', { email: 'invited@example.com', role: 'viewer' });
  await add('/sites', { domain: 'empty.example' });
  const shared = await owner.ask('PATCH', '/sites/example.com', { shared: true, public_live: true, main_goal_id: 1 });
  return new URL(shared.body.data.share_url).pathname;
}

const SITE = '/sites/example.com';
const SETTINGS = ['general', 'goals', 'funnels', 'notes', 'sharing', 'deletion'].map(
  (part) => `${SITE}/settings/${part}`,
);
const ACCOUNT = ['tokens', 'team', 'sessions', 'plan', 'password'].map((part) => `/account/${part}`);
const PLACES = [
  '/',
  SITE,
  `${SITE}?range=12m&event=signup&sources=utm_source`,
  `${SITE}?chart=table`,
  '/sites/empty.example',
  '/sites/nowhere.example',
  '/account/nowhere',
  ...SETTINGS,
  ...ACCOUNT,
  '/server',
  '/password',
];

const LOOKS: Record<string, BrowserContextOptions> = {
  'in the light': { colorScheme: 'light' },
  'in the dark': { colorScheme: 'dark' },
  'on a phone': { viewport: { width: 360, height: 740 }, hasTouch: true },
};

for (const [name, options] of Object.entries(LOOKS)) {
  test(`axe-core finds nothing wrong with any page ${name}`, async (t) => {
    const stage = await serving(t);
    const share = await furnish(stage);
    const page = await stage.signIn(stage.owner, options);
    for (const place of PLACES) {
      await page.goto(place);
      await page.locator('h1').first().waitFor();
      await drawn(page);
      assert.deepEqual(await faults(page), [], place);
    }
    const stranger = await stage.open(options);
    for (const place of [share, '/sign-in', '/forgot', '/live/example.com', `/setup/${stage.setupSecret}`]) {
      await stranger.goto(place);
      await stranger.locator('h1').first().waitFor();
      await drawn(stranger);
      assert.deepEqual(await faults(stranger), [], place);
    }
  });
}

test('axe-core finds nothing wrong with what opens over a page', async (t) => {
  const stage = await serving(t);
  await furnish(stage);
  await look(stage, Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`/page${n}`, 1])));
  const page = await stage.signIn(stage.owner);
  await page.goto(SITE);
  await drawn(page);
  const openings: (() => Promise<unknown>)[] = [
    () => page.keyboard.press('?'),
    () => page.getByRole('button', { name: /^More/ }).first().click(),
    () => page.getByRole('button', { name: 'Add a filter' }).click(),
    () => page.locator('.range-picker-days > button').click(),
    () => page.getByRole('button', { name: 'What is a visitor?' }).click(),
    async () => {
      await page.getByRole('slider').focus();
      await page.keyboard.press('Enter');
    },
  ];
  for (const [n, open] of openings.entries()) {
    await page.evaluate('scrollTo(0, 0)');
    await open();
    assert.deepEqual(await faults(page), [], `opening ${n}`);
    await page.keyboard.press('Escape');
  }
});
