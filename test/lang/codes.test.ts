import assert from 'node:assert/strict';
import { test } from 'node:test';
import { coded } from '../../src/lang/coded.ts';
import { CODES } from '../../src/lang/codes.ts';
import { DASHBOARD, dashboardTexts } from '../../src/lang/dashboard.ts';
import { LANGUAGES } from '../../src/lang/languages.ts';
import { inEnglish } from '../../src/lang/sentences.ts';

/** The places of a template by their names and kinds, without the words of counts. */
const placesIn = (sentence: string): string[] =>
  [...sentence.matchAll(/\{(\w+(?::\w+)?)(\|[^|}]*\|[^|}]*)?\}/g)].map(([, place = '']) => place).sort();

test('each code has a sentence in each language, with the same values', () => {
  for (const [code, sentences] of Object.entries(CODES)) {
    for (const language of LANGUAGES) {
      const sentence = sentences[language];
      assert.notEqual(sentence.trim(), '', `${code} in ${language}`);
      assert.deepEqual(new Set(placesIn(sentence)), new Set(placesIn(sentences.en)), `${code} in ${language}`);
      assert.doesNotMatch(sentence.replaceAll(/\{[^{}]*\}/g, ''), /[{}|]/, `${code} in ${language}`);
    }
  }
});

test('no code is the text of a message, as a page has both in one table', () => {
  assert.deepEqual(
    Object.keys(CODES).filter((code) => code in DASHBOARD),
    [],
  );
  assert.equal(dashboardTexts('de').left_out, CODES.left_out.de);
});

test('a code is said in English with its values, counts with their words, and the domain of one site before', () => {
  const said = (visits: number, exclusions: number) => inEnglish(coded('set_aside', { visits, exclusions }));
  assert.equal(said(1, 1), '1 visit is set aside by 1 exclusion.');
  assert.equal(said(1234, 2), '1234 visits are set aside by 2 exclusions.');
  const days = [
    { from: '2026-01-01', to: '2026-01-03' },
    { from: '2026-02-01', to: '2026-02-01' },
  ];
  const { code, values } = coded('other_time_zone', { zone: 'UTC', own: 'Europe/Berlin', days });
  const sentence = 'Counted as days of UTC, and not of Europe/Berlin: 2026-01-01 to 2026-01-03, 2026-02-01.';
  assert.equal(inEnglish({ code, values }), sentence);
  assert.equal(inEnglish({ code, values: { ...values, site: 'example.com' } }), `example.com: ${sentence}`);
});
