import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { TRANSLATED, type Translated } from '../../src/lang/languages.ts';
import { sayIn } from '../../src/lang/messages.ts';
import { textsIn } from '../../src/lang/translations.ts';
import { COLOUR_RULES, checkOpenings, checkPlaces, DIALOG, faults, furnish, SITE, VARIED } from './axe.ts';
import { assertFits, type Stage, serving } from './browser.ts';

/** Beside those that axe-core looks at. */
const OTHERS = [
  '/all-sites',
  ...['goals', 'notes', 'exclusions', 'sharing', 'deletion'].map((part) => `${SITE}/settings/${part}`),
  ...['tokens', 'sessions', 'plan'].map((part) => `/account/${part}`),
];

/** What the server draws itself, for somebody who is not signed in. */
const SERVERS = ['/sign-in', '/forgot', '/nothing', '/invite/gone'];

const PHONE = { width: 390, height: 844 };
/** Other words are longer, and a page may then be wider than a phone. */
const WIDTHS = [390, 320];

async function checkPages(page: Page): Promise<void> {
  const looked = [...VARIED, '/'];
  await checkPlaces(page, [...looked, ...OTHERS], async (place) => {
    if (looked.includes(place)) assert.deepEqual(await faults(page, { without: COLOUR_RULES }), [], place);
    await assertFits(page, WIDTHS);
    await page.setViewportSize(PHONE);
  });
}

async function checkServers({ open }: Stage, language: Translated): Promise<void> {
  const page = await open({ locale: language });
  for (const place of SERVERS) {
    await page.setViewportSize(PHONE);
    await page.goto(place);
    assert.equal(await page.locator('html').getAttribute('lang'), language, place);
    await assertFits(page, WIDTHS);
  }
}

async function checkIn({ signIn, owner }: Stage, language: Translated): Promise<void> {
  const { t } = sayIn(language, textsIn('dashboard', language));
  const page = await signIn(owner, '/', { locale: language, hasTouch: true, viewport: PHONE });
  await checkPages(page);
  assert.equal(await page.locator('html').getAttribute('lang'), language);
  await checkOpenings(page, t, { within: DIALOG, without: COLOUR_RULES });
}

// The pages are those of access.test.ts, whose colours and widths are the same: only texts and what holds them can be wrong.
test('axe-core finds nothing wrong on a phone, and nothing is too wide', { concurrency: true }, async (t) => {
  const stage = await serving(t);
  await furnish(stage);
  await Promise.all(
    TRANSLATED.map((language) =>
      t.test(language, async () => {
        await checkServers(stage, language);
        await checkIn(stage, language);
      }),
    ),
  );
});
