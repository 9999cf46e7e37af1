import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { until } from '../support/program.ts';
import { embed, engagement, html, messagesIn, openAlone, pageview, serve, serves, stage } from './visiting.ts';

test('a window that is really minimized sends the time, and only once', async (t) => {
  const { pagesPort } = await stage();
  const { tag, requests } = await embed();
  const url = `http://example.com:${pagesPort}/`;
  let isHidden = 'false';
  serve({
    // Each change comes 2 seconds after the one before.
    '/': serves(
      html(`addEventListener('visibilitychange', () => { pass(2000); really('/is?' + document.hidden); }, true);`, tag),
    ),
    '/is': (request, answer) => {
      isHidden = request.url?.split('?')[1] ?? '';
      answer.end();
    },
  });
  const show = await openAlone(t, url);
  await until('the pageview', () => requests.length === 1);
  await show('minimized');
  await until('the first time', () => requests.length === 2 && isHidden === 'true');
  await show('normal');
  await until('the window', () => isHidden === 'false');
  await show('minimized');
  await until('the second time', () => requests.length === 3);
  assert.deepEqual(messagesIn(requests), [pageview(url), engagement(url, 2000), engagement(url, 2000)]);
});

test('a page that the browser really renders ahead counts when the visitor gets there', async (t) => {
  const { pagesPort } = await stage();
  const { tag, requests } = await embed();
  const origin = `http://example.com:${pagesPort}`;
  const ready = Promise.withResolvers<string>();
  // As long as the protocol still holds the new page, each attempt at rendering another ahead is refused.
  const start = `<script>let turn = 0;
    const timer = setInterval(() => {
      const rules = Object.assign(document.createElement('script'), { type: 'speculationrules' });
      rules.text = JSON.stringify({ prerender: [{ urls: ['/next?' + ++turn], eagerness: 'immediate' }] });
      document.head.append(rules);
    }, 50);
    fetch('/go').then((answer) => answer.text()).then((url) => { clearInterval(timer); location.href = url; })</script>`;
  const next = `<script>addEventListener('load', () => {
      fetch('/ready' + location.search, { method: 'POST', body: String(document.prerendering) }); })</script>`;
  const before: unknown[] = [];
  serve({
    '/': serves(html('', tag, start)),
    '/next': serves(html('', tag, next)),
    '/go': async (_, answer) => answer.end(await ready.promise),
    '/ready': async (request, answer) => {
      before.push(await text(request), ...messagesIn(requests));
      answer.end();
      ready.resolve(request.url?.replace('ready', 'next') ?? '');
    },
  });
  await openAlone(t, `${origin}/`);
  await ready.promise;
  assert.deepEqual(before, ['true', pageview(`${origin}/`)]);
  await until('the second pageview', () => requests.length === 2);
  assert.deepEqual(messagesIn(requests.slice(1)), [pageview(`${origin}/next`, `${origin}/`)]);
});
