import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { readSignedWords, signWords } from '../../../src/store/people/signed-cookies.ts';
import { fileOf } from '../../collect/stage.ts';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

test('words are known again by their one signature, whatever its last character could stand for as well', (t) => {
  const { db } = fileOf(t).open();
  const text = signWords(db, randomBytes, ['browser', 1, 'a']);
  const known = [...LETTERS].filter((letter) => readSignedWords(db, text.slice(0, -1) + letter));
  assert.deepEqual(known, [text.at(-1)]);
  assert.deepEqual(readSignedWords(db, text), ['browser', '1', 'a']);
  for (const changed of [text.slice(0, -1), `${text}A`, `${text}=`, text.replace('.1.', '.2.'), 'browser', '', '.']) {
    assert.equal(readSignedWords(db, changed), undefined, changed);
  }
});
