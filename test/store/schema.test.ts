import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Db } from '../../src/store/db.ts';
import { openStore } from '../../src/store/file/open-file.ts';
import { addUser } from '../../src/store/people/users.ts';
import { folder } from '../support/helpers.ts';

/** The tables of schema.sql as a fresh file has them. */
function schemaOf(t: TestContext): { db: Db; tables: string[] } {
  const { db, close } = openStore(join(folder(t), 'daybook.db'));
  t.after(close);
  const sql = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name";
  return { db, tables: db.all<{ name: string }>(sql).map(({ name }) => name) };
}

test('every table is strict', (t) => {
  const { db, tables } = schemaOf(t);
  assert.ok(tables.length >= 13);
  const strict = db.all<{ name: string }>(
    "SELECT name FROM pragma_table_list WHERE schema = 'main' AND strict = 1 ORDER BY name",
  );
  assert.deepEqual(
    strict.map(({ name }) => name),
    tables,
  );
});

test('every id is never given twice', (t) => {
  const { db, tables } = schemaOf(t);
  for (const table of tables) {
    const { sql } =
      db.one<{ sql: string }>('SELECT sql FROM sqlite_schema WHERE name = ?', table) ?? assert.fail(table);
    if (/^ {2}id INTEGER PRIMARY KEY/m.test(sql))
      assert.match(sql, /^ {2}id INTEGER PRIMARY KEY AUTOINCREMENT,$/m, table);
  }
  const add = () => db.write(() => addUser(db, { email: 'ann@example.com', password: null, now: 0 }).id);
  const first = add();
  db.write(() => db.run('DELETE FROM user WHERE id = ?', first));
  assert.ok(add() > first);
});

test('every column that refers to another table is the first of an index', (t) => {
  const { db, tables } = schemaOf(t);
  const references = tables.flatMap((table) =>
    db.all<{ table: string; column: string }>(
      'SELECT ? AS "table", "from" AS "column" FROM pragma_foreign_key_list(?)',
      table,
      table,
    ),
  );
  assert.ok(references.length >= 14);
  const leading = tables.flatMap((table) =>
    db.all<{ table: string; column: string }>(
      `SELECT ? AS "table", i.name AS "column" FROM pragma_index_list(?) l JOIN pragma_index_info(l.name) i ON i.seqno = 0
       UNION ALL SELECT ?, name FROM pragma_table_info(?) WHERE pk = 1`,
      table,
      table,
      table,
      table,
    ),
  );
  const has = (one: { table: string; column: string }): boolean =>
    leading.some(({ table, column }) => table === one.table && column === one.column);
  assert.deepEqual(
    references.filter((one) => !has(one)),
    [],
  );
});
