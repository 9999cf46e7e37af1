import assert from 'node:assert/strict';
import fs, { renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { Refusal } from '../../src/lib/errors.ts';
import { makeUnchanging, watchFile } from '../../src/lib/watched-file.ts';
import { folder } from '../support/helpers.ts';

const LOGGED = 'word cannot be read. The last good one stays in use. Correct or replace the file';

/** A watched file with a word in small letters, whose clock a test moves. */
function stage(t: TestContext, first = 'old') {
  const path = join(folder(t), 'word.txt');
  writeFileSync(path, first);
  let time = 0;
  const logged: [event: string, details: unknown][] = [];
  const during: { read?: () => void } = {};
  const parse = (bytes: Buffer): string => {
    during.read?.();
    delete during.read;
    const word = bytes.toString();
    if (!/^[a-z]+$/.test(word)) throw new Error('it is no word');
    return word;
  };
  const open = () =>
    watchFile({
      path,
      flag: '--word',
      name: 'word',
      parse,
      clock: { tick: () => time },
      log: (event, details) => logged.push([event, details]),
    });
  const file = open();
  /** The content some seconds from now, when the check that this begins has ended. */
  async function later(seconds: number): Promise<string> {
    pass(seconds);
    file.content();
    await file.settle();
    return file.content();
  }
  function pass(seconds: number): void {
    time += seconds * 1_000;
  }
  return { path, file, logged, during, open, later, pass };
}

test('a change shows after some seconds, and not before', async (t) => {
  const { path, later } = stage(t);
  writeFileSync(path, 'brandnew');
  assert.equal(await later(4.9), 'old');
  assert.equal(await later(0.1), 'brandnew');
});

test('one of the same size, one of the same time and one that takes the place of the old are changes too', async (t) => {
  const { path, later } = stage(t);
  writeFileSync(path, 'new');
  utimesSync(path, 1, 1);
  assert.equal(await later(5), 'new');
  const { atime, mtime } = statSync(path);
  writeFileSync(`${path}.next`, 'two');
  utimesSync(`${path}.next`, atime, mtime);
  renameSync(`${path}.next`, path);
  assert.equal(await later(5), 'two');
});

test('whoever asks never waits for the disk, and only one check is under way', async (t) => {
  const { path, file, pass } = stage(t);
  writeFileSync(path, 'brandnew');
  pass(5);
  const waits: string[] = [];
  for (const name of Object.keys(fs).filter((name) => name.endsWith('Sync'))) {
    const original = fs[name as 'readFileSync'];
    // lchmodSync is there on a Mac only.
    if (!original) continue;
    t.mock.method(
      fs,
      name as 'readFileSync',
      ((...given: Parameters<typeof original>) => {
        waits.push(name);
        return original(...given);
      }) as typeof original,
    );
  }
  syncBuiltinESMExports();
  assert.equal(file.content(), 'old');
  const check = file.settle();
  assert.equal(file.content(), 'old');
  assert.equal(file.settle(), check);
  await check;
  assert.equal(file.content(), 'brandnew');
  t.mock.restoreAll();
  syncBuiltinESMExports();
  assert.deepEqual(waits, []);
});

test('a file that is written while it is read is read again', async (t) => {
  const { path, during, later } = stage(t);
  writeFileSync(path, 'second');
  during.read = () => writeFileSync(path, 'thirdone');
  assert.equal(await later(5), 'second');
  assert.equal(await later(5), 'thirdone');
});

test('a file that cannot be read changes nothing and is logged once, until it can be', async (t) => {
  const { path, logged, later } = stage(t);
  const line = (reason: string) => [LOGGED, { path, reason }];
  rmSync(path);
  assert.equal(await later(5), 'old');
  assert.equal(await later(5), 'old');
  assert.deepEqual(logged.splice(0), [line('there is no such file')]);
  writeFileSync(path, '???');
  assert.equal(await later(5), 'old');
  assert.equal(await later(5), 'old');
  assert.deepEqual(logged.splice(0), [line('it is no word')]);

  writeFileSync(path, 'brandnew');
  assert.equal(await later(5), 'brandnew');
  rmSync(path);
  assert.equal(await later(5), 'brandnew');
  assert.deepEqual(logged, [line('there is no such file')]);
});

test('a file that cannot be read at the start is refused by its flag, its path and the reason', (t) => {
  const { path, open, logged } = stage(t);
  const isRefusal = (reason: string) => (error: unknown) =>
    error instanceof Refusal && error.exitCode === 78 && error.message === `--word: ${path}: ${reason}`;
  writeFileSync(path, '???');
  assert.throws(open, isRefusal('it is no word'));
  rmSync(path);
  assert.throws(open, isRefusal('there is no such file'));
  assert.deepEqual(logged, []);
});

test('what comes with the program is there and never changes', async () => {
  const file = makeUnchanging('word');
  await file.settle();
  assert.equal(file.content(), 'word');
});
