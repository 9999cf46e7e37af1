import '../browser-globals.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { conditionTexts, filtersOf } from '../../../src/dashboard/core/conditions.ts';

test('a pasted URL keeps the page parameters of the site', () => {
  const line = { name: 'page', condition: 'is', value: 'https://example.com/?sid=9&p=1' } as const;
  assert.deepEqual(filtersOf([line], ['p']), { page: { is: ['/?p=1'] } });
});

test('lines of the form are the filters of the body, without the spaces around what was pasted', () => {
  const filters = filtersOf([
    { name: 'page', condition: 'contains', value: ' /wp- ' },
    { name: 'country', condition: 'is', value: 'DE' },
    { name: 'country', condition: 'is', value: 'FR' },
    { name: 'source', condition: 'is', value: '' },
    { name: 'source', condition: 'is', value: 'https://spam.example/offer' },
    { name: 'entry', condition: 'is', value: 'https://example.com/a?b' },
  ]);
  assert.deepEqual(filters, {
    page: { like: ['*/wp-*'] },
    country: { is: ['DE', 'FR'] },
    source: { is: ['', 'spam.example'] },
    entry: { is: ['/a'] },
  });
});

test('filters are said as people say them', () => {
  assert.deepEqual(
    conditionTexts({
      source: '',
      page: { like: ['*/wp-*'], unlike: ['/blog/*'] },
      country: { is: ['DE', 'FR'] },
      device: { not: ['Mobile'] },
    }),
    [
      'Source is Direct',
      'Page contains /wp-',
      'Page does not match /blog/*',
      'Country is Germany or France',
      'Device is not Mobile',
    ],
  );
});
