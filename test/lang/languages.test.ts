import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPreferredLanguage } from '../../src/lang/languages.ts';

test('of the languages that a browser names the one it likes most is taken, and English where it names none of them', () => {
  const cases: [header: string | undefined, language: string][] = [
    [undefined, 'en'],
    ['', 'en'],
    ['de', 'de'],
    ['de-AT,de;q=0.9,en;q=0.8', 'de'],
    ['it,fr-CA;q=0.7,en;q=0.3', 'fr'],
    ['en;q=0.5, ES;q=0.6', 'es'],
    ['de;q=0, es;q=0.1', 'es'],
    ['ja, zh-CN', 'en'],
    ['*', 'en'],
    ['de;q=abc', 'en'],
    [',,;;q=1,fr', 'fr'],
    ['__proto__', 'en'],
  ];
  for (const [header, language] of cases) assert.equal(readPreferredLanguage(header), language, header);
});
