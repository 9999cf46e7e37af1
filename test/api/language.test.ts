import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bootIn } from '../forms/boot.ts';
import { startApp } from '../support/helpers.ts';

const PATH = '/account/language';

test('everybody chooses a language of their own, and without one it is that of the browser', async (t) => {
  const app = await startApp(t);
  const pageFor = async (person: (typeof app)['owner'], accepted: string) => {
    const headers = { 'Accept-Language': accepted };
    const { text } = await app.ask('GET', '/', { cookie: await app.signIn(person), headers });
    const { language } = bootIn(text) as { language: string };
    assert.ok(text.includes(`<html lang="${language}">`));
    return [language, /modulepreload" href="\/assets\/(?:de|fr|es)-\w+\.js"/.exec(text)?.[0].slice(29, 31)];
  };
  assert.deepEqual(await pageFor(app.owner, 'de-CH, en;q=0.5'), ['de', 'de']);
  assert.deepEqual(await pageFor(app.owner, 'ja'), ['en', undefined]);
  assert.deepEqual((await app.owner.ask('GET', PATH)).body, { data: { language: null } });
  const chosen = await app.owner.ask('PATCH', PATH, { language: 'fr' });
  assert.deepEqual([chosen.status, chosen.body], [200, { data: { language: 'fr' } }]);
  assert.deepEqual((await app.owner.ask('GET', PATH)).body, { data: { language: 'fr' } });
  assert.deepEqual(await pageFor(app.owner, 'de'), ['fr', 'fr']);
  assert.deepEqual(await pageFor(app.manager, 'es'), ['es', 'es']);
  await app.owner.ask('PATCH', PATH, { language: null });
  assert.deepEqual(await pageFor(app.owner, 'de'), ['de', 'de']);
  for (const body of [{ language: 'it' }, { language: 1 }, {}, { language: 'de', more: 1 }]) {
    const { status, body: refused } = await app.owner.ask('PATCH', PATH, body);
    assert.deepEqual([status, refused.error.code], [422, 'invalid_request'], JSON.stringify(body));
  }
});

test('whoever is shown a site by its link is spoken to in the language of their browser', async (t) => {
  const app = await startApp(t);
  const slug = await app.share(app.owner, app.siteId);
  const { text } = await app.ask('GET', `/share/${slug}`, { headers: { 'Accept-Language': 'es-MX' } });
  assert.equal((bootIn(text) as { language: string }).language, 'es');
});
