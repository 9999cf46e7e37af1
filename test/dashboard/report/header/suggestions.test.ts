import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rowsToSuggestions, suggestionsFor } from '../../../../src/dashboard/report/header/suggestions.ts';

test('suggestions hold what was typed, those that begin with it first', () => {
  const known = ['/a/price', '/price', '/'].map((value) => ({ value, text: value, visitors: 1 }));
  const found = (typed: string) => suggestionsFor('page', known, typed).map(({ value }) => value);
  assert.deepEqual(found('/price'), ['/price', '/a/price']);
  assert.deepEqual(found('/'), ['/', '/a/price', '/price']);
  assert.deepEqual(found('prices'), ['/prices']);
  assert.deepEqual(found(''), ['/a/price', '/price', '/']);
  assert.deepEqual(suggestionsFor('country', [], 'Atlantis'), []);
});

test('of a pasted address the path or the host is found', () => {
  const first = (filter: 'entry' | 'source' | 'event', typed: string) => suggestionsFor(filter, [], typed)[0]?.value;
  assert.equal(first('entry', ' https://example.com/price?a=1#b '), '/price');
  assert.equal(first('source', 'https://www.x.org/a'), 'x.org');
  assert.equal(first('source', 'x.org/a'), 'x.org/a');
  assert.equal(first('event', 'https://x.org'), 'https://x.org');
});

test('a path is found by its letters and as it was copied', () => {
  const all = rowsToSuggestions('page', [{ value: '/%E6%97%A5', visitors: 1 }]);
  for (const typed of ['日', '/%e6', '%E6%97%A5'])
    assert.deepEqual(
      suggestionsFor('page', all, typed).find(({ visitors }) => visitors),
      { value: '/%E6%97%A5', text: '/日', visitors: 1 },
    );
});
