import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import * as v from 'valibot';
import { COST, makePasswords, Password } from '../../src/auth/passwords.ts';
import { inEnglish } from '../../src/lang/sentences.ts';
import { Problem } from '../../src/lib/errors.ts';
import { readCoded } from '../../src/lib/http/fault.ts';
import { CHEAP } from '../support/people.ts';
import { anyText } from '../support/text.ts';

/** Slow enough that what does not wait for it overtakes it by far. */
const SLOW = { memoryCost: 19_456, timeCost: 12, parallelism: 1 };

test('the right password matches and another does not', async () => {
  const { hash, matches } = makePasswords(CHEAP);
  const stored = await hash('correct horse battery');
  assert.equal(await matches(stored, 'correct horse battery'), true);
  for (const other of [
    '',
    'Correct horse battery',
    'correct horse battery ',
    'correct horse batter',
    'correct horse battery\u0000',
  ]) {
    assert.equal(await matches(stored, other), false, other);
  }
});

test('any text is a password of its own', async () => {
  const { hash, matches } = makePasswords(CHEAP);
  await fc.assert(
    fc.asyncProperty(anyText(), anyText(), async (one, other) => {
      const stored = await hash(one);
      assert.equal(await matches(stored, one), true);
      assert.equal(await matches(stored, other), one === other);
    }),
    { numRuns: 300 },
  );
});

test('what is stored says nothing of the password, and is another each time', async () => {
  const { hash } = makePasswords(CHEAP);
  const [one, other] = await Promise.all([hash('correct horse battery'), hash('correct horse battery')]);
  assert.notEqual(one, other);
  assert.ok(!`${one}${other}`.includes('horse'));
});

test('a password costs what OWASP recommends unless somebody says otherwise', async () => {
  assert.deepEqual(COST, { memoryCost: 19_456, timeCost: 2, parallelism: 1 });
  const stored = await makePasswords().hash('correct horse battery');
  assert.match(stored, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  // One that was stored at another cost stays good.
  assert.equal(await makePasswords(CHEAP).matches(stored, 'correct horse battery'), true);
});

test('two are at work at once, and a third waits for one of them however quick it would be', async () => {
  const [slow, quick] = [await makePasswords(SLOW).hash('slow'), await makePasswords(CHEAP).hash('quick')];
  const { matches } = makePasswords(CHEAP);
  const done: string[] = [];
  const noted = (word: string) => (matched: boolean) => done.push(matched ? word : 'wrong');
  await Promise.all([
    matches(slow, 'slow').then(noted('slow')),
    matches(slow, 'slow').then(noted('slow')),
    matches(quick, 'quick').then(noted('quick')),
  ]);
  assert.equal(done[0], 'slow');
  assert.deepEqual(done.toSorted(), ['quick', 'slow', 'slow']);
});

test('of a crowd two are at work and 32 wait; one more is told to come back, and all others finish', async () => {
  const { hash, matches } = makePasswords(CHEAP);
  const stored = await hash('correct horse battery');
  const crowd = Array.from({ length: 34 }, (_, i) => matches(stored, i % 2 === 0 ? 'correct horse battery' : 'wrong'));
  for (const one of [matches(stored, 'correct horse battery'), hash('another')]) {
    await assert.rejects(
      one,
      (error) => error instanceof Problem && error.code === 'unavailable' && error.status === 503,
    );
  }
  assert.deepEqual(
    await Promise.all(crowd),
    crowd.map((_, i) => i % 2 === 0),
  );
  // Afterwards there is as much room as before.
  const again = Array.from({ length: 34 }, () => matches(stored, 'correct horse battery'));
  await assert.rejects(matches(stored, 'correct horse battery'), { code: 'unavailable' });
  assert.ok((await Promise.all(again)).every((matched) => matched));
});

test('one that fails gives its place on', async () => {
  const { hash, matches } = makePasswords(CHEAP);
  const stored = await hash('correct horse battery');
  const broken = Array.from({ length: 34 }, () => matches('no hash at all', 'correct horse battery'));
  for (const result of await Promise.allSettled(broken)) assert.equal(result.status, 'rejected');
  const crowd = Array.from({ length: 34 }, () => matches(stored, 'correct horse battery'));
  assert.ok((await Promise.all(crowd)).every((matched) => matched));
});

test('a password has 10 to 1,024 characters, whatever they are', () => {
  const sentence = (typed: unknown): string | undefined => {
    const { issues: [fault] = [] } = v.safeParse(Password, typed);
    return fault && inEnglish(readCoded(fault.message));
  };
  for (const one of ['a', 'ü', '😀', ' ']) {
    assert.equal(sentence(one.repeat(9)), 'Must have at least 10 characters.');
    assert.equal(sentence(one.repeat(10)), undefined);
    assert.equal(sentence(one.repeat(1024)), undefined);
    assert.equal(sentence(one.repeat(1025)), 'Must have at most 1,024 characters.');
  }
  for (const typed of [undefined, null, 1_234_567_890, ['0123456789']]) assert.equal(sentence(typed), 'Must be text.');
});

test('passwords of the share links of one account do not keep others from signing in', async () => {
  const { hash, matches } = makePasswords(CHEAP);
  const stored = await hash('correct horse battery');
  const links = Array.from({ length: 40 }, () => hash('of a link', 7).catch(({ code }) => code));
  assert.equal(await matches(stored, 'correct horse battery'), true);
  const refused = (await Promise.all(links)).filter((ended) => ended === 'unavailable');
  assert.equal(refused.length, 40 - 2 - 32 + 1);
});
