import '../browser-globals.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { renderToString } from 'preact-render-to-string';
import { readConfig } from '../../../src/config.ts';
import { suggestScriptPath } from '../../../src/dashboard/settings/first-party.tsx';
import { Seen } from '../../../src/dashboard/settings/nothing-arrives.tsx';
import { Snippet } from '../../../src/dashboard/settings/snippet.tsx';
import { writeForTagManager } from '../../../src/dashboard/settings/tag-manager.ts';
import { SITE, textIn } from '../components.tsx';

const html = renderToString(<Snippet site={SITE} />);

test('the error page has a snippet of its own, and that for every page sends no 404', () => {
  const codes = [...html.matchAll(/<code>(.*?)<\/code>/gs)].map(([, code]) => textIn(code ?? ''));
  assert.deepEqual(
    codes.flatMap((code, index) => (code.includes('data-404') ? index : [])),
    [1],
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

const shownFor = (snippet: string, vitals: string | null = null) => {
  const html = renderToString(<Snippet site={{ ...SITE, snippet, vitals_snippet: vitals }} />);
  const codes = [...html.matchAll(/<code>(.*?)<\/code>/gs)].map(([, code]) => textIn(code ?? ''));
  return { text: textIn(html), codes };
};

test('snippet: for the domain of the site, a name is suggested that the server takes, and the URL has no host', () => {
  const name = suggestScriptPath('https://stats.example');
  assert.equal(readConfig({ script: name }, {}).script, name);
  const names = new Set(Array.from({ length: 200 }, (_, index) => suggestScriptPath(`https://stats${index}.example`)));
  assert.ok(names.size > 50);
  for (const one of names) assert.equal(readConfig({ script: one }, {}).script, one);
  const { codes, text } = shownFor(
    '<script defer src="https://stats.example/day.js?keep=p" data-site="example.com"></script>',
    '<script defer src="https://stats.example/day-vitals.js?keep=p" data-site="example.com"></script>',
  );
  assert.ok(codes.includes(`--script ${name}`));
  assert.ok(text.includes(`all paths that begin with ${name.slice(0, name.lastIndexOf('/') + 1)} to daybook`));
  assert.equal(
    codes.at(-1),
    `<script defer src="${name}.js?keep=p" data-site="example.com"></script> ` +
      `<script defer src="${name}-vitals.js?keep=p" data-site="example.com"></script>`,
  );
});

test('snippet: a server that has a name of its own keeps it', () => {
  const { codes, text } = shownFor(
    '<script defer src="https://stats.example/x/y.js" data-site="example.com"></script>',
  );
  assert.match(text, /The script already has a name of its own: \/x\/y \./);
  assert.doesNotMatch(text, /--script/);
  assert.equal(codes.at(-1), '<script defer src="/x/y.js" data-site="example.com"></script>');
  const short = shownFor('<script defer src="https://stats.example/hello.js" data-site="example.com"></script>');
  assert.match(short.text, /all paths that begin with \/hello to daybook/);
});

test('snippet: the code for Tag Manager makes the element of the snippet', () => {
  const code = writeForTagManager(
    '<script defer src="https://stats.example/day.js?keep=p" data-site="example.com" data-outbound></script>',
  );
  const set: Record<string, string> = {};
  const made = { setAttribute: (name: string, value: string) => (set[name] = value) };
  const added: unknown[] = [];
  const document = { createElement: () => made, head: { appendChild: (element: unknown) => added.push(element) } };
  runInNewContext(code.replace(/^<script>|<\/script>$/g, ''), { document });
  assert.deepEqual(set, {
    src: 'https://stats.example/day.js?keep=p',
    'data-site': 'example.com',
    'data-outbound': '',
  });
  assert.deepEqual(added, [made]);
});
