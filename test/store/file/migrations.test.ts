import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Refusal } from '../../../src/lib/errors.ts';
import { openStore } from '../../../src/store/file/open-file.ts';
import { addUser } from '../../../src/store/people/users.ts';
import { folder } from '../../support/helpers.ts';
import { copiesOf, emailsOf, look, OLD_EMAILS, oldFile, tablesOf, versionOf } from '../old-file.ts';

const COLOR = "ALTER TABLE plan ADD COLUMN color TEXT NOT NULL DEFAULT 'red'";
const BLUE = "UPDATE plan SET color = 'blue'; CREATE TABLE paint (color TEXT) STRICT";

function refused(path: string, options: Parameters<typeof openStore>[1]): string {
  try {
    openStore(path, options).close();
  } catch (error) {
    assert.ok(error instanceof Refusal, String(error));
    assert.equal(error.exitCode, 78);
    assert.doesNotMatch(error.message, /\n/);
    assert.ok(error.message.startsWith(`${path}: `), error.message);
    return error.message;
  }
  assert.fail('it was opened');
}

test('an old file goes through every step in order, and what it held is there', (t) => {
  const path = oldFile(t);
  const { db, close } = openStore(path, { serve: true, migrations: [COLOR, BLUE] });
  assert.deepEqual(db.one('SELECT * FROM pragma_user_version'), { user_version: 3 });
  assert.deepEqual(db.all('SELECT name, color FROM plan WHERE id = 1'), [{ name: 'self-hosted', color: 'blue' }]);
  assert.deepEqual(db.all('SELECT email FROM user ORDER BY id'), [{ email: OLD_EMAILS[0] }, { email: OLD_EMAILS[1] }]);
  close();
  // From the middle, too: only what is missing is done.
  const again = openStore(path, { migrations: [COLOR, BLUE, 'ALTER TABLE paint ADD COLUMN name TEXT'] });
  assert.deepEqual(again.db.one('SELECT * FROM pragma_user_version'), { user_version: 4 });
  again.close();
  assert.deepEqual(copiesOf(path), ['daybook.db.before-v2', 'daybook.db.before-v4']);
});

test('the copy beside it holds the old version and the old rows', (t) => {
  const path = oldFile(t);
  const leave = 'DELETE FROM account WHERE user_id = 1; DELETE FROM user WHERE id = 1';
  openStore(path, { migrations: [COLOR, leave] }).close();
  assert.deepEqual(emailsOf(path), ['bob@example.com']);
  const copy = `${path}.before-v2`;
  assert.deepEqual(copiesOf(path), ['daybook.db.before-v2']);
  assert.equal(versionOf(copy), 1);
  assert.deepEqual(emailsOf(copy), OLD_EMAILS);
  assert.deepEqual(look(copy, 'PRAGMA integrity_check'), [{ integrity_check: 'ok' }]);
  // It is a file like any other: a program of that version opens it.
  openStore(copy, { migrations: [] }).close();
});

test('a file that is new already is neither changed nor copied', (t) => {
  const path = oldFile(t);
  openStore(path, { migrations: [COLOR] }).close();
  rmSync(`${path}.before-v2`);
  for (const serve of [false, true]) openStore(path, { serve, migrations: [COLOR] }).close();
  assert.deepEqual(copiesOf(path), []);
  assert.equal(versionOf(path), 2);

  const fresh = join(folder(t), 'fresh.db');
  openStore(fresh, { migrations: ['this is no SQL, and never run'] }).close();
  assert.equal(versionOf(fresh), 2);
  assert.deepEqual(copiesOf(fresh), []);
});

test('a step that fails leaves the steps before it, names the copy, and a repaired program goes on', (t) => {
  const path = oldFile(t);
  const broken = `CREATE TABLE paint (color TEXT) STRICT; ${COLOR}; UPDATE nowhere SET a = 1`;
  for (const serve of [false, true]) {
    const message = refused(path, { serve, migrations: [COLOR, broken, BLUE] });
    assert.match(message, /updating to version 3 failed \(.*\)\. daybook\.db\.before-v[23] has it as it was$/);
    assert.equal(versionOf(path), 2);
    assert.deepEqual(look(path, 'SELECT name, color FROM plan WHERE id = 1'), [{ name: 'self-hosted', color: 'red' }]);
    assert.ok(!tablesOf(path).includes('paint'));
    assert.deepEqual(emailsOf(path), OLD_EMAILS);
  }
  assert.deepEqual(copiesOf(path), ['daybook.db.before-v2', 'daybook.db.before-v3']);
  assert.deepEqual([versionOf(`${path}.before-v2`), versionOf(`${path}.before-v3`)], [1, 2]);

  // Nothing holds the file any more.
  const { db, close } = openStore(path, { serve: true, migrations: [COLOR, BLUE] });
  assert.deepEqual(db.all('SELECT name, color FROM plan WHERE id = 1'), [{ name: 'self-hosted', color: 'blue' }]);
  close();
  assert.equal(versionOf(path), 3);
});

test('the copy is made before anything is changed, and is there when the first step fails', (t) => {
  const path = oldFile(t);
  const message = refused(path, { migrations: ['DELETE FROM user; UPDATE nowhere SET a = 1'] });
  assert.match(
    message,
    /updating to version 2 failed \(no such table: nowhere\)\. daybook\.db\.before-v2 has it as it was/,
  );
  assert.deepEqual(emailsOf(path), OLD_EMAILS);
  assert.deepEqual(emailsOf(`${path}.before-v2`), OLD_EMAILS);
  assert.deepEqual(tablesOf(`${path}.before-v2`), tablesOf(path));
});

test('without a copy nothing is changed', (t) => {
  const path = oldFile(t);
  mkdirSync(`${path}.before-v2`);
  writeFileSync(join(`${path}.before-v2`, 'in the way'), '');
  assert.throws(() => openStore(path, { migrations: [COLOR] }).close());
  assert.equal(versionOf(path), 1);
  rmSync(`${path}.before-v2`, { recursive: true });
  // Nor does anything hold the file afterwards; what was begun is overwritten.
  openStore(path, { serve: true, migrations: [COLOR] }).close();
  assert.deepEqual(copiesOf(path), ['daybook.db.before-v2']);
  assert.equal(versionOf(path), 2);
});

test('a copy that was interrupted is made again', (t) => {
  const path = oldFile(t);
  writeFileSync(`${path}.before-v2.tmp`, 'half a copy');
  openStore(path, { migrations: [COLOR] }).close();
  assert.deepEqual(copiesOf(path), ['daybook.db.before-v2']);
  assert.deepEqual(emailsOf(`${path}.before-v2`), OLD_EMAILS);
});

test('a step that leaves references leading nowhere fails', (t) => {
  const path = oldFile(t);
  const message = refused(path, { migrations: [COLOR, 'DELETE FROM user WHERE id = 1'] });
  assert.match(message, /updating to version 3 failed \(1 foreign key without a target\)/);
  assert.equal(versionOf(path), 2);
  assert.deepEqual(emailsOf(path), OLD_EMAILS);
});

test('a table can be rebuilt without losing what refers to it, and references are enforced again afterwards', (t) => {
  const path = oldFile(t);
  const rebuild = `
    CREATE TABLE new_user (id INTEGER PRIMARY KEY AUTOINCREMENT, email TEXT NOT NULL, password TEXT, created_at INTEGER) STRICT;
    INSERT INTO new_user SELECT id, email, password, created_at FROM user;
    DROP TABLE user;
    ALTER TABLE new_user RENAME TO user;`;
  const { db, close } = openStore(path, { migrations: [rebuild] });
  assert.deepEqual(db.all('SELECT user_id FROM account ORDER BY id'), [{ user_id: 1 }, { user_id: 2 }]);
  assert.deepEqual(db.one('SELECT * FROM pragma_foreign_keys'), { foreign_keys: 1 });
  assert.throws(() => db.write(() => db.run('INSERT INTO account (user_id) VALUES (77)')), {
    code: 'SQLITE_CONSTRAINT_FOREIGNKEY',
  });
  db.write(() => db.run('DELETE FROM user WHERE id = 1'));
  assert.deepEqual(db.all('SELECT user_id FROM account'), [{ user_id: 2 }]);
  close();
});

test('a command does not update a file under the feet of an older server', (t) => {
  const path = oldFile(t);
  const server = openStore(path, { serve: true, migrations: [] });
  const message = refused(path, { migrations: [COLOR] });
  assert.match(message, /it must be updated first, but a server or another command is using it/);
  assert.deepEqual(server.db.one('SELECT * FROM pragma_user_version'), { user_version: 1 });
  assert.deepEqual(copiesOf(path), []);
  server.db.write(() => addUser(server.db, { email: 'cid@example.com', password: null, now: 0 }));
  server.close();
  openStore(path, { migrations: [COLOR] }).close();
  assert.deepEqual(emailsOf(path), [...OLD_EMAILS, 'cid@example.com']);
  assert.equal(versionOf(path), 2);
});

test('a server starts on a file that a command has just updated, and a command beside it goes on', (t) => {
  const path = oldFile(t);
  openStore(path, { migrations: [COLOR] }).close();
  const server = openStore(path, { serve: true, migrations: [COLOR] });
  openStore(path, { migrations: [COLOR] }).close();
  server.close();
  assert.deepEqual(copiesOf(path), ['daybook.db.before-v2']);
});
