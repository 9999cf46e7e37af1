/** The code of docs/snippets.md, where it can be run here. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { writeForTagManager } from '../../src/dashboard/settings/tag-manager.ts';
import { blockOf } from '../documents/documents.ts';
import { until } from '../support/program.ts';
import { arrived, embed, html, pageview, serve, serves, stage } from './visiting.ts';

const PAGE = 'docs/snippets.md';
const [SRC, SITE] = ['https://stats.example.com/day.js', 'example.com'];
const SNIPPET = `<script defer src="${SRC}" data-site="${SITE}"></script>`;

test('snippets: in a page, the snippet and the code for Tag Manager count one pageview each', async () => {
  const { page, pagesPort } = await stage();
  const tagManager = blockOf(PAGE, 'Google Tag Manager', 'html').trim();
  assert.equal(tagManager, writeForTagManager(SNIPPET));
  // Tag Manager puts the code into the page by a script.
  const injected = `<script>addEventListener('load', () => {
    const box = document.createRange().createContextualFragment(${JSON.stringify(tagManager).replaceAll('</', '<\\/')});
    document.body.appendChild(box);
  })</script>`;
  for (const code of [blockOf(PAGE, 'Paste the snippet', 'html'), blockOf(PAGE, 'Astro', 'html'), injected]) {
    const { tag, requests } = await embed();
    const [, src = ''] = /src="([^"]+)"/.exec(tag) ?? [];
    assert.ok(code.includes(SRC), code);
    serve({ '': serves(html('', code.replace(SRC, src))) });
    await page.goto(`http://example.com:${pagesPort}/`);
    await until('a pageview arrives', () => requests.length > 0);
    assert.deepEqual(await arrived(requests), [pageview(`http://example.com:${pagesPort}/`)]);
  }
});

/** The object that a block of JavaScript exports. */
async function configOf(section: string): Promise<Record<string, unknown>> {
  const module = await import(`data:text/javascript,${encodeURIComponent(blockOf(PAGE, section, 'js'))}`);
  return module.default;
}

test('snippets: the configurations of Docusaurus and VitePress have the attributes of the snippet', async () => {
  const { scripts } = await configOf('Docusaurus');
  assert.deepEqual(scripts, [{ src: SRC, defer: true, 'data-site': SITE }]);
  const { head } = await configOf('VitePress');
  assert.deepEqual(head, [['script', { defer: '', src: SRC, 'data-site': SITE }]]);
});

test('snippets: WordPress prints the snippet for visitors, and nothing for people who edit posts', {
  skip: spawnSync('php', ['-v']).error ? 'php is not installed' : false,
}, () => {
  const print = (isEditor: boolean) => {
    const stubs = `function current_user_can($what) { return ${isEditor} && $what === 'edit_posts'; }
      function add_action($name, $print) { if ($name === 'wp_head') $print(); }`;
    const { stdout } = spawnSync('php', ['-r', `${stubs}\n${blockOf(PAGE, 'WordPress', 'php')}`], { encoding: 'utf8' });
    return stdout.trim();
  };
  assert.deepEqual([print(false), print(true)], [SNIPPET, '']);
});
