import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { folder } from '../support/helpers.ts';
import { embed, html, visit } from './visiting.ts';

test('a page from a file is left out', async (t) => {
  const { page, told } = await visit(t);
  assert.equal((await told()).length, 1);
  const { tag, requests } = await embed();
  const file = join(folder(t), 'page.html');
  writeFileSync(file, html('', tag));
  await page.goto(`file://${file}`);
  await page.evaluate(`daybook('x'); settled()`);
  assert.deepEqual(requests, []);
});

test('a driven browser is left out unless the tag says data-local', async (t) => {
  const first = `Object.defineProperty(navigator, 'webdriver', { value: true });`;
  for (const [tag, count] of [
    ['', 0],
    ['data-local', 1],
  ] as const) {
    const { told } = await visit(t, { tag, first });
    assert.equal((await told()).length, count, tag);
  }
});

test('who opens #daybook-off is not counted any more on this site, until #daybook-on', async (t) => {
  const { page, origin, run, told } = await visit(t, {
    path: '/#daybook-off',
    host: 'private.example',
    tag: 'data-404',
  });
  await run(`daybook('x'); history.pushState(null, '', '/b'); pass(5000); hide(true)`);
  await page.goto(`${origin}/c`);
  assert.deepEqual(await told(), []);
  await page.goto(`${origin}/c#daybook-offer`);
  await page.goto(`${origin}/c#daybook-on`);
  await page.reload();
  assert.deepEqual((await told()).length, 2);
  // In an open page it works at once.
  await run(
    `new Promise((done) => { addEventListener('hashchange', done, { once: true }); location.hash = 'daybook-off' }).then(() => 1)`,
  );
  await run(`history.replaceState(null, '', '/c'); daybook('x')`);
  assert.deepEqual(await told(), []);
});

test('Do Not Track and Global Privacy Control are honoured where the tag asks for it', async (t) => {
  for (const [name, value] of [
    ['doNotTrack', `'1'`],
    ['doNotTrack', `'0'`],
    ['globalPrivacyControl', 'true'],
    ['globalPrivacyControl', 'false'],
  ]) {
    for (const tag of ['', 'data-respect-dnt']) {
      const { told } = await visit(t, {
        tag,
        first: `Object.defineProperty(navigator, '${name}', { value: ${value} });`,
      });
      const says = tag !== '' && (value === `'1'` || value === 'true');
      assert.equal((await told()).length, says ? 0 : 1, `${name} ${value} ${tag}`);
    }
  }
});
