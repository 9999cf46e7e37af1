import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { test } from 'node:test';
import { Refusal } from '../../../src/lib/errors.ts';
import { VERSION } from '../../../src/store/file/migrations.ts';
import { assertVersion, openStore } from '../../../src/store/file/open-file.ts';
import { add, emails, fileIn, makeFile, opened } from '../files.ts';

test('a fresh file says whose it is and which version', (t) => {
  const path = fileIn(t);
  const { db } = opened(t, path);
  assert.deepEqual(db.one('SELECT * FROM pragma_application_id'), {
    application_id: Buffer.from('dybk').readInt32BE(),
  });
  assert.deepEqual(db.one('SELECT * FROM pragma_user_version'), { user_version: VERSION });
  assert.deepEqual(db.all('SELECT name FROM plan ORDER BY id'), [{ name: 'self-hosted' }, { name: 'guest' }]);
  const next = join(dirname(path), 'next.db');
  const migrated = opened(t, next, { migrations: ['CREATE TABLE a (b)', 'CREATE TABLE c (d)'] });
  assert.deepEqual(migrated.db.one('SELECT * FROM pragma_user_version'), { user_version: 3 });
  assert.equal(migrated.path, next);
});

test('an empty file and a name without a file are as good as each other', (t) => {
  const path = fileIn(t);
  writeFileSync(path, '');
  const { db } = opened(t, path, { serve: true });
  add(db, 'ann@example.com');
  assert.deepEqual(emails(db), ['ann@example.com']);
});

test('everything the file is told to do is in force', (t) => {
  const { db } = opened(t, fileIn(t));
  const asked: [string, Record<string, unknown>][] = [
    ['busy_timeout', { timeout: 5000 }],
    ['journal_mode', { journal_mode: 'wal' }],
    ['synchronous', { synchronous: 2 }],
    ['foreign_keys', { foreign_keys: 1 }],
    ['trusted_schema', { trusted_schema: 0 }],
    ['cell_size_check', { cell_size_check: 1 }],
    ['secure_delete', { secure_delete: 1 }],
    ['temp_store', { temp_store: 2 }],
    ['cache_size', { cache_size: -8_000 }],
    ['journal_size_limit', { journal_size_limit: 67_108_864 }],
  ];
  for (const [name, answer] of asked) assert.deepEqual(db.one(`SELECT * FROM pragma_${name}`), answer);
  assert.deepEqual(db.one('PRAGMA mmap_size'), { mmap_size: 0 });
});

test('foreign keys are enforced and what is deleted leaves the file', (t) => {
  const path = fileIn(t);
  const { db, close } = openStore(path);
  const orphan = 'INSERT INTO site (account_id, domain, created_at) VALUES (7, ?, 0)';
  assert.throws(() => db.write(() => db.run(orphan, 'example.com')), { code: 'SQLITE_CONSTRAINT_FOREIGNKEY' });
  const id = add(db, 'a-secret-of-somebody@example.com');
  add(db, 'ann@example.com');
  db.write(() => db.run('DELETE FROM user WHERE id = ?', id));
  assert.deepEqual(db.all('SELECT user_id FROM account'), [{ user_id: 2 }]);
  close();
  const bytes = readFileSync(path);
  assert.ok(bytes.includes('ann@example.com'));
  assert.ok(!bytes.includes('a-secret-of-somebody'));
});

test('what was written is there after closing, in one file without leftovers', (t) => {
  const path = fileIn(t);
  makeFile(path, 3);
  assert.deepEqual(readdirSync(dirname(path)), [basename(path)]);
  const again = opened(t, path);
  assert.deepEqual(emails(again.db), ['user0@example.com', 'user1@example.com', 'user2@example.com']);
});

test('a folder that is not there is named', (t) => {
  const path = join(fileIn(t), 'deeper', 'daybook.db');
  const missing = dirname(path);
  assert.throws(() => openStore(path), {
    message: `${path}: the folder ${missing} does not exist. Create it first`,
    exitCode: 78,
  });
});

test('a file in place of the folder is named', (t) => {
  const folder = fileIn(t);
  writeFileSync(folder, '');
  const path = join(folder, 'daybook.db');
  assert.throws(() => openStore(path), {
    message: `${path}: ${folder} is a file, not a folder. Name another place with --db`,
    exitCode: 78,
  });
});

test('a command that needs an existing file does not make one', (t) => {
  const path = fileIn(t);
  for (const serve of [false, true]) {
    assert.throws(() => openStore(path, { create: false, serve }).close(), {
      message: `${path}: there is no such file. Name another with --db`,
      exitCode: 78,
    });
  }
  assert.deepEqual(readdirSync(dirname(path)), []);
  makeFile(path, 1);
  assert.deepEqual(emails(opened(t, path, { create: false }).db), ['user0@example.com']);
});

test('SQLite is refused in the versions that can corrupt a file', () => {
  for (const version of ['3.51.3', '3.51.10', '3.53.0', '3.54.1', '4.0.0']) assertVersion(version);
  for (const version of ['3.51.2', '3.52.0', '3.7.0', '3.50.4', '2.99.99']) {
    assert.throws(
      () => assertVersion(version),
      (error) => error instanceof Refusal && error.message.includes(version),
      version,
    );
  }
});
