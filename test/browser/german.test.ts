import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { textsIn } from '../../src/lang/translations.ts';
import { drawn, look, serving } from './browser.ts';

/** Every text on the page, what is only heard or shown in a tip too. */
const TEXTS_OF_PAGE = `(() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const texts = [document.title.split(' · ')[0]];
  while (walker.nextNode()) {
    if (!walker.currentNode.parentElement.closest('script')) texts.push(walker.currentNode.data);
  }
  for (const element of document.querySelectorAll('*')) {
    for (const name of ['aria-label', 'title', 'placeholder', 'aria-valuetext']) {
      texts.push(element.getAttribute(name) ?? '');
    }
  }
  return texts.map((text) => text.trim()).filter(Boolean);
})()`;

/** Messages whose German is another word, as patterns of their English; templates of hardly any letters fit everything. */
const ENGLISH = Object.entries(textsIn('dashboard', 'de'))
  .filter(([english, german]) => english !== german && english.replaceAll(/\{\w+\}/g, '').trim().length > 3)
  .map(([english]) => {
    const literal = english.split(/\{\w+\}/).map((text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    return new RegExp(`^${literal.join('.+')}$`, 'u');
  });

async function assertGerman(page: Page, said: RegExp): Promise<void> {
  const texts = (await page.evaluate(TEXTS_OF_PAGE)) as string[];
  assert.ok(
    texts.some((text) => said.test(text)),
    `${said} in ${texts.join(' | ')}`,
  );
  assert.deepEqual(
    texts.filter((text) => ENGLISH.some((english) => english.test(text))),
    [],
    page.url(),
  );
}

test('who reads German finds the list of sites and the reports of one in German', async (t) => {
  const stage = await serving(t);
  await look(stage, { '/': 1, '/preise': 2 });
  const page = await stage.signIn(stage.owner, '/', { locale: 'de-DE', viewport: { width: 1280, height: 4_000 } });
  await page.getByText('Letzte 30 Tage').waitFor();
  await drawn(page);
  await assertGerman(page, /^Website hinzufügen$/);

  await page.goto('/sites/example.com?range=7d&country.not=DE');
  await page.getByRole('heading', { name: 'Besucher pro Tag' }).waitFor();
  await drawn(page);
  await assertGerman(page, /^Filter hinzufügen$/);
  await page.getByRole('button', { name: 'Filter hinzufügen' }).click();
  await page.getByLabel('Filtern nach').waitFor();
  await assertGerman(page, /^Betriebssystem$/);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Tabelle' }).click();
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Tastenkürzel' }).waitFor();
  await assertGerman(page, /^Vergleichszeitraum$/);
});
