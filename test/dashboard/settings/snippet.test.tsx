import '../browser-globals.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderToString } from 'preact-render-to-string';
import { Seen } from '../../../src/dashboard/settings/nothing-arrives.tsx';
import { Snippet } from '../../../src/dashboard/settings/snippet.tsx';
import { SITE, textIn } from '../components.tsx';

const html = renderToString(<Snippet site={SITE} />);

test('the error page has a snippet of its own, and that for every page sends no 404', () => {
  const codes = [...html.matchAll(/<code>(.*?)<\/code>/gs)].map(([, code]) => textIn(code ?? ''));
  assert.deepEqual(
    codes.map((code) => code.includes('data-404')),
    [false, true, false],
  );
  assert.doesNotMatch(html, /<input[^>]*>[^<]*data-404/);
  assert.match(textIn(html), /Count 404 pages On your 404 page, use this snippet instead/);
});

test('where nothing arrives it is said what came last, and which host did not fit', () => {
  const at = '2026-03-10T12:00:00Z';
  const said = (seen: Parameters<typeof Seen>[0]['seen']) =>
    textIn(renderToString(<Seen seen={seen} domain="example.com" />));
  assert.match(said({ last: null, foreign: null }), /has sent a request/);
  assert.match(
    said({ last: { at, dropped: 'bot' }, foreign: null }),
    /It was not counted\. Reason: Bots\. Declared bots/,
  );
  assert.match(
    said({ last: { at, dropped: 'foreign-host' }, foreign: { at, host: 'www.other.example' } }),
    /A page on www\.other\.example uses this snippet\. This host is not example\.com or/,
  );
});

test('snippet: a URL that works only on this machine is named for a public site, and not for localhost', () => {
  const warned = (origin: string, domain: string) =>
    textIn(
      renderToString(
        <Snippet site={{ ...SITE, domain, snippet: SITE.snippet.replace('https://stats.example', origin) }} />,
      ),
    ).includes(`${origin} works only on this machine. Start daybook with --base-url and its public URL first.`);
  for (const origin of ['http://127.0.0.1:8377', 'http://localhost:8377', 'http://[::1]:8377'])
    assert.deepEqual([warned(origin, 'example.com'), warned(origin, 'localhost')], [true, false]);
  for (const origin of ['https://stats.example', 'https://localhost.example', 'https://127.example'])
    assert.equal(warned(origin, 'example.com'), false);
});
