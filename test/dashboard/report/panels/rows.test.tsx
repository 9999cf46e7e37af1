import '../../browser-globals.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderToString } from 'preact-render-to-string';
import { findTable, shownIn, textIn as tableText } from '../../../../src/dashboard/report/model/tables.ts';
import { emblemOf } from '../../../../src/dashboard/report/panels/icon.tsx';
import { Ranking } from '../../../../src/dashboard/report/panels/ranking.tsx';
import { type Line, Rows } from '../../../../src/dashboard/report/panels/rows.tsx';
import { renderIn, SCOPE, textIn } from '../../components.tsx';

const LINES: Line[] = [
  { key: '/', text: '/', count: 40, share: 80, isSelected: true, onSelect() {}, href: 'https://example.com/' },
  { key: '/a', text: '/a', note: 'new', count: 10, share: undefined },
];

const rows = (lines: readonly Line[]): string =>
  renderToString(<Rows head="Page" unit="visitors" hasShares lines={lines} />);

test('a line has its count, its share, a bar beside the largest, and what can be done with it', () => {
  const html = rows(LINES);
  assert.equal(textIn(html), 'Page Visitors Share / Open / 40 visitors 80.0% /a new 10 visitors');
  assert.deepEqual(
    [...html.matchAll(/style="width:\s*([\d.]+%)/g)].map(([, width]) => width),
    ['100%', '25%'],
  );
  assert.match(html, /<button[^>]*aria-pressed="true"[^>]*>\//);
  assert.match(html, /<a [^>]*href="https:\/\/example\.com\/"[^>]*rel="noopener noreferrer"/);
  assert.equal(html.match(/<button/g)?.length, 1);
});

test('one is one visitor for screen readers', () => {
  assert.match(textIn(rows([{ key: '/', text: '/', count: 1 }])), /1 visitor$/);
});

test('whatever a text holds stays a text', () => {
  const attack = `"><img src=x onerror=hacked=1><script>hacked=1</script>'`;
  const html = rows([{ key: 'a', text: attack, note: attack, count: 1, onSelect() {}, href: 'https://example.com/' }]);
  assert.doesNotMatch(html, /<(img|script)/);
  assert.ok(textIn(html).includes(`${attack} ${attack}`));
});

const ranking = (count: number, hint?: string): string =>
  renderIn(
    SCOPE,
    <Ranking
      title="Pages"
      heading="Page"
      unit="visitors"
      lines={Array.from({ length: count }, (_, i) => ({ key: `/${i}`, text: `/${i}`, count: count - i }))}
      file={{ name: 'pages', span: { from: '', to: '' }, rows: () => [] }}
      none="No visitors on these days"
      hint={hint}
    />,
  );

test('of many lines the first ten are shown, with a button for more', () => {
  assert.equal(ranking(11).match(/<li/g)?.length, 10);
  assert.match(ranking(11), /aria-label="More rows of Pages"/);
  assert.equal(ranking(10).match(/<li/g)?.length, 10);
  assert.doesNotMatch(ranking(10), /More rows of/);
  assert.match(ranking(10), /aria-label="Download Pages as CSV"/);
});

test('without lines it says so, and what to do about it', () => {
  assert.equal(textIn(ranking(0, 'Links can carry tags.')), 'No visitors on these days Links can carry tags.');
  assert.doesNotMatch(ranking(0), /as CSV/);
});

test('a text is shown for the eye, and stands whole in its title and its name', () => {
  const [text, whole] = [`/${'日本/'.repeat(12)}the-end.html`, `/${'%E6%97%A5%E6%9C%AC/'.repeat(12)}the-end.html`];
  const html = rows([{ key: 'a', text, whole, count: 1, onSelect() {} }]);
  assert.ok(html.includes(`title="${text} (${whole})"`));
  assert.ok(html.includes(`aria-label="${text}"`));
  assert.match(html, /<span class="cut"><span>\/日本.*<\/span><span>e-end\.html<\/span><\/span>/);
});

test('paths and hosts are read with their letters, and files have them as they are kept', () => {
  const [pages, sources] = [findTable('pages')?.table, findTable('referrers')?.table];
  assert.ok(pages && sources);
  assert.equal(shownIn(pages, '/%E6%97%A5'), '/日');
  assert.equal(shownIn(sources, 'xn--mnchen-3ya.de'), 'münchen.de');
  assert.equal(shownIn(sources, ''), 'Direct');
  assert.equal(tableText(pages, '/%E6%97%A5'), '/%E6%97%A5');
});

test('countries, browsers, systems and sources have an emblem, which is no text of the row', () => {
  assert.deepEqual(emblemOf('country', 'DE', 'Germany'), { letters: 'DE', kind: 'flag', name: 'DE' });
  assert.equal(emblemOf('browser', 'Firefox', 'Firefox')?.letters, 'F');
  assert.deepEqual(emblemOf('source', 'a.example', 'a.example'), emblemOf('source', 'a.example', 'a.example'));
  assert.equal(emblemOf('page', '/', '/'), undefined);
  const html = rows([{ key: 'DE', text: 'Germany', count: 1, emblem: emblemOf('country', 'DE', 'Germany') }]);
  assert.match(html, /class="emblem is-plain" data-letters="DE" aria-hidden="true"/);
  assert.equal(textIn(html), 'Page Visitors Share Germany 1 visitor');
});
