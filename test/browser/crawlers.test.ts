import { test } from 'node:test';
import { append, pageview, TODAY } from '../collect/stage.ts';
import { searchIs, serving } from './browser.ts';

test('crawlers: the list of pages, and the dialog with all of them, say whose pages they are', async (t) => {
  const { signIn, owner, db, siteId } = await serving(t);
  const crawls = (crawler: string, from: number, to: number) =>
    Array.from({ length: to - from }, (_, n) => ({ siteId, day: TODAY, crawler, page: `/page${from + n}` }));
  await append(db, [pageview({ siteId, day: TODAY })], [...crawls('gptbot', 0, 12), ...crawls('claudebot', 12, 20)]);
  // The window is as high as the page, so that all panels load.
  const page = await signIn(owner, '/sites/example.com', { viewport: { width: 1280, height: 6000 } });
  const panel = page.getByRole('region', { name: 'AI crawlers and assistants' });
  const openAll = async (title: string, count: number) => {
    await panel.getByRole('heading', { name: title }).waitFor();
    await panel.getByRole('button', { name: `More rows of ${title}` }).click();
    const dialog = page.getByRole('dialog', { name: title });
    await dialog
      .getByRole('listitem')
      .nth(count - 1)
      .waitFor();
    await dialog.getByRole('listitem').nth(count).waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  };
  await openAll('Most requested pages', 20);
  await panel.getByRole('button', { name: 'GPTBot' }).click();
  await searchIs(page, '?crawler=gptbot');
  await openAll('Pages that GPTBot requests most', 12);
});
