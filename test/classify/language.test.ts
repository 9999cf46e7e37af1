import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readLanguage } from '../../src/classify/language.ts';

test('the language is the first one that a browser names, without its region', () => {
  const found: [header: string | undefined, language: string][] = [
    ['de-AT,de;q=0.9,en;q=0.8', 'de'],
    ['en', 'en'],
    [' FR ; q=1', 'fr'],
    ['zgh-MA', 'zgh'],
    ['*', ''],
    ['', ''],
    [undefined, ''],
    ['x', ''],
    ['deutsch', ''],
    ['d1-AT', ''],
  ];
  for (const [header, language] of found) assert.equal(readLanguage(header), language, header);
});
