import assert from 'node:assert/strict';
import { test } from 'node:test';
import { arrived, embed, event, html, pageview, serve, serves, stage, visit } from './visiting.ts';

test('where storage is forbidden everything else works', async (t) => {
  const { origin, told } = await visit(t, {
    first: `Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('no', 'SecurityError'); } });`,
    path: '/#daybook-off',
  });
  assert.deepEqual(await told(), [pageview(`${origin}/`)]);
});

test('a script that is there twice counts once', async (t) => {
  const second = await embed();
  const { origin, run, told } = await visit(t, { head: second.tag });
  await run(`daybook('x'); history.pushState(null, '', '/b')`);
  assert.deepEqual(await told(), []);
  assert.deepEqual(await arrived(second.requests), [
    pageview(`${origin}/`),
    event(`${origin}/`, 'x'),
    pageview(`${origin}/b`, `${origin}/`),
  ]);
  const hidden = await embed();
  const waiting = await visit(t, { head: hidden.tag, first: 'hidden = true;' });
  await waiting.run('hide(false)');
  assert.equal((await waiting.told()).length + hidden.requests.length, 1);
});

test('as a module it counts as it does as a script', async (t) => {
  // Another service may have such an attribute too.
  const head = '<script data-site="ABC"></script>';
  const { origin, run, told } = await visit(t, { head, tag: 'type="module" data-outbound' });
  await run(`daybook('x'); history.pushState(null, '', '/b')`);
  assert.deepEqual(await told(), [
    pageview(`${origin}/`),
    event(`${origin}/`, 'x'),
    pageview(`${origin}/b`, `${origin}/`),
  ]);
});

test('the page sees nothing of a server that does not answer, or of a fetch that it broke itself', async (t) => {
  for (const first of [
    `fetch = () => { throw new TypeError('no'); };`,
    `fetch = () => Promise.reject(new TypeError('no'));`,
    'fetch = () => undefined;',
    'fetch = undefined;',
  ]) {
    const { run, told } = await visit(t, {
      first: `${first} addEventListener('unhandledrejection', () => { loose = true; });`,
    });
    await run(`daybook('x'); pass(2000); hide(true)`);
    assert.equal(await run(`new Promise((done) => setTimeout(() => done(typeof loose)))`), 'undefined');
    assert.deepEqual(await told(), []);
  }
});

test('a website with a policy counts where it allows the script and what that sends, as docs/count.md says', async () => {
  const { page, pagesPort, scriptPort } = await stage();
  const stats = `http://stats.example:${scriptPort}`;
  const told = async (policy: string): Promise<number> => {
    const { tag, requests } = await embed();
    // Behind the script of the stage, which it would forbid.
    serve({ '': serves(html('', `<meta http-equiv="Content-Security-Policy" content="${policy}">${tag}`)) });
    await page.goto(`http://example.com:${pagesPort}/`);
    return (await arrived(requests)).length;
  };
  assert.equal(await told(`script-src 'self' ${stats}; connect-src 'self' ${stats}`), 1);
  assert.equal(await told(`script-src 'self' ${stats}; connect-src 'self'`), 0);
  assert.equal(await told(`script-src 'self'; connect-src 'self' ${stats}`), 0);
});
