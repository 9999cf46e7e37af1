import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import Database from 'better-sqlite3';
import { Refusal } from '../../../src/lib/errors.ts';
import { finish } from '../../../src/lib/steps.ts';
import { copyFile, makeAs } from '../../../src/store/file/copy.ts';
import { folder } from '../../support/helpers.ts';

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

test('all rows of a table that somebody has added are copied, whatever their ids and columns are', (t) => {
  for (const sql of [
    "CREATE TABLE f (a); INSERT INTO f (rowid, a) VALUES (-5, 'x'), (-1, 'y'), (1, 'z')",
    "CREATE TABLE f (rowid TEXT, a); INSERT INTO f VALUES (NULL, 1), ('b', 2), ('b', 3), ('a', 4)",
    'CREATE TABLE f (oid, _rowid_, ROWID); INSERT INTO f VALUES (1, 2, NULL), (1, 2, -3)',
    'CREATE TABLE f (a, rowid INTEGER PRIMARY KEY); INSERT INTO f VALUES (1, -4), (2, 9)',
    'CREATE TABLE f (k INTEGER PRIMARY KEY, a) WITHOUT ROWID; INSERT INTO f VALUES (-7, 1), (-1, 2), (3, 4)',
    `CREATE TABLE f (rowid); WITH RECURSIVE n (i) AS (VALUES (-50) UNION ALL SELECT i + 1 FROM n WHERE i < 50)
      INSERT INTO f SELECT 'one' FROM n`,
  ]) {
    const rows = 'SELECT count(*) FROM f';
    const file = new Database(':memory:');
    file.exec(sql);
    assert.equal(copied(t, sql).prepare(rows).pluck().get(), file.prepare(rows).pluck().get(), sql);
    file.close();
  }
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
