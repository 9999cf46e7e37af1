import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openSpamList } from '../../src/classify/spam.ts';
import { Refusal } from '../../src/lib/errors.ts';
import { folder } from '../support/helpers.ts';

/** A list with a file of its own, whose clock stands still but for `later`. */
function listWith(t: TestContext, text: string) {
  const path = join(folder(t), 'spam.txt');
  writeFileSync(path, text);
  let time = 0;
  const logged: [event: string, details: unknown][] = [];
  const clock = { now: () => 0, tick: () => time };
  const list = openSpamList(path, clock, (event, details) => logged.push([event, details]));
  /** Whether a host is spam some seconds from now, when a look at the file that began is over. */
  async function later(seconds: number, host: string): Promise<boolean> {
    time += seconds * 1000;
    list.isSpam('');
    await list.settle();
    return list.isSpam(host);
  }
  return { path, list, logged, later };
}

const LOST = 'spam list cannot be read. The last good one stays in use. Correct or replace the file';

const still = { now: () => 0, tick: () => 0 };
const silent = () => assert.fail('nothing is to be logged');

test('without a file the built-in list holds', async () => {
  const list = openSpamList(undefined, still, silent);
  for (const host of ['semalt.com', '1.semalt.com', 'a.b.darodar.com', 'xn--oogle-wmc.com']) {
    assert.equal(list.isSpam(host), true, host);
  }
  for (const host of ['', 'com', 'google.com', 'notsemalt.com', 'semalt.com.example', 'semalt', '(other)']) {
    assert.equal(list.isSpam(host), false, host);
  }
  await list.settle();
});

test('a file adds to the built-in list', (t) => {
  const { list } = listWith(t, 'spam.example\n');
  assert.equal(list.isSpam('spam.example'), true);
  assert.equal(list.isSpam('semalt.com'), true);
  assert.equal(list.isSpam('example'), false);
});

test('a domain stands for all below it, and for nothing beside it', (t) => {
  const { list } = listWith(t, 'b.example\n');
  for (const host of ['b.example', 'a.b.example', 'x.a.b.example']) assert.equal(list.isSpam(host), true, host);
  for (const host of ['ab.example', 'example', 'b.example.com', 'b']) assert.equal(list.isSpam(host), false, host);
});

test('comments, blank lines, white space, case and a leading www do not matter', (t) => {
  const { list, logged } = listWith(
    t,
    '\ufeff# my list\r\n\r\n  one.example  \r\nTWO.example # why\n\n\nwww.three.example\nbücher.example\nlast.example',
  );
  for (const host of ['one.example', 'two.example', 'three.example', 'xn--bcher-kva.example', 'last.example']) {
    assert.equal(list.isSpam(host), true, host);
  }
  assert.deepEqual(logged, []);
});

test('lines that are no domain are left out, and counted in the log', (t) => {
  const { path, list, logged } = listWith(t, 'com\nhttps://a.example/\n*.b.example\n1.2.3.4\nc.example\n');
  for (const host of ['x.com', 'a.example', 'b.example']) assert.equal(list.isSpam(host), false, host);
  assert.equal(list.isSpam('c.example'), true);
  assert.deepEqual(logged, [
    ['the spam list has lines that are not domains. They are ignored. Write one domain per line', { path, ignored: 4 }],
  ]);
});

test('a change shows after some seconds, and not before', async (t) => {
  const { path, later } = listWith(t, 'old.example\n');
  writeFileSync(path, 'brand-new.example\n');
  assert.equal(await later(4.9, 'brand-new.example'), false);
  assert.equal(await later(0.1, 'brand-new.example'), true);
  assert.equal(await later(0, 'old.example'), false);
});

test('a file that goes away later changes nothing, is reported once, and is read when it is back', async (t) => {
  const { path, logged, later } = listWith(t, 'old.example\n');
  rmSync(path);
  assert.equal(await later(5, 'old.example'), true);
  assert.equal(await later(5, 'old.example'), true);
  assert.deepEqual(logged, [[LOST, { path, reason: 'there is no such file' }]]);

  writeFileSync(path, 'brand-new.example\n');
  assert.equal(await later(5, 'brand-new.example'), true);
  rmSync(path);
  assert.equal(await later(5, 'brand-new.example'), true);
  assert.equal(logged.length, 2);
});

test('a file that is missing at the start is for the operator', (t) => {
  for (const [path, reason] of [
    [join(folder(t), 'nothing.txt'), 'there is no such file'],
    [folder(t), 'this is a folder'],
  ] as const) {
    assert.throws(
      () => openSpamList(path, still, silent),
      (error) =>
        error instanceof Refusal && error.exitCode === 78 && error.message === `--spam-list: ${path}: ${reason}`,
    );
  }
});
