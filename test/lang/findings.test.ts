import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FINDINGS } from '../../src/lang/dashboard/findings.ts';
import { DASHBOARD } from '../../src/lang/dashboard.ts';
import { TRANSLATED } from '../../src/lang/languages.ts';
import { sayIn, textsIn } from '../../src/lang/messages.ts';
import { startApp } from '../support/helpers.ts';

/** Names, numbers and dates are the same in every language. */
const SAME = ['version', 'time', 'countries'];

test('what doctor finds on a server, and how a request came, is said in every language', async (t) => {
  const app = await startApp(t);
  const { findings, request } = (await app.owner.ask('GET', '/server')).body.data;
  assert.ok(findings.length > 10);
  for (const language of TRANSLATED) {
    const { retold } = sayIn(language, textsIn(DASHBOARD, language));
    for (const { name, says, remedy } of [...findings, { ...request, name: 'request' }]) {
      for (const sentence of SAME.includes(name) ? [] : [says, remedy ?? '']) {
        if (sentence !== '') assert.notEqual(retold(sentence), sentence, `${name} in ${language}`);
      }
    }
  }
});

test('a remedy with two values keeps both in every language', () => {
  const remedy = 'if 10.0.0.7 is your proxy, start the server with --trusted-proxies 10.0.0.7';
  for (const language of TRANSLATED) {
    const said = sayIn(language, textsIn(FINDINGS, language)).retold(remedy);
    assert.notEqual(said, remedy);
    assert.equal(said.split('10.0.0.7').length, 3, said);
  }
});
