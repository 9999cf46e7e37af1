import assert from 'node:assert/strict';
import { chmodSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { openStore } from '../../../src/store/file/open-file.ts';
import { assertRefused, contents, fileIn, makeFile } from '../files.ts';

/** Works without root's right to write everywhere. */
function asNobody<Result>(work: () => Result): Result {
  const { getuid, setegid, seteuid } = process;
  assert.ok(getuid && setegid && seteuid);
  if (getuid() !== 0) return work();
  setegid(65_534);
  seteuid(65_534);
  try {
    return work();
  } finally {
    seteuid(0);
    setegid(0);
  }
}

test('a file that may only be read is refused and stays as it was', (t) => {
  const path = fileIn(t);
  makeFile(path);
  const bytes = readFileSync(path);
  chmodSync(path, 0o444);
  chmodSync(dirname(path), 0o777);
  for (const serve of [false, true]) {
    asNobody(() =>
      assert.throws(() => openStore(path, { serve }).close(), {
        message: `${path}: daybook cannot write it. Check the permissions of the file and its folder`,
        exitCode: 78,
      }),
    );
    assert.ok(readFileSync(path).equals(bytes));
  }
});

test('a file that may not even be read is refused and stays as it was', (t) => {
  const path = fileIn(t);
  makeFile(path);
  const before = contents(dirname(path));
  chmodSync(path, 0o000);
  chmodSync(dirname(path), 0o777);
  for (const serve of [false, true]) {
    asNobody(() =>
      assert.throws(() => openStore(path, { serve }).close(), {
        message: `${path}: daybook cannot open it. Check the permissions of the file and its folder`,
        exitCode: 78,
      }),
    );
  }
  chmodSync(path, 0o600);
  assert.deepEqual(contents(dirname(path)), before);
});

test('a folder that may only be read is refused, with a file in it and without', (t) => {
  const path = fileIn(t);
  makeFile(path);
  chmodSync(path, 0o666);
  chmodSync(dirname(path), 0o555);
  try {
    asNobody(() => {
      assertRefused(path, /Check the permissions of the file and its folder/);
      assertRefused(join(dirname(path), 'new.db'), /Check the permissions of the file and its folder/);
    });
  } finally {
    chmodSync(dirname(path), 0o700);
  }
});
