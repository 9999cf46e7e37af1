import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { noteUpkeep } from '../../src/store/upkeep.ts';
import { drawn, look, type Stage, serving } from './browser.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

type Violation = { id: string; nodes: { html: string; failureSummary: string }[] };

/** The rules of axe-core that look at colours. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/** What axe-core finds wrong with what is shown now, by all of its rules or by some. */
async function faults(page: Page, runOnly?: readonly string[]): Promise<string[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(AXE);
  const options = JSON.stringify({ resultTypes: ['violations'], runOnly });
  const { violations } = (await page.evaluate(`axe.run(${options})`)) as { violations: Violation[] };
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
}

/** Something of everything, so that nothing is looked at empty only. */
async function furnish(stage: Stage): Promise<string> {
  const { owner, ask, db } = stage;
  noteUpkeep(db, 'drill', { at: 0, fine: false, words: 'it is damaged' });
  await look(stage, { '/': 9, '/prices': 5, '/thanks': 2 });
  await look(stage, Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`/page${n}`, 1])));
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
/** Over the page of a filter with two values. */
const DETAILS = `${SITE}?details=referrers&source=chatgpt.com&source=x.example&page.lacks=z`;
const SETTINGS = ['general', 'goals', 'funnels', 'notes', 'sharing', 'deletion'].map(
  (part) => `${SITE}/settings/${part}`,
);
const ACCOUNT = ['tokens', 'team', 'sessions', 'plan', 'password'].map((part) => `/account/${part}`);
const PLACES = [
  '/',
  '/all-sites',
  SITE,
  `${SITE}?range=12m&event=signup&sources=utm_source`,
  `${SITE}?chart=table`,
  DETAILS,
  '/sites/empty.example',
  '/sites/nowhere.example',
  '/account/nowhere',
  ...SETTINGS,
  ...ACCOUNT,
  '/server',
  '/password',
  '/prove',
  '/factors',
  '/factors/app',
];

/** What there is of panels, tables, forms and lists is on these, and the others are made of the same. */
const VARIED = [
  SITE,
  `${SITE}?chart=table`,
  DETAILS,
  `${SITE}/settings/general`,
  `${SITE}/settings/funnels`,
  '/account/team',
];

const OF_STRANGERS = ['/sign-in', '/forgot', '/live/example.com'];

const PHONE: BrowserContextOptions = { viewport: { width: 360, height: 740 }, hasTouch: true };

type Look = {
  options: BrowserContextOptions;
  places: readonly string[];
  check(page: Page): Promise<string[]>;
};

const LOOKS: Record<string, Look> = {
  'with any page on a desktop': { options: {}, places: PLACES, check: (page) => faults(page) },
  'with any kind of page on a phone': { options: PHONE, places: VARIED, check: (page) => faults(page) },
  // The same elements have other colours, so that only the rules about colours can find more.
  'with any kind of page in the dark': {
    options: { colorScheme: 'dark' },
    places: VARIED,
    check: (page) => faults(page, COLOUR_RULES),
  },
};

async function checkPages(stage: Stage, share: string, { options, places, check }: Look): Promise<void> {
  const checkAll = async (page: Page, places: readonly string[]): Promise<void> => {
    for (const place of places) {
      await page.goto(place);
      await page.locator('h1').first().waitFor();
      await drawn(page);
      assert.deepEqual(await check(page), [], place);
    }
  };
  await checkAll(await stage.signIn(stage.owner, options), places);
  await checkAll(await stage.open(options), [share, ...OF_STRANGERS, `/setup/${stage.setupSecret}`]);
}

async function checkOpenings({ signIn, owner }: Stage): Promise<void> {
  const page = await signIn(owner);
  await page.goto(SITE);
  await drawn(page);
  const openings: (() => Promise<unknown>)[] = [
    () => page.keyboard.press('?'),
    () =>
      page
        .getByRole('button', { name: /^Details/ })
        .first()
        .click(),
    () => page.getByRole('button', { name: 'Add a filter' }).click(),
    () => page.locator('.range-picker-days > button').click(),
    () => page.getByRole('button', { name: 'Saved views' }).click(),
    () => page.getByRole('button', { name: /^\d+ visitors? now$/ }).click(),
    () => page.getByRole('button', { name: 'What is a visitor?' }).click(),
    async () => {
      await page.getByRole('slider').focus();
      await page.keyboard.press('Enter');
    },
  ];
  for (const [n, open] of openings.entries()) {
    await page.evaluate('scrollTo(0, 0)');
    await open();
    const opened = page.getByRole('dialog').first();
    await opened.waitFor();
    assert.deepEqual(await faults(page), [], `opening ${n}`);
    await page.keyboard.press('Escape');
    await opened.waitFor({ state: 'detached' });
  }
}

async function checkForms({ signIn, owner }: Stage): Promise<void> {
  const page = await signIn(owner);
  const forms: Record<string, () => Promise<unknown>> = {
    goals: () => page.getByRole('button', { name: /^Change / }).click(),
    funnels: () => page.getByRole('button', { name: /^Change / }).click(),
    general: () => page.getByLabel('Domain of the site').fill('new.example'),
  };
  for (const [part, open] of Object.entries(forms)) {
    await page.goto(`${SITE}/settings/${part}`);
    await open();
    await drawn(page);
    assert.deepEqual(await faults(page), [], part);
  }
}

// On one server and in one browser, at the same time.
test('axe-core finds nothing wrong', { concurrency: true }, async (t) => {
  const stage = await serving(t);
  const share = await furnish(stage);
  await Promise.all([
    ...Object.entries(LOOKS).map(([name, look]) => t.test(name, () => checkPages(stage, share, look))),
    t.test('with what opens over a page', () => checkOpenings(stage)),
    t.test('with what opens in its place', () => checkForms(stage)),
  ]);
});
