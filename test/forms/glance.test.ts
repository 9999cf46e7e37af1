import assert from 'node:assert/strict';
import { test } from 'node:test';
import { appendTo, pageview, TODAY } from '../collect/stage.ts';
import { startApp } from '../support/helpers.ts';
import { policyOf } from './boot.ts';

type App = Awaited<ReturnType<typeof startApp>>;

const PATH = '/sites/example.com/glance';

/** Three visitors today, one of them from Germany, and one visitor the day before. */
async function visited(app: App): Promise<void> {
  const { siteId, engine } = app;
  await appendTo(engine, [
    pageview({ siteId, day: TODAY - 1, visitor: 9 }),
    ...['DE', 'FR', 'FR'].map((country, visitor) => pageview({ siteId, day: TODAY, visitor, country })),
  ]);
}

/** The figures of the page by their names. */
const figuresIn = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/<dt>(.*?)<\/dt><dd>(.*?)<\/dd>/g)].map(([, name = '', value = '']) => [name, value]),
  );

test('glance: a share link shows visitors now, today and in seven days, with a line of each day', async (t) => {
  const app = await startApp(t);
  await visited(app);
  const slug = await app.share(app.owner, app.siteId);
  const { status, text, headers } = await app.ask('GET', `${PATH}?share=${slug}`);
  assert.equal(status, 200);
  assert.deepEqual(figuresIn(text), { Today: '3', '7 days': '4' });
  assert.match(text, /<p class="now">3 visitors now<\/p>/);
  assert.match(text, /aria-label="Visitors per day: 0, 0, 0, 0, 0, 1, 3"/);
  assert.match(text, new RegExp(`<a href="/share/${slug}" target="_blank" rel="noopener">example.com</a>`));
  assert.doesNotMatch(text, /<script|<link|<img|https?:/);
  assert.ok(text.length < 4_000, `${text.length}`);
  assert.equal(headers.get('Refresh'), '60');
  assert.equal(headers.get('Cache-Control'), 'no-store');
});

test('glance: the owner, a manager and a viewer read it with a token or a session, and a stranger does not', async (t) => {
  const app = await startApp(t);
  await visited(app);
  for (const person of [app.owner, app.manager, app.viewer]) {
    const byToken = await app.ask('GET', PATH, { token: person.token });
    assert.deepEqual(figuresIn(byToken.text), { Today: '3', '7 days': '4' });
    const bySession = await app.ask('GET', PATH, { cookie: await app.signIn(person) });
    assert.deepEqual(figuresIn(bySession.text), { Today: '3', '7 days': '4' });
    assert.equal(policyOf(bySession)['frame-ancestors'], "'none'");
  }
  const slug = await app.share(app.stranger, app.strangerSiteId);
  for (const asked of [
    app.ask('GET', PATH),
    app.ask('GET', PATH, { token: app.stranger.token }),
    app.ask('GET', `${PATH}?share=${slug}`),
    app.ask('GET', `${PATH}?share=x`),
    app.ask('GET', '/sites/nothing.example/glance', { token: app.owner.token }),
  ]) {
    const { status, text } = await asked;
    assert.equal(status, 404);
    assert.match(text, /<h1>This link does not work<\/h1>/);
  }
});

test('glance: only the websites that may embed the reports of a link show it in a frame', async (t) => {
  const app = await startApp(t);
  const slug = await app.share(app.owner, app.siteId);
  const policy = async (share: string) => policyOf(await app.ask('GET', `${PATH}?share=${share}`));
  assert.equal((await policy(slug))['frame-ancestors'], "'none'");
  const site = `/sites/${app.siteId}`;
  await app.owner.ask('POST', `${site}/embeds`, { origin: 'https://home.example.com' });
  assert.equal((await policy(slug))['frame-ancestors'], 'https://home.example.com');
  const named = await app.owner.ask('POST', `${site}/shares`, { name: 'Home', origins: ['https://start.example.com'] });
  const own = named.body.data.url.split('/').at(-1);
  const rules = await policy(own);
  assert.deepEqual(rules, {
    'default-src': "'none'",
    'style-src': rules['style-src'],
    'form-action': "'none'",
    'base-uri': "'none'",
    'frame-ancestors': 'https://start.example.com',
  });
});

test('glance: a link with a view counts only its visits, and one with a password does not show', async (t) => {
  const app = await startApp(t);
  await visited(app);
  const site = `/sites/${app.siteId}`;
  const view = await app.owner.ask('POST', `${site}/views`, { name: 'Germany', query: 'country=DE' });
  const slugOf = async (more: object) => {
    const { body } = await app.owner.ask('POST', `${site}/shares`, { name: 'Home', ...more });
    return body.data.url.split('/').at(-1);
  };
  const part = await app.ask('GET', `${PATH}?share=${await slugOf({ view_id: view.body.data.id })}`);
  assert.deepEqual(figuresIn(part.text), { Today: '1', '7 days': '1' });
  const locked = await app.ask('GET', `${PATH}?share=${await slugOf({ password: 'a long password' })}`);
  assert.equal(locked.status, 404);
});

test('glance: it speaks four languages, and can be light or dark', async (t) => {
  const app = await startApp(t);
  const slug = await app.share(app.owner, app.siteId);
  const said = {
    en: ['Today', '7 days'],
    de: ['Heute', '7 Tage'],
    fr: ['Aujourd’hui', '7 jours'],
    es: ['Hoy', '7 días'],
  };
  for (const [language, names] of Object.entries(said)) {
    const { text } = await app.ask('GET', `${PATH}?share=${slug}&theme=dark`, {
      headers: { 'accept-language': language },
    });
    assert.match(text, new RegExp(`<html lang="${language}" data-theme="dark">`));
    assert.deepEqual(Object.keys(figuresIn(text)), names);
  }
  const { text } = await app.ask('GET', `${PATH}?share=${slug}&theme=%22x`);
  assert.match(text, /<html lang="en">/);
});
