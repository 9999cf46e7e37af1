import '../browser-globals.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderToString } from 'preact-render-to-string';
import { FilterBar } from '../../../src/web/site/filter-bar.tsx';
import type { Filters } from '../../../src/web/view.ts';
import { textIn, VIEW } from '../components.tsx';

const html = (filters: Filters): string =>
  renderToString(<FilterBar domain="example.com" view={{ ...VIEW, filters }} />);

test('every filter is named with its value, and can be removed', () => {
  const shown = html({ source: '', page: '/prices' });
  assert.equal(textIn(shown), 'Page /prices × Source Direct × Add a filter Clear all');
  assert.match(shown, /aria-label="Remove the filter Source Direct"/);
  const conditions = html({ 'page.not': '/a', 'page.contains': 'blog' });
  assert.equal(textIn(conditions), 'Page is not /a × Page contains blog × Add a filter Clear all');
  assert.match(conditions, /aria-label="Remove the filter Page is not \/a"/);
});

test('one filter alone needs no button that clears all, and without filters there is no list', () => {
  assert.equal(textIn(html({ os: 'Linux' })), 'Operating system Linux × Add a filter');
  assert.equal(textIn(html({})), 'Add a filter');
  assert.doesNotMatch(html({}), /<ul/);
});
