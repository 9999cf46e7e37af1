import assert from 'node:assert/strict';
import { test } from 'node:test';
import { partIn, suggestionsFor } from '../../../src/web/site/suggestions.ts';

test('suggestions hold what was typed, those that begin with it first', () => {
  const known = ['/a/price', '/price', '/'].map((value) => ({ value, text: value, visitors: 1 }));
  const found = (typed: string) => suggestionsFor('page', known, typed).map(({ value }) => value);
  assert.deepEqual(found('/price'), ['/price', '/a/price']);
  assert.deepEqual(found('prices'), ['/prices']);
  assert.deepEqual(found(''), ['/a/price', '/price', '/']);
  assert.deepEqual(suggestionsFor('country', [], 'Atlantis'), []);
  assert.deepEqual(partIn(' blog '), [{ value: 'blog', text: 'blog' }]);
  assert.deepEqual(partIn(' '), []);
});
