import '../browser-globals.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';

const { findAnswer, forgetAnswers, keepAnswer } = await import('../../../src/dashboard/core/answers.ts');

test('answers: the last 200 are kept, and a change forgets them', () => {
  for (let n = 0; n < 300; n++) {
    keepAnswer(`/${n}`, { data: n, at: 0 });
    keepAnswer('/often', { data: n, at: 0 });
  }
  assert.equal(findAnswer('/100'), undefined);
  assert.deepEqual(findAnswer('/101'), { data: 101, at: 0 });
  assert.deepEqual(findAnswer('/often'), { data: 299, at: 0 });
  forgetAnswers();
  assert.equal(findAnswer('/299'), undefined);
});
