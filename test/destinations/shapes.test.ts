import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { sendMessage } from '../../src/destinations/send.ts';
import type { Settings } from '../../src/destinations/settings.ts';
import type { Message } from '../../src/destinations/shapes.ts';
import type { Letter } from '../../src/mail/letter.ts';
import { voiceIn } from '../../src/mail/voice.ts';
import { DESTINATION_KINDS, type DestinationKind } from '../../src/store/sites/destinations.ts';
import { receiver } from '../mail/receiver.ts';
import { SERVICES } from './services.ts';

const LINK = 'https://stats.example.com/sites/example.com?range=7d&compare=none';
const HOSTILE = [
  ...['</pre><b>', '```', '<!channel>', '@everyone', '[a](https://evil.example)', '<script>', '&amp;', '"quoted"'],
  ...['*bold*', '{{handlebars}}', '\u202etxt', 'emoji 🥐'],
].join(' ');

const letterOf = (words: string, rows = 1): Letter => ({
  subject: 'example.com: 3 visitors',
  title: 'example.com last week',
  blocks: [
    { kind: 'words', words },
    {
      kind: 'table',
      heading: 'Top pages',
      columns: ['Visitors', 'Change'],
      rows: Array.from({ length: rows }, () => [{ words: '/cakes' }, { words: '12' }, { words: '+4 %' }]),
    },
    { kind: 'bars', heading: 'Visitors per day', rows: [{ name: 'Mon, 2 Mar', value: 3 }] },
  ],
  link: { words: 'Open the dashboard', url: LINK },
});

const messageOf = (letter: Letter): Message => ({
  ...{ id: 'weekly.17.1773039600', kind: 'weekly', site: 'example.com', at: 1_773_039_600 },
  ...{ letter, voice: voiceIn('en') },
});

async function deliver<Kind extends DestinationKind>(t: TestContext, kind: Kind, letter: Letter) {
  const hook = await receiver(t, '');
  const service = SERVICES[kind];
  hook.state.status = service.status;
  const settings: Settings[Kind] = service.settings(hook.url);
  const stop = new AbortController().signal;
  const outcome = await sendMessage({ kind, settings, allowed: 'private' }, messageOf(letter), { now: 1, stop });
  assert.equal(hook.received.length, 1);
  return { outcome, ...service.check(hook.received[0] ?? assert.fail()) };
}

for (const kind of DESTINATION_KINDS) {
  test(`shapes: ${kind} gets a message as its makers document it`, async (t) => {
    const { outcome, title, text, link } = await deliver(t, kind, letterOf('Between 2 and 8 March.'));
    assert.equal(outcome.taken, true);
    assert.match(title, /^example\.com/);
    assert.match(text, /Between 2 and 8 March\./);
    assert.match(text, /\/cakes:? +12 .*\+4 %/);
    assert.equal(link, LINK);
  });

  test(`shapes: ${kind} shows hostile text as text`, async (t) => {
    const { text } = await deliver(t, kind, letterOf(HOSTILE));
    assert.ok(text.replaceAll("'", '`').includes(HOSTILE), text);
  });

  test(`shapes: ${kind} shows a hostile title as text, and notifies nobody`, async (t) => {
    const hostile = `${HOSTILE} @all\n@channel ![a](https://evil.example/b.png)`;
    const { title } = await deliver(t, kind, {
      ...letterOf('Words.'),
      title: `example.com: “${hostile}”`,
      subject: 'A',
    });
    if (['ntfy', 'gotify'].includes(kind)) return assert.equal(title, 'A');
    const plain = (text: string) =>
      text
        .replaceAll(/[\s\u200b]+/g, ' ')
        .replaceAll(/@ /g, '@')
        .replaceAll('`', "'");
    assert.ok(plain(title).replaceAll('∗', '*').includes(plain(hostile)), title);
  });

  test(`shapes: ${kind} gets a long message cut, not refused`, async (t) => {
    if (kind === 'webhook') return;
    const { text } = await deliver(t, kind, letterOf('🥐'.repeat(20_000), 500));
    assert.ok(text.isWellFormed());
    assert.doesNotMatch(text, /\uFFFD/);
  });
}
