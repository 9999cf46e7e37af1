import '../../browser-globals.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Filters } from '../../../../src/dashboard/core/view.ts';
import { FilterBar } from '../../../../src/dashboard/report/header/filter-bar.tsx';
import { renderIn, SCOPE, textIn, VIEW } from '../../components.tsx';

const html = (filters: Filters): string => renderIn({ ...SCOPE, view: { ...VIEW, filters } }, <FilterBar />);

test('every filter is named with its value, and can be removed', () => {
  const shown = html({ source: [''], page: ['/prices'] });
  assert.equal(textIn(shown), 'Page is /prices × Source is Direct × Add a filter Clear all');
  assert.match(shown, /aria-label="Remove the filter Source is Direct"/);
  const conditions = html({ 'page.not': ['/a'], 'page.contains': ['blog'], 'exit.lacks': ['x'] });
  const texts = 'Page is not /a × Page contains blog × Exit page does not contain x ×';
  assert.equal(textIn(conditions), `${texts} Add a filter Clear all`);
  assert.match(conditions, /aria-label="Remove the filter Page is not \/a"/);
});

test('the values of a filter make a sentence, and each can be removed', () => {
  const shown = html({ os: ['Linux', '', 'iOS'] });
  assert.equal(textIn(shown), 'Operating system is Linux × or Unknown × or iOS × Add a filter Clear all');
  assert.match(shown, /aria-label="Remove the filter Operating system is iOS"/);
  assert.equal(shown.match(/<li/g)?.length, 1);
});

test('one filter alone needs no button that clears all, and without filters there is no list', () => {
  assert.equal(textIn(html({ os: ['Linux'] })), 'Operating system is Linux × Add a filter');
  assert.equal(textIn(html({})), 'Add a filter');
  assert.doesNotMatch(html({}), /<ul/);
});

test('a filter can be changed by the beginning of its sentence, and says when no more values fit', () => {
  const shown = html({ 'source.not': Array.from({ length: 20 }, (_, i) => `s${i}`) });
  assert.match(shown, /<button[^>]*aria-haspopup="dialog"[^>]*>Source is not<\/button>/);
  assert.match(textIn(shown), /Add a filter A filter can have at most 20 values\./);
});
