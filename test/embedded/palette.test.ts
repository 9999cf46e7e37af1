import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dark, light } from '../../src/embedded/palette.ts';
import { html, writePage } from '../../src/forms/html.ts';
import { writeLetter } from '../../src/mail/html.ts';
import type { Letter } from '../../src/mail/letter.ts';
import { voiceIn } from '../../src/mail/voice.ts';
import { startApp } from '../support/helpers.ts';

test('light and dark name the same colours, each of six digits', () => {
  assert.deepEqual(Object.keys(light), Object.keys(dark));
  for (const colour of [...Object.values(light), ...Object.values(dark)]) assert.match(colour, /^#[0-9a-f]{6}$/);
});

test("pages, mails, the badge and the icon have the dashboard's colours and no others", async (t) => {
  const { ask, owner, signIn } = await startApp(t);
  await owner.ask('PATCH', '/sites/example.com', { public_live: true });
  const letter: Letter = {
    subject: 'Figures',
    title: 'Figures',
    blocks: [
      { kind: 'words', words: 'Hello' },
      { kind: 'table', heading: 'Page', columns: ['Visitors'], rows: [[{ words: '/' }, { words: '1', tone: 'good' }]] },
      { kind: 'bars', heading: 'Day', rows: [{ name: 'Monday', value: 1 }] },
    ],
    link: { url: 'https://example.com', words: 'Look' },
  };
  const texts = {
    page: await writePage({ language: 'en', status: 200, title: 'Title', body: html`<p></p>` }).text(),
    mail: writeLetter(letter, { because: 'You asked.', unsubscribe: 'https://example.com/stop' }, voiceIn('en')).html,
    badge: (await ask('GET', '/live/example.com.svg')).text,
    icon: (await ask('GET', '/', { cookie: await signIn(owner) })).text,
  };
  const known = [...Object.values(light), ...Object.values(dark)];
  for (const [name, text] of Object.entries(texts)) {
    const colours = text.match(/(?:#|%23)[0-9a-f]{3,8}\b/gi) ?? [];
    assert.ok(colours.length > 1, name);
    assert.deepEqual(
      colours.filter((colour) => !known.includes(colour.replace('%23', '#'))),
      [],
      name,
    );
  }
});
