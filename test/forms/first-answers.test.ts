import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../support/helpers.ts';
import { answersIn } from './boot.ts';

const SITE = '/api/v1/sites/example.com';

test('first answers: the page of a site has the answers that the API gives to this person', async (t) => {
  const { ask, owner, viewer, stranger, signIn } = await startApp(t);
  await owner.ask('POST', '/sites/example.com/goals', { type: 'page', value: '/</script>' });
  await owner.ask('POST', '/sites/example.com/notes', { date: '2026-03-09', text: 'Newsletter' });
  for (const person of [owner, viewer]) {
    const cookie = await signIn(person);
    const answers = answersIn((await ask('GET', '/sites/example.com?range=7d', { cookie })).text);
    assert.deepEqual(Object.keys(answers), [SITE, `${SITE}/goals`, `${SITE}/notes`, `${SITE}/exclusions`]);
    for (const [path, data] of Object.entries(answers))
      assert.deepEqual(data, (await ask('GET', path, { cookie })).body.data, path);
  }
  const cookie = await signIn(stranger);
  assert.deepEqual(answersIn((await ask('GET', '/sites/example.com', { cookie })).text), {});
});

test('first answers: a shared page has what everybody may see', async (t) => {
  const { ask, owner, share, siteId } = await startApp(t);
  await owner.ask('POST', '/sites/example.com/goals', { type: 'page', value: '/thanks' });
  const { text } = await ask('GET', `/share/${await share(owner, siteId)}`);
  const answers = answersIn(text);
  assert.deepEqual(Object.keys(answers), [`${SITE}/goals`, `${SITE}/notes`]);
  assert.equal((answers[`${SITE}/goals`] as unknown[]).length, 1);
});

test('first answers: a long answer is left to a request of its own', async (t) => {
  const { ask, owner, signIn } = await startApp(t);
  const text = 'x'.repeat(200);
  for (let n = 0; n < 80; n++) await owner.ask('POST', '/sites/example.com/notes', { date: '2026-03-09', text });
  const page = await ask('GET', '/sites/example.com', { cookie: await signIn(owner) });
  assert.deepEqual(Object.keys(answersIn(page.text)), [SITE, `${SITE}/goals`, `${SITE}/exclusions`]);
});
