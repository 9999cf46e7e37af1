import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import type { DashboardMessage } from '../../src/lang/dashboard.ts';
import type { Say } from '../../src/lang/messages.ts';
import { noteUpkeep } from '../../src/store/server/upkeep.ts';
import { drawn, goWithin, look, type Stage } from './browser.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe-core would make and nobody reads: what passed, selectors, and style sheets for a rule that is off. A third of its time. */
const LEAST_WORK = { resultTypes: ['violations'], selectors: false, preload: false };

type Violation = { id: string; nodes: { html: string; failureSummary: string }[] };

/** The rules of axe-core that look at colours. */
export const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/** What axe-core looks at: all of the page by all of its rules, or less. */
type Scope = { within?: string; only?: readonly string[]; without?: readonly string[] };

/** What axe-core finds wrong with what is shown now. */
export async function faults(page: Page, { within = ':root', only, without = [] }: Scope = {}): Promise<string[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(AXE);
  const rules = Object.fromEntries(without.map((rule) => [rule, { enabled: false }]));
  const options = JSON.stringify({ ...LEAST_WORK, runOnly: only, rules });
  const { violations } = (await page.evaluate(`axe.run('${within}', ${options})`)) as { violations: Violation[] };
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
}

/** Something of everything, so that nothing is looked at empty only. */
export async function furnish(stage: Stage): Promise<string> {
  const { owner, ask, db } = stage;
  noteUpkeep(db, 'restore', { at: 0, fine: false, words: 'it is damaged' });
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

export const SITE = '/sites/example.com';
/** Over the page of a filter with two values. */
const DETAILS = `${SITE}?details=referrers&source=chatgpt.com&source=x.example&page.lacks=z`;

/** What there is of panels, tables, forms and lists is on these, and the others are made of the same. */
export const VARIED = [
  SITE,
  `${SITE}?chart=table`,
  DETAILS,
  `${SITE}/settings/general`,
  `${SITE}/settings/collection`,
  `${SITE}/settings/funnels`,
  '/account/team',
];

/** Checks pages of the dashboard, which is open, one after the other. */
export async function checkPlaces(
  page: Page,
  places: readonly string[],
  check: (place: string) => Promise<void>,
): Promise<void> {
  for (const place of places) {
    // On a page that is there already, panels out of sight would keep what they had until they are scrolled to.
    if (new URL(place, page.url()).pathname === new URL(page.url()).pathname) await page.goto(place);
    else await goWithin(page, place);
    await page.locator('h1').first().waitFor();
    await drawn(page);
    await check(place);
  }
}

/** The selector of what opens over a page. */
export const DIALOG = 'dialog[open], [role="dialog"]';

/** Looks at all that opens over the reports of a site, whose buttons are called as `t` says. */
export async function checkOpenings(page: Page, t: Say<DashboardMessage>['t'], scope: Scope = {}): Promise<void> {
  await goWithin(page, SITE);
  await drawn(page);
  const openings: (() => Promise<unknown>)[] = [
    () => page.keyboard.press('?'),
    () =>
      page
        .getByRole('button', { name: t('Details') })
        .first()
        .click(),
    () => page.getByRole('button', { name: t('Add a filter') }).click(),
    () => page.locator('.range-picker-days > button').click(),
    () => page.getByRole('button', { name: t('Saved views'), exact: true }).click(),
    () => page.locator('.site-header-name').getByRole('button', { name: /^\d+ / }).click(),
    () => page.getByRole('button', { name: t('What is a visitor?') }).click(),
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
    assert.deepEqual(await faults(page, scope), [], `opening ${n}`);
    await page.keyboard.press('Escape');
    await opened.waitFor({ state: 'detached' });
  }
}
