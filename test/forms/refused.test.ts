import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../support/helpers.ts';

/** What a browser says that it accepts when somebody opens an address. */
const BY_A_PERSON = { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } };

const LOST = ['/nope', '/live/example.com', '/sign-in/used', '/sites', '/assets/gone.js', '/sites/example.com/'];

test('people who open an address where nothing is get a page, and programs JSON', async (t) => {
  const { ask } = await startApp(t);
  for (const path of LOST) {
    const page = await ask('GET', path, BY_A_PERSON);
    assert.equal(page.status, 404, path);
    assert.equal(page.headers.get('Content-Type'), 'text/html; charset=utf-8', path);
    assert.match(page.text, /<h1>Page not found<\/h1>/, path);
    for (const headers of [{}, { accept: '*/*' }, { accept: 'application/json' }]) {
      const { status, body } = await ask('GET', path, { headers });
      assert.deepEqual([status, body.error.code], [404, 'not_found'], path);
    }
  }
});

test('the API answers people in JSON too', async (t) => {
  const { ask } = await startApp(t);
  for (const path of ['/api', '/api/v1', '/api/v1/nope', '/api/v2/sites', '/api/v1/sites']) {
    const answer = await ask('GET', path, BY_A_PERSON);
    assert.equal(answer.headers.get('Content-Type'), 'application/json', path);
  }
});

test('a page that cannot be asked like this says why, and how it can be', async (t) => {
  const { ask } = await startApp(t);
  const page = await ask('GET', '/sign-out', BY_A_PERSON);
  assert.equal(page.status, 405);
  assert.match(page.text, /<h1>Something went wrong<\/h1>/);
  assert.match(page.headers.get('Allow') ?? '', /POST/);
});
