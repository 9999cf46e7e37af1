import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import { finish } from '../src/lib/steps.ts';
import { backup } from '../src/store/file/backup.ts';
import { RELEASED } from '../src/store/file/migrations.ts';
import { openStore } from '../src/store/file/open-file.ts';
import { restore } from '../src/store/file/restore.ts';
import { TODAY } from '../test/collect/stage.ts';
import { rowsOf } from '../test/store/stage.ts';
import { ANN, furnish } from '../test/support/furnish.ts';
import { folder } from '../test/support/helpers.ts';
import { kill } from '../test/support/kill.ts';
import { DAYBOOK, program } from '../test/support/program.ts';
import { assertSound, book, ROUNDS, SITES } from './book.ts';
import { fill, isWhole, look, past } from './furnish.ts';
import { scaled } from './scale.ts';

const ROWS = scaled(30_000, 60_000);

const fillTable = (table: string): string => `
  CREATE TABLE ${table} (n INTEGER, text TEXT) STRICT;
  WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${ROWS})
  INSERT INTO ${table} SELECT n, 'row ' || n FROM numbers;`;

test('D2 killed at any moment of an update, the file is before or after a step, and the next start goes on', async (t) => {
  const path = join(folder(t), 'daybook.db');
  await furnish(path, SITES);
  await fill(path, past(1, TODAY, 2_000));
  const before = rowsOf(path);
  const migrations = [...RELEASED, fillTable('one'), fillTable('two')];
  const version = RELEASED.length + 1;
  const open = new URL('../src/store/file/open-file.ts', import.meta.url).href;
  const argsOf = (left: string): string[] => {
    const options = JSON.stringify({ serve: true, migrations });
    const code = `import { openStore } from ${JSON.stringify(open)}; openStore(${JSON.stringify(left)}, ${options}).close();`;
    return ['--input-type=module', '--eval', code];
  };
  await kill(t, {
    template: path,
    rounds: ROUNDS,
    early: true,
    argsOf,
    look(left) {
      const { one: _1, two: _2, ...rows } = rowsOf(left);
      assert.deepEqual(rows, before);
      const copy = `${left}.before-v${version + 1}`;
      const reached = look(left, (db) => {
        const steps = (db.one<{ user_version: number }>('PRAGMA user_version')?.user_version ?? 0) - version;
        const made = ['one', 'two'].filter((name) => db.one('SELECT 1 FROM sqlite_schema WHERE name = ?', name));
        assert.deepEqual(made, ['one', 'two'].slice(0, steps));
        for (const name of made) assert.deepEqual(db.one(`SELECT count(*) AS n FROM ${name}`), { n: ROWS });
        return steps;
      });
      if (reached > 0 || existsSync(copy)) assert.deepEqual(rowsOf(copy), before);
      const { db, close } = openStore(left, { serve: true, migrations });
      assert.deepEqual(db.one('SELECT (SELECT count(*) FROM one) + (SELECT count(*) FROM two) AS n'), { n: 2 * ROWS });
      close();
      assertSound(left);
      rmSync(copy);
      return reached < 2;
    },
  });
});

test('D2 killed at any moment, backup leaves a whole copy or none under its name, and the file as it was', async (t) => {
  const { db } = await book(t);
  const before = rowsOf(db);
  const salt = randomBytes(32);
  const file = new Database(db);
  file.prepare('REPLACE INTO salt (site_id, day, bytes) VALUES (1, ?, ?)').run(TODAY, salt);
  file.close();
  await kill(t, {
    template: db,
    rounds: ROUNDS,
    argsOf: (left) => [...DAYBOOK, 'backup', `${left}.copy`, '--replace', '--db', left],
    look(left, ended) {
      const copy = `${left}.copy`;
      const { upkeep: _, ...rows } = rowsOf(left);
      const { upkeep: __, ...wanted } = before;
      assert.deepEqual(rows, wanted);
      for (const name of readdirSync(dirname(left)).filter((one) => one.startsWith(basename(copy)))) {
        assert.ok(!readFileSync(join(dirname(left), name)).includes(salt), name);
      }
      const isThere = existsSync(copy);
      assert.ok(isThere || !ended);
      if (isThere) assert.deepEqual({ ...rowsOf(copy), upkeep: [] }, { ...before, upkeep: [] });
      if (isThere) assertSound(copy);
      return !isThere;
    },
  });
});

test('D2 killed at any moment, restore leaves the file before or the copy, whole', async (t) => {
  const { db, folder } = await book(t);
  const copy = join(folder, 'the.copy');
  finish(backup(db, copy));
  const then = rowsOf(copy);
  await fill(db, past(1, TODAY, 500));
  const before = rowsOf(db);
  await kill(t, {
    template: db,
    rounds: ROUNDS,
    argsOf: (left) => [...DAYBOOK, 'restore', copy, '--replace', '--db', left],
    look(left, ended) {
      // As the next start does, which undoes what was left half done.
      openStore(left).close();
      const isNew = JSON.stringify(rowsOf(left)) === JSON.stringify(then);
      if (!isNew) assert.deepEqual(rowsOf(left), before);
      assert.ok(isNew || !ended);
      assertSound(left);
      finish(restore(copy, left, { replace: true }));
      assert.deepEqual(rowsOf(left), then);
      return !isNew;
    },
  });
});

test('D2 killed while the WAL is moved into the file, nothing is lost', async (t) => {
  const { db: path, folder } = await book(t);
  const whole = join(folder, 'whole.db');
  // What a kill leaves: all that was written since is in the WAL only.
  const { db, close } = openStore(path);
  db.run('PRAGMA wal_autocheckpoint = 0');
  db.write(() => {
    db.run('CREATE TABLE filler (n INTEGER PRIMARY KEY, data BLOB) STRICT');
    db.run(
      `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 3000)
       INSERT INTO filler SELECT n, zeroblob(9000) FROM numbers`,
    );
  });
  for (const tail of ['', '-wal']) copyFileSync(path + tail, whole + tail);
  close();
  const before = rowsOf(path);
  await kill(t, {
    template: whole,
    rounds: ROUNDS,
    argsOf: (left) => [...DAYBOOK, 'seal', '--db', left],
    look(left) {
      const halfway = existsSync(`${left}-wal`);
      assert.deepEqual(rowsOf(left), before);
      assertSound(left);
      return halfway;
    },
  });
});

test('D2 killed at any moment of its first start, the program makes the file the next time', async (t) => {
  const { serve, db: path } = program(t);
  const empty = join(folder(t), 'empty.db');
  copyFileSync('/dev/null', empty);
  await kill(t, {
    template: empty,
    rounds: ROUNDS,
    early: true,
    argsOf: (left) => [...DAYBOOK, 'user', 'add', ANN.email, '--db', left],
    look(left, ended) {
      const { db, close } = openStore(left);
      assert.ok(isWhole(db));
      const users = db.all('SELECT email FROM user');
      close();
      if (ended) assert.equal(users.length, 1);
      return users.length === 0;
    },
  });
  const server = await serve();
  assert.equal(await server.stop(), 0);
  assertSound(path);
});
