import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { html, writePage } from '../../src/forms/html.ts';
import { addUser, setPasswordLink } from '../../src/store/people/users.ts';
import { emptyApp } from '../support/helpers.ts';
import { type Answer, form } from '../support/requests.ts';
import { anyText } from '../support/text.ts';

const PLAIN: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" };

/** What a browser reads in place of escapes; throws at an escape that `html` does not make. */
const read = (text: string): string =>
  text.replaceAll(/&[^;]*;?/g, (found) => {
    const plain = PLAIN[found];
    assert.ok(plain, `unknown escape ${found}`);
    return plain;
  });

const text = () =>
  fc.oneof(
    anyText(),
    fc.string({ unit: fc.constantFrom('<', '>', '&', '"', "'", '&amp;', '$&', "$'", '</style>', '<!--', 'a') }),
  );

test('every text is escaped, in content and in attributes, and a browser reads it as it was', () => {
  fc.assert(
    fc.property(text(), text(), (one, other) => {
      const { html: made } = html`<p title="${one}">${other}</p>`;
      const match = /^<p title="([^"<>']*)">([^"<>']*)<\/p>$/.exec(made);
      assert.ok(match, made);
      assert.equal(read(match[1] ?? ''), one);
      assert.equal(read(match[2] ?? ''), other);
    }),
  );
});

test('Html goes in as it is, also when it was made of texts, and is not escaped twice', () => {
  fc.assert(
    fc.property(text(), text(), (one, other) => {
      const inner = html`<b>${one}</b>`;
      const { html: made } = html`<p>${inner}${other}${inner}</p>`;
      assert.equal(made, `<p>${inner.html}${html`${other}`.html}${inner.html}</p>`);
    }),
  );
  assert.equal(html`${{ html: '<hr>&amp;' }}`.html, '<hr>&amp;');
});

test('the title of a page is escaped in both places where it stands', async () => {
  const text = await writePage({
    language: 'en',
    status: 200,
    title: '</title><script>"&',
    body: html`<p>${'<b>'}</p>`,
  }).text();
  assert.match(text, /<title>&lt;\/title&gt;&lt;script&gt;&quot;&amp; · daybook<\/title>/);
  assert.match(text, /<h1>&lt;\/title&gt;&lt;script&gt;&quot;&amp;<\/h1>/);
  assert.match(text, /<p>&lt;b&gt;<\/p>/);
});

/** Every page, with its status. */
const STATUSES = {
  bare: 200,
  'set-up': 200,
  'set-up refused': 422,
  lost: 404,
  'share link that ended': 404,
  'invitation to somebody known': 200,
  'invitation refused': 422,
  invitation: 200,
  password: 200,
  'sign-in': 200,
  'sign-in refused': 422,
  forgotten: 200,
  'forgotten refused': 422,
  change: 200,
  live: 200,
};

/** Without a secret in its address a page may say to ourselves where a form comes from. */
const OPEN = ['sign-in', 'sign-in refused', 'forgotten', 'forgotten refused', 'change'];

/** Each page by its name, as somebody gets it. */
async function everyPage(t: TestContext): Promise<[string, Answer][]> {
  const app = await emptyApp(t);
  const pages: [string, Answer][] = [];
  const see = async (name: string, path: string) => pages.push([name, await app.ask('GET', path)]);
  const send = async (name: string, path: string, fields: Record<string, string>) =>
    pages.push([name, await app.ask('POST', path, form(fields))]);

  const setup = `/setup/${app.setupSecret}`;
  await see('bare', '/');
  await see('set-up', setup);
  await send('set-up refused', setup, { email: 'nobody', password: 'short' });
  const owner = await app.person('owner@example.com');
  await see('lost', setup);
  await see('share link that ended', '/share/ended');
  const known = await app.person('known@example.com');
  const invitation = async (email: string) => {
    const { body } = await owner.ask('POST', '/team', { email, role: 'viewer' });
    return new URL(body.data.invitation_url).pathname;
  };
  const toKnown = await invitation(known.email);
  await see('invitation to somebody known', toKnown);
  await send('invitation refused', toKnown, { password: 'wrong password' });
  await see('invitation', await invitation('new@example.com'));

  app.db.write(() => {
    const { id } = addUser(app.db, { email: 'added@example.com', password: null, now: 0 });
    setPasswordLink(app.db, id, 'a-secret', app.clock.now() / 1000 + 60);
  });
  await see('password', '/password/a-secret');

  await see('sign-in', '/sign-in?next=/account');
  await send('sign-in refused', '/sign-in', { email: '"><b>@example.com', password: 'wrong password' });
  await see('forgotten', '/forgot');
  await send('forgotten refused', '/forgot', { email: owner.email });
  const cookie = await app.signIn(owner);
  pages.push(['change', await app.ask('GET', '/password', { cookie, headers: form({}).headers })]);
  await owner.ask('PATCH', `/sites/${app.site(owner, 'example.com')}`, { public_live: true });
  await see('live', '/live/example.com');
  return pages;
}

test('every page carries one style block that its policy names by hash, no script, and nothing from elsewhere', async (t) => {
  const pages = await everyPage(t);
  const statuses = pages.map(([name, { status }]) => [name, status]);
  assert.deepEqual(Object.fromEntries(statuses), STATUSES);

  for (const [name, { headers, text }] of pages) {
    assert.equal(headers.get('Content-Type'), 'text/html; charset=utf-8', name);
    assert.equal(headers.get('Cache-Control'), name === 'live' ? 'public, max-age=10' : 'no-store', name);
    assert.equal(headers.get('Referrer-Policy'), OPEN.includes(name) ? 'same-origin' : 'no-referrer', name);
    assert.equal(headers.get('Cross-Origin-Opener-Policy'), 'same-origin', name);
    assert.equal(headers.get('X-Robots-Tag'), 'noindex', name);
    assert.equal(headers.get('X-Content-Type-Options'), 'nosniff', name);
    assert.equal(headers.get('Content-Length'), String(Buffer.byteLength(text)), name);
    assert.equal(headers.get('Set-Cookie'), null, name);

    const styles = [...text.matchAll(/<style[^>]*>([\s\S]*?)<\/style>/g)];
    assert.equal(styles.length, 1, name);
    const hash = createHash('sha256')
      .update(styles[0]?.[1] ?? '')
      .digest('base64');
    assert.deepEqual(
      headers.get('Content-Security-Policy')?.split('; ').sort(),
      [
        "base-uri 'none'",
        "default-src 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
        `style-src 'sha256-${hash}'`,
      ],
      name,
    );
    // What the policy would block must not be there in the first place.
    assert.doesNotMatch(
      text,
      /<(script|link|img|iframe|object|embed|base)\b|\s(on\w+|style|src)\s*=|url\(|@import/i,
      name,
    );
    assert.doesNotMatch(text, /https?:/i, name);
    for (const [, target] of text.matchAll(/\s(?:href|action)="([^"]*)"/g))
      assert.match(target ?? '', /^\/(?!\/)/, name);

    assert.match(text, /^<!doctype html>\n<html lang="en">\n<head><meta charset="utf-8">/, name);
    // A label around it, a hidden type or a button: nothing to fill in stands without a name.
    const inputs = text.match(/<input\b/g)?.length ?? 0;
    const named =
      text.match(
        /<label>[^<]+(<small>[^<]*<\/small>)?<input\b|<label class="choice"><input\b[^>]*>\s*\w|<input name="\w+" type="hidden"/g,
      )?.length ?? 0;
    assert.equal(named, inputs, name);
  }
});
