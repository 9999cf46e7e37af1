import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { loadScript } from '../../src/embedded/script.ts';
import { firefoxPage } from './firefox.ts';

/** A page whose router is on the Navigation API, and a list of what the script sends. */
const PAGE = `<!doctype html><script>
  const sent = [];
  fetch = async (url, { body }) => { sent.push(JSON.parse(body)); return new Response(); };
  navigation.addEventListener('navigate', (event) => {
    if (event.canIntercept && !event.hashChange) event.intercept({ handler: async () => { await 0; } });
  });
</script><script type="module" src="/day.js" data-site="example.com" data-local></script>
<form id="form" data-daybook-event="signup" onsubmit="return false"><button id="send">send</button></form>`;

/** What is sent while expressions run, each after the tick of the one before. */
const SENT = (expressions: readonly string[]) => `(async () => {
  const tick = () => new Promise((done) => setTimeout(done, 0));
  ${expressions.map((expression) => `${expression}; await tick();`).join('\n')}
  return JSON.stringify(sent.splice(0).filter(({ engaged }) => engaged === undefined));
})()`;

test('in Firefox pages of apps on either API are told once, and a module and a form tell as in Chromium', async (t) => {
  const { text } = await loadScript();
  const server = createServer(({ url }, answer) => {
    if (url === '/day.js') answer.setHeader('Content-Type', 'text/javascript').end(text);
    else answer.setHeader('Content-Type', 'text/html').end(PAGE);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const page = await firefoxPage(t);
  await page.goto(`${origin}/a?gclid=SECRET&utm_source=x&y=1#z`);
  const told = async (...expressions: string[]) => {
    const messages = JSON.parse(String(await page.evaluate(SENT(expressions))));
    for (const { width } of messages) assert.equal(width, await page.evaluate('innerWidth'));
    return messages.map(({ url, event }: { url: string; event?: string }) => url.slice(origin.length) + (event ?? ''));
  };
  assert.deepEqual(await told(), ['/a?gclid=&utm_source=x']);
  assert.deepEqual(await told(`await navigation.navigate('/b').finished`), ['/b']);
  assert.deepEqual(await told(`history.pushState(null, '', '/c')`), ['/c']);
  assert.deepEqual(await told(`history.replaceState(null, '', '/d'); history.replaceState(null, '', '/e')`), ['/e']);
  assert.deepEqual(await told('await navigation.back().finished'), ['/b']);
  assert.deepEqual(await told(`document.getElementById('send').click()`), ['/bsignup']);
});
