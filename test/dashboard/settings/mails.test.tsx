import '../browser-globals.ts';
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { renderToString } from 'preact-render-to-string';
import { boot } from '../../../src/dashboard/core/boot.ts';
import { Mails } from '../../../src/dashboard/settings/mails.tsx';
import { MAILED } from '../../../src/mail/kinds.ts';
import { SITE, textIn } from '../components.tsx';

function shown(t: TestContext, mails: boolean, mayChange = true): string {
  const before = boot.mails;
  t.after(() => Object.assign(boot, { mails: before }));
  Object.assign(boot, { mails });
  return renderToString(<Mails site={{ ...SITE, weekly_report: true }} reload={() => {}} mayChange={mayChange} />);
}

test('where no mails are sent the switches that promise them say so', (t) => {
  const sentence =
    'No mail server is set up, so this server sends no e-mails. The person who runs it can set --smtp-url .';
  assert.ok(textIn(shown(t, false)).includes(sentence));
  assert.ok(!textIn(shown(t, true)).includes(sentence));
});

test('a switch shows what is set, and only who may change the site can press it', (t) => {
  const switches = (html: string) => html.match(/<input[^>]*role="switch"[^>]*>/g) ?? [];
  const mine = switches(shown(t, true));
  const settings = new Set(MAILED.map(({ setting }) => setting));
  assert.deepEqual(
    mine.map((one) => /aria-checked="(\w+)"/.exec(one)?.[1]),
    [...settings].map((name) => String(name === 'weekly_report')),
    'each mail has its switch',
  );
  assert.ok(mine.every((one) => !/ disabled/.test(one)));
  assert.ok(switches(shown(t, true, false)).every((one) => / disabled/.test(one)));
});
