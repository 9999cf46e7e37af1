import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TRANSLATED } from '../../src/lang/languages.ts';
import { inEnglish } from '../../src/lang/sentences.ts';
import { inLanguage } from '../../src/lang/translated-sentences.ts';
import { startApp } from '../support/helpers.ts';

/** Names, numbers and dates are the same in every language. */
const SAME = ['versions', 'clock_alone'];

test('what doctor finds on a server, and how a request came, is said in every language', async (t) => {
  const app = await startApp(t);
  const { findings, request } = (await app.owner.ask('GET', '/server')).body.data;
  assert.ok(findings.length > 10);
  for (const { says, says_codes, remedy, remedy_codes = [] } of [...findings, request]) {
    assert.equal(says_codes.map(inEnglish).join('. '), says);
    assert.equal(remedy_codes.map(inEnglish).join('. '), remedy ?? '');
    for (const one of [...says_codes, ...remedy_codes]) {
      for (const language of TRANSLATED) {
        const sentence = inLanguage(one, language);
        assert.doesNotMatch(sentence, /[{}]/);
        if (!SAME.includes(one.code)) assert.notEqual(sentence, inEnglish(one), language);
      }
    }
  }
});
