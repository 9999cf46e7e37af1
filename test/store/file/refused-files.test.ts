import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openStore } from '../../../src/store/file/open-file.ts';
import { folder } from '../../support/helpers.ts';
import { assertRefused, change, fileIn, makeFile, PAGE } from '../files.ts';

const REFUSED: [string, RegExp, (path: string) => void][] = [
  ['a text', /not a daybook file. Name another/, (path) => writeFileSync(path, 'Dear diary,\n')],
  ['a page of garbage', /not a daybook file. Name another/, (path) => writeFileSync(path, randomBytes(PAGE))],
  [
    'garbage that begins like a database',
    /not a daybook file. Name another|damaged. Restore/,
    (path) => writeFileSync(path, Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(PAGE - 16, 0xa5)])),
  ],
  [
    "somebody else's database",
    /not a daybook file. Name another/,
    (path) => change(path, 'PRAGMA application_id = 1196444487; CREATE TABLE a (b)'),
  ],
  [
    "somebody else's database without a table",
    /not a daybook file. Name another/,
    (path) => change(path, 'PRAGMA application_id = 1196444487'),
  ],
  [
    'a database that does not say whose it is',
    /not a daybook file. Name another/,
    (path) => change(path, 'CREATE TABLE a (b)'),
  ],
  [
    "somebody else's database in WAL mode",
    /not a daybook file. Name another/,
    (path) => change(path, 'PRAGMA journal_mode = WAL; CREATE TABLE a (b)'),
  ],
  [
    'a file of a newer daybook',
    /a newer daybook wrote it \(file version 99, this program knows \d+\). Update the program/,
    (path) => {
      makeFile(path);
      change(path, 'PRAGMA user_version = 99');
    },
  ],
  [
    'a file from before the first release',
    /daybook from before the first release wrote it. Export each site with that program. Then import it with this one/,
    (path) => {
      makeFile(path);
      change(path, `PRAGMA application_id = ${Buffer.from('dayb').readInt32BE()}`);
    },
  ],
  [
    'a file that was cut off',
    /damaged. Restore/,
    (path) => {
      makeFile(path, 100);
      truncateSync(path, Math.floor(statSync(path).size / PAGE / 2) * PAGE);
    },
  ],
];

for (const [what, says, make] of REFUSED) {
  test(`${what} is refused and stays as it was`, (t) => {
    const path = fileIn(t);
    make(path);
    assertRefused(path, says);
  });
}

test('a damaged file is refused and has nothing new beside it', (t) => {
  const path = fileIn(t);
  makeFile(path, 100);
  const bytes = readFileSync(path);
  bytes.fill(0xa5, Math.floor(bytes.length / PAGE / 2) * PAGE, (Math.floor(bytes.length / PAGE / 2) + 1) * PAGE);
  writeFileSync(path, bytes);
  assertRefused(path, /damaged. Restore/);
});

test('a folder in place of the file is called that', (t) => {
  const path = fileIn(t);
  mkdirSync(path);
  assertRefused(path, /is a folder/);
  assert.deepEqual(readdirSync(path), []);
});

test('a named pipe is refused, and nobody waits for what may come from it', (t) => {
  const path = fileIn(t);
  execFileSync('mkfifo', [path]);
  // Something is in it, so that a program that reads it does not wait for ever.
  const end = openSync(path, 'r+');
  t.after(() => closeSync(end));
  writeSync(end, Buffer.alloc(200));
  assert.throws(() => openStore(path), {
    message: `${path}: this is a pipe, a socket or a device. Name a file with --db`,
  });
});

test('a name that leads nowhere is refused in words, and nothing is made', (t) => {
  const place = folder(t);
  symlinkSync(join(place, 'not-mounted', 'daybook.db'), join(place, 'away.db'));
  symlinkSync(join(place, 'round.db'), join(place, 'round.db'));
  const names = {
    'away.db': /Attach its disk/,
    'round.db': /leads back to itself/,
    [`${'n'.repeat(300)}.db`]: /shorter/,
  };
  for (const [name, words] of Object.entries(names)) {
    assert.throws(() => openStore(join(place, name)), { name: 'Error', exitCode: 78, message: words });
  }
  assert.deepEqual(readdirSync(place).sort(), ['away.db', 'round.db']);
});
