import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { COLOUR_RULES, checkOpenings, checkPlaces, faults, furnish, SITE, VARIED } from './axe.ts';
import { drawn, goWithin, type Stage, serving } from './browser.ts';

const SETTINGS = ['general', 'goals', 'funnels', 'notes', 'sharing', 'deletion'].map(
  (part) => `${SITE}/settings/${part}`,
);
const ACCOUNT = ['tokens', 'team', 'sessions', 'plan', 'password'].map((part) => `/account/${part}`);
const PLACES = [
  '/',
  '/all-sites',
  SITE,
  `${SITE}?range=12m&event=signup&sources=utm_source`,
  ...VARIED.filter((place) => place.startsWith(`${SITE}?`)),
  '/sites/empty.example',
  '/sites/nowhere.example',
  '/account/nowhere',
  ...SETTINGS,
  ...ACCOUNT,
  '/server',
];

/** What the server draws itself. */
const FORMS = ['/privacy', '/password', '/prove', '/factors', '/factors/app'];
const OF_STRANGERS = ['/sign-in', '/forgot', '/live/example.com'];

const PHONE: BrowserContextOptions = { viewport: { width: 360, height: 740 }, hasTouch: true };

type Look = {
  options: BrowserContextOptions;
  places: readonly string[];
  forms?: readonly string[];
  check(page: Page): Promise<string[]>;
};

const LOOKS: Record<string, Look> = {
  'with any page on a desktop': { options: {}, places: PLACES, forms: FORMS, check: (page) => faults(page) },
  'with any kind of page on a phone': { options: PHONE, places: VARIED, check: (page) => faults(page) },
  // The same elements have other colours, so that only the rules about colours can find more.
  'with any kind of page in the dark': {
    options: { colorScheme: 'dark' },
    places: VARIED,
    check: (page) => faults(page, { only: COLOUR_RULES }),
  },
};

async function checkPages(stage: Stage, share: string, { options, places, forms = [], check }: Look): Promise<void> {
  const checkAll = async (page: Page, places: readonly string[]): Promise<void> => {
    for (const place of places) {
      await page.goto(place);
      await page.locator('h1').first().waitFor();
      await drawn(page);
      assert.deepEqual(await check(page), [], place);
    }
  };
  const page = await stage.signIn(stage.owner, '/', options);
  await checkPlaces(page, places, async (place) => assert.deepEqual(await check(page), [], place));
  await checkAll(page, forms);
  await checkAll(await stage.open(options), [share, ...OF_STRANGERS, `/setup/${stage.setupSecret}`]);
}

async function checkForms({ signIn, owner }: Stage): Promise<void> {
  const page = await signIn(owner);
  const forms: Record<string, () => Promise<unknown>> = {
    goals: () => page.getByRole('button', { name: /^Edit / }).click(),
    funnels: () => page.getByRole('button', { name: /^Edit / }).click(),
    general: () => page.getByLabel('Site domain').fill('new.example'),
  };
  for (const [part, open] of Object.entries(forms)) {
    await goWithin(page, `${SITE}/settings/${part}`);
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
    t.test('with what opens over a page', async () =>
      checkOpenings(await stage.signIn(stage.owner), (message) => message),
    ),
    t.test('with what opens in its place', () => checkForms(stage)),
  ]);
});
