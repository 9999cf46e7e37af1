import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { makePageSay } from '../../src/forms/say.ts';
import { TRANSLATED } from '../../src/lang/languages.ts';
import { textsIn } from '../../src/lang/translations.ts';
import { makeMailKey, writeUnsubscribeSecret } from '../../src/store/mail/unsubscribed.ts';
import { mailServer } from '../mail/server.ts';
import { startApp } from '../support/helpers.ts';
import { invited } from './invited.ts';

/** English that would be seen: whole messages that nobody can mistake for a name. */
const ENGLISH = Object.keys(textsIn('forms', 'de')).filter(
  (english) => !english.includes('{') && /\s.*\s/.test(english),
);

const speaking = (language: string) => ({ accept: 'text/html', 'accept-language': `${language}-XX,en;q=0.5` });

test('whoever has a browser in another language sees no page in English', async (t) => {
  const server = await mailServer(t);
  const app = await startApp(t, { ...server.settings, 'base-url': 'https://stats.example.com' });
  const { ask, owner, db, siteId } = app;
  await owner.ask('PATCH', '/sites/example.com', { public_live: true });
  const { path } = await invited(owner, 'somebody@example.com');
  const unsubscribe = writeUnsubscribeSecret(makeMailKey(db, randomBytes), { siteId, userId: owner.id });
  const cookie = await app.signIn(owner);
  const known = { cookie };
  const pages: [path: string, more?: object][] = [
    ...['/sign-in', '/forgot', path, '/live/example.com', `/unsubscribe/${unsubscribe}`].map((one): [string] => [one]),
    ...['/nothing', '/setup/gone', '/invite/gone', '/password/gone', '/email/gone'].map((one): [string] => [one]),
    ...['/unsubscribe/gone', '/share/gone'].map((one): [string] => [one]),
    ...['/privacy', '/password', '/email', '/prove', '/factors', '/factors/app', '/factors/passkey'].map(
      (one): [string, object] => [one, known],
    ),
  ];
  for (const language of TRANSLATED) {
    for (const [one, more = {}] of pages) {
      const { text } = await ask('GET', one, { ...more, headers: speaking(language) });
      assert.match(text, new RegExp(`<html lang="${language}">`), `${one} in ${language}`);
      for (const english of ENGLISH) assert.ok(!text.includes(english), `${one} in ${language}: ${english}`);
    }
  }
});

test('what is wrong is said in the language of the browser, and to programs in English', async (t) => {
  const app = await startApp(t);
  const sent = { email: app.owner.email, password: 'not the password' };
  const same = { 'sec-fetch-site': 'same-origin' };
  const page = await app.ask('POST', '/sign-in', { body: sent, headers: { ...same, ...speaking('de') } });
  assert.match(page.text, /<p class="error">E-Mail-Adresse oder Passwort ist falsch\.<\/p>/);
  const { body } = await app.ask('POST', '/sign-in', { body: sent, headers: { ...same, 'accept-language': 'de' } });
  assert.deepEqual(body.error.fields, { password: 'Wrong e-mail or password.' });
});

test('what is refused says why in the language of the browser', async (t) => {
  const app = await startApp(t);
  const foreign = { origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' };
  const asked: [path: string, method: string, more: object, said: RegExp][] = [
    ['/sign-out', 'POST', foreign, /Diese Anfrage kam von einer anderen Website/],
    ['/sign-in', 'DELETE', {}, /unterstützt diese Methode nicht/],
  ];
  for (const [path, method, more, said] of asked) {
    const { text } = await app.ask(method, path, { headers: { ...more, ...speaking('de') } });
    assert.match(text, said, `${method} ${path}`);
  }
  const cookie = await app.signIn(app.owner);
  assert.match((await app.ask('GET', '/', { cookie, headers: speaking('es') })).text, /El panel necesita JavaScript/);
});

test('what somebody has chosen wins over the browser, and a language that nobody speaks here is English', async (t) => {
  const app = await startApp(t);
  const cookie = await app.signIn(app.owner);
  const same = { cookie, 'sec-fetch-site': 'same-origin' };
  const chosen = await app.ask('PATCH', '/api/v1/account/language', { body: { language: 'fr' }, headers: same });
  assert.equal(chosen.status, 200);
  assert.match((await app.ask('GET', '/password', { cookie, headers: speaking('de') })).text, /<html lang="fr">/);
  assert.match((await app.ask('GET', '/sign-in', { headers: speaking('xx') })).text, /<html lang="en">[\s\S]*Sign in/);
});

test('a page that may be kept says what it depends on', async (t) => {
  const app = await startApp(t);
  await app.owner.ask('PATCH', '/sites/example.com', { public_live: true });
  const { headers, text } = await app.ask('GET', '/live/example.com', { headers: speaking('es') });
  assert.match(headers.get('Vary') ?? '', /Accept-Language/);
  assert.match(text, /0 visitantes ahora/);
});

test('what stands in a message is escaped in every language', async (t) => {
  const attack = '<b>&"\'';
  for (const language of ['en', ...TRANSLATED] as const) {
    assert.ok(makePageSay(language).t('Join the team of {owner}', { owner: attack }).includes(attack));
  }
  const app = await startApp(t);
  const { text } = await app.ask('POST', '/sign-in', {
    body: { email: attack, password: 'x' },
    headers: { 'sec-fetch-site': 'same-origin', ...speaking('de') },
  });
  assert.ok(!text.includes('<b>') && text.includes('&lt;b&gt;'));
});
