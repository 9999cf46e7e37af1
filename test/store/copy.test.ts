import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import Database from 'better-sqlite3';
import { Refusal } from '../../src/lib/errors.ts';
import { finish } from '../../src/lib/steps.ts';
import { copyFile, makeAs } from '../../src/store/copy.ts';
import { folder } from '../helpers.ts';

test('a copy makes tables as the file says, and runs nothing else that stands there', (t) => {
  const place = folder(t);
  const file = new Database(join(place, 'copy.db'));
  const planted = join(place, 'planted.db');
  const attach = `ATTACH '${planted}' AS p; CREATE TABLE p.x (n)`;
  for (const sql of [`CREATE TABLE zz (a); ${attach}`, `CREATE TABLE zz (a) /* */; ${attach}`, `;${attach}`]) {
    assert.throws(() => makeAs(file, sql), RangeError);
    assert.equal(existsSync(planted), false);
  }
  assert.deepEqual(file.prepare('SELECT name FROM sqlite_schema').all(), []);
  makeAs(file, 'CREATE TABLE zz (a) -- with a remark');
  assert.deepEqual(file.prepare('SELECT name FROM sqlite_schema').pluck().all(), ['zz']);
  file.close();
});

test('tables are copied whatever their names are', (t) => {
  const [from, to] = ['from.db', 'to.db'].map((name) => join(folder(t), name)) as [string, string];
  const file = new Database(from);
  file.exec('CREATE TABLE "a ""b"" c" ("d e" INTEGER, PRIMARY KEY ("d e")) WITHOUT ROWID');
  file.exec('INSERT INTO "a ""b"" c" VALUES (1), (2)');
  file.exec('CREATE TABLE x (id INTEGER PRIMARY KEY AUTOINCREMENT)');
  file.close();
  finish(copyFile(from, to));
  const copy = new Database(to, { readonly: true });
  assert.deepEqual(copy.prepare('SELECT * FROM "a ""b"" c"').pluck().all(), [1, 2]);
  copy.close();
});

/** Makes a file with something that somebody has added, and copies it. */
function copied(t: TestContext, sql: string): Database.Database {
  const [from, to] = ['from.db', 'to.db'].map((name) => join(folder(t), name)) as [string, string];
  const file = new Database(from);
  file.exec(`CREATE TABLE own (id INTEGER PRIMARY KEY AUTOINCREMENT); ${sql}`);
  file.close();
  finish(copyFile(from, to));
  const copy = new Database(to);
  t.after(() => copy.close());
  return copy;
}

test('a table whose name only begins like one of SQLite is copied with its index', (t) => {
  const copy = copied(
    t,
    'CREATE TABLE sqlitefoo (a); CREATE INDEX foo_a ON sqlitefoo (a); INSERT INTO sqlitefoo VALUES (7)',
  );
  assert.deepEqual(copy.prepare('SELECT a FROM sqlitefoo INDEXED BY foo_a WHERE a = 7').all(), [{ a: 7 }]);
});

test('a table that cannot be copied is named, with what to do about it', (t) => {
  for (const [name, sql] of [
    ['f;1', 'CREATE VIRTUAL TABLE "f;1" USING fts5(a)'],
    ['g', 'CREATE TABLE g (a, b AS (a + 1)); INSERT INTO g (a) VALUES (1)'],
  ] as const) {
    assert.throws(
      () => copied(t, sql),
      (error) =>
        error instanceof Refusal && error.message.startsWith(`the table "${name}`) && /remove it/.test(error.message),
    );
  }
});
