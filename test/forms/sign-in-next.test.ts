import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { startApp, type TestApp } from '../support/helpers.ts';
import { passwordOf } from '../support/people.ts';
import { cookieOf, form } from '../support/requests.ts';
import { anyText } from '../support/text.ts';
import { RIGHT } from './signing-in.ts';

/** Where somebody who signs in with this next is sent. */
async function sentOn(app: TestApp, next: string): Promise<string> {
  const { status, headers } = await app.ask('POST', '/sign-in', form({ ...RIGHT, next }));
  assert.equal(status, 303);
  app.clock.pass(60);
  return headers.get('Location') ?? '';
}

test('whoever signs in is sent on to where they wanted to go', async (t) => {
  const app = await startApp(t);
  for (const [next, location] of [
    ['/', '/'],
    ['/account/tokens', '/account/tokens'],
    ['/sites/example.com?range=7d&filters[page]=%2Fa', '/sites/example.com?range=7d&filters[page]=%2Fa'],
    ['/sites/bücher.example', '/sites/b%C3%BCcher.example'],
    ['account', '/account'],
    ['', '/'],
  ] as const) {
    assert.equal(await sentOn(app, next), location, next);
  }
});

const ELSEWHERE = [
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  '\t//evil.example',
  '/\n/evil.example',
  '\u0000//evil.example',
  ' //evil.example',
  'https://evil.example/',
  'https:evil.example',
  'https:/evil.example',
  'HTTPS://EVIL.EXAMPLE',
  'javascript:alert(1)',
  'java\nscript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'blob:http://own.invalid/x',
  // Under other schemes than http a backslash stays what it is, until a browser takes it for a slash.
  'foo://own.invalid/\\evil.test',
  'foo://own.invalid/\t/evil.test',
  ' foo://own.invalid/\\evil.test',
  'foo://own.invalid/account',
  'javascript://own.invalid/%0aalert(1)',
  'https://own.invalid/account',
  'ftp://own.invalid/\\evil.test',
  'mailto:eve@evil.example',
  // Paths that become a host once their dots are resolved.
  '/.//evil.example',
  '/..//evil.example',
  '/a/..//evil.example',
  '/%2e//evil.example',
  '/.\t//evil.example',
  './/evil.example',
  'http://own.invalid//evil.example',
  '//own.invalid//evil.example',
  '//user@evil.example',
];

test('nobody is sent anywhere else, whatever next says', async (t) => {
  const app = await startApp(t);
  const cookie = await app.signIn(app.owner);
  const headers = { accept: 'text/html' };
  for (const next of ELSEWHERE) {
    assert.equal(await sentOn(app, next), '/', JSON.stringify(next));
    const seen = await app.ask('GET', `/sign-in?next=${encodeURIComponent(next)}`, { cookie, headers });
    assert.deepEqual([seen.status, seen.headers.get('Location')], [303, '/'], JSON.stringify(next));
  }
});

test('whatever next is, it is a path of our own in plain letters', async (t) => {
  const app = await startApp(t);
  const cookie = await app.signIn(app.owner);
  const piece = fc.oneof(
    anyText().filter((text) => text.isWellFormed()),
    fc.constantFrom(
      '/',
      '\\',
      '.',
      '..',
      '%2e',
      '%2f',
      ':',
      '@',
      '?',
      '#',
      '\t',
      '\r\n',
      'http:',
      'foo:',
      'foo://own.invalid/',
      'own.invalid',
      'evil.example',
    ),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 12 }), async (pieces) => {
      const next = pieces.join('');
      const { headers } = await app.ask('GET', `/sign-in?next=${encodeURIComponent(next)}`, { cookie });
      const location = headers.get('Location') ?? '';
      assert.match(location, /^\/(?![/\\])[\x21-\x7e]*$/);
      assert.equal(new URL(location, 'https://stats.example.com').origin, 'https://stats.example.com');
    }),
    { numRuns: 1_000, examples: ELSEWHERE.map((next) => [[next]]) },
  );
});

test('whoever is signed in is sent on from the form, and may sign in as somebody else', async (t) => {
  const app = await startApp(t);
  const cookie = await app.signIn(app.owner);
  const seen = await app.ask('GET', '/sign-in?next=/account', { cookie });
  assert.deepEqual([seen.status, seen.headers.get('Location')], [303, '/account']);
  const fields = { email: app.stranger.email, password: passwordOf(app.stranger) };
  const { body, headers } = form(fields);
  const answer = await app.ask('POST', '/sign-in', { body, headers: { ...headers, cookie } });
  assert.equal(answer.status, 303);
  const account = await app.ask('GET', '/api/v1/account', { cookie: cookieOf(answer) });
  assert.equal(account.body.data.email, app.stranger.email);
  assert.equal((await app.ask('POST', '/sign-in', { cookie, body: fields })).status, 200);
});
