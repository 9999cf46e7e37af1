import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chownSync,
  copyFileSync,
  existsSync,
  linkSync,
  lstatSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import Database from 'better-sqlite3';
import { finish } from '../../../src/lib/steps.ts';
import { backup } from '../../../src/store/file/backup.ts';
import { openStore } from '../../../src/store/file/open-file.ts';
import { restore } from '../../../src/store/file/restore.ts';
import { spoilTable } from '../../support/damage.ts';
import { folder } from '../../support/helpers.ts';
import { filled, refused, rowsOf } from '../stage.ts';

const named = (path: string): string | undefined => {
  const { db, close } = openStore(path);
  const { name } = db.one<{ name: string }>('SELECT name FROM plan WHERE id = 1') ?? {};
  close();
  return name;
};

const leftIn = (place: string): string[] => readdirSync(place).filter((name) => name.includes('restor'));

test('a copy becomes the file where there is none', async (t) => {
  const { path, folder: place } = await filled(t);
  const copy = join(place, 'copy.db');
  finish(backup(path, copy));
  const other = folder(t);
  assert.equal(finish(restore(copy, join(other, 'daybook.db'))), undefined);
  assert.deepEqual(rowsOf(join(other, 'daybook.db')), rowsOf(copy));
  assert.equal(statSync(join(other, 'daybook.db')).mode & 0o777, 0o600);
  assert.deepEqual(readdirSync(other).sort(), ['daybook.db', 'daybook.db.lock']);
});

test('a file that is there is replaced only when that is said, and kept beside, without its salt', async (t) => {
  const { path, folder: place, db, close, salt } = await filled(t);
  const copy = join(place, 'copy.db');
  finish(backup(path, copy));
  db.run("UPDATE plan SET name = 'later' WHERE id = 1");
  const later = rowsOf(path);
  close();
  assert.match(refused(() => restore(copy, path)).message, /daybook\.db: there is a file already. --replace/);
  assert.deepEqual(rowsOf(path), later);

  const kept = finish(restore(copy, path, { replace: true }));
  assert.equal(kept, `${path}.before-restore`);
  assert.deepEqual(rowsOf(path), rowsOf(copy));
  assert.deepEqual(rowsOf(kept ?? ''), later);
  for (const name of readdirSync(place)) assert.ok(!readFileSync(join(place, name)).includes(salt), name);
  assert.deepEqual(readdirSync(place).sort(), [
    'copy.db',
    'daybook.db',
    'daybook.db.before-restore',
    'daybook.db.lock',
  ]);
});

const AS_ROOT = { skip: process.getuid?.() !== 0 && 'only root can give files away' };

/** A backup, and an empty place of the user of a server. */
async function backupForUser(t: TestContext) {
  const { path, folder: place, close } = await filled(t);
  close();
  const copy = join(place, 'copy.db');
  finish(backup(path, copy));
  const other = folder(t);
  chownSync(other, 65_534, 65_533);
  return { copy, place, other, file: join(other, 'daybook.db') };
}

test('restore: root gives the file and its lock to the user of the server', AS_ROOT, async (t) => {
  const { copy, other, file } = await backupForUser(t);
  const owners = () => [file, `${file}.lock`].map((name) => [statSync(name).uid, statSync(name).gid]);
  const user = [65_534, 65_533];
  finish(restore(copy, file));
  assert.deepEqual(owners(), [user, user]);
  chownSync(other, 0, 0);
  finish(restore(copy, file, { replace: true }));
  assert.deepEqual(owners(), [user, user]);
});

test('restore: root gives away no file to which a link leads', AS_ROOT, async (t) => {
  const { copy, place, file } = await backupForUser(t);
  const foreign = join(place, 'foreign');
  writeFileSync(foreign, '');
  symlinkSync(foreign, `${file}.lock`);
  finish(restore(copy, file));
  assert.equal(statSync(foreign).uid, 0);
});

test('what a crash left in the WAL is in what is kept, and not in the new file', async (t) => {
  const { path, folder: place, db } = await filled(t);
  const copy = join(place, 'copy.db');
  finish(backup(path, copy));
  db.run("UPDATE plan SET name = 'later' WHERE id = 1");
  const crashed = join(folder(t), 'daybook.db');
  for (const end of ['', '-wal']) copyFileSync(path + end, crashed + end);
  const kept = finish(restore(copy, crashed, { replace: true })) ?? '';
  assert.equal(named(crashed), 'self-hosted');
  assert.equal(named(kept), 'later');
});

test('what a crash left beside a file that is gone since is no part of the new one', async (t) => {
  const { path, folder: place, db, close } = await filled(t);
  const copy = join(place, 'copy.db');
  finish(backup(path, copy));
  db.run("UPDATE plan SET name = 'later' WHERE id = 1");
  const gone = join(folder(t), 'daybook.db');
  copyFileSync(`${path}-wal`, `${gone}-wal`);
  assert.equal(finish(restore(copy, gone)), undefined);
  assert.equal(named(gone), 'self-hosted');
  assert.deepEqual(readFileSync(`${gone}.left-over-wal`), readFileSync(`${path}-wal`));
  close();

  const other = join(folder(t), 'daybook.db');
  copyFileSync(`${cutOff(t, path)}-journal`, `${other}-journal`);
  finish(restore(copy, other));
  assert.deepEqual(rowsOf(other), rowsOf(copy));
  assert.ok(existsSync(`${other}.left-over-journal`));
});

test('a copy under the name that the new file begins with stays', async (t) => {
  const { path, folder: place } = await filled(t);
  const copy = join(place, 'other.db.restoring');
  finish(backup(path, copy));
  assert.match(refused(() => restore(copy, join(place, 'other.db'))).message, /Give one of the two another name/);
  assert.ok(existsSync(copy));
});

/** What a kill leaves that comes while the WAL is moved into the file: half of a change, and the journal that undoes it. */
function cutOff(t: TestContext, path: string): string {
  const left = join(folder(t), 'daybook.db');
  const file = new Database(path);
  for (const pragma of ['journal_mode = DELETE', 'cache_size = 1']) file.pragma(pragma);
  file.exec("BEGIN; UPDATE hit SET visitor = visitor + 1; UPDATE plan SET name = 'half' WHERE id = 1");
  for (const end of ['', '-journal']) copyFileSync(path + end, left + end);
  file.exec('ROLLBACK');
  file.close();
  return left;
}

test('what a kill left half done is undone by the next start, and by the next restore', async (t) => {
  const { path, folder: place, close } = await filled(t);
  const copy = join(place, 'copy.db');
  finish(backup(path, copy));
  close();
  const before = rowsOf(path);
  const started = cutOff(t, path);
  assert.throws(() => rowsOf(started), { code: 'SQLITE_READONLY_ROLLBACK' });
  assert.equal(named(started), 'self-hosted');
  assert.deepEqual(rowsOf(started), before);

  const restored = cutOff(t, path);
  const kept = finish(restore(copy, restored, { replace: true })) ?? '';
  assert.deepEqual(rowsOf(restored), rowsOf(copy));
  assert.deepEqual(rowsOf(kept), before);
});

test('what an earlier restore kept stays, also where it is the copy', async (t) => {
  const { path, folder: place, db, close } = await filled(t);
  const copy = join(place, 'copy.db');
  finish(backup(path, copy));
  db.run("UPDATE plan SET name = 'today' WHERE id = 1");
  close();
  const first = finish(restore(copy, path, { replace: true })) ?? '';
  const second = finish(restore(copy, path, { replace: true })) ?? '';
  assert.equal(second, `${first}-2`);
  assert.equal(named(first), 'today');
  assert.equal(finish(restore(first, path, { replace: true })), `${first}-3`);
  assert.equal(named(path), 'today');
  assert.equal(named(first), 'today');
  // As after a kill between the two names.
  linkSync(path, `${first}-4`);
  assert.equal(finish(restore(copy, path, { replace: true })), `${first}-4`);
  assert.equal(named(`${first}-4`), 'today');
});

test('a damaged file is replaced too, and kept as it was with its WAL', async (t) => {
  const { path, folder: place, db } = await filled(t);
  const copy = join(place, 'copy.db');
  finish(backup(path, copy));
  db.run("UPDATE plan SET name = 'later' WHERE id = 1");
  const crashed = join(folder(t), 'daybook.db');
  writeFileSync(crashed, 'no database at all, which is what a disk may make of one. '.repeat(1_000));
  copyFileSync(`${path}-wal`, `${crashed}-wal`);
  const wal = readFileSync(`${crashed}-wal`);
  const kept = finish(restore(copy, crashed, { replace: true })) ?? '';
  assert.deepEqual(rowsOf(crashed), rowsOf(copy));
  assert.ok(readFileSync(kept, 'utf8').startsWith('no database at all'));
  assert.deepEqual(readFileSync(`${kept}-wal`), wal);
});

test('while a server or a command is at the file nothing happens', async (t) => {
  const { path, folder: place, close } = await filled(t);
  const copy = join(place, 'copy.db');
  finish(backup(path, copy));
  const before = rowsOf(path);
  assert.match(refused(() => restore(copy, path, { replace: true })).message, /another program has locked it/);
  close();
  const server = openStore(path, { serve: true });
  assert.match(refused(() => restore(copy, path, { replace: true })).message, /a server is running on it. Stop that/);
  server.close();
  assert.deepEqual(rowsOf(path), before);
  assert.deepEqual(leftIn(place), []);
});

test('a link to a file that does not exist is no place for the new one', async (t) => {
  const { path, folder: place } = await filled(t);
  const copy = join(place, 'copy.db');
  finish(backup(path, copy));
  const link = join(folder(t), 'daybook.db');
  symlinkSync(join(place, 'not-mounted', 'daybook.db'), link);
  assert.match(refused(() => restore(copy, link)).message, /daybook\.db: this is a link to a file that does not exist/);
  assert.ok(lstatSync(link).isSymbolicLink());
});

test('what is not a sound copy of ours is refused, and the file stays as it was', async (t) => {
  const { path, folder: place, close } = await filled(t);
  const copy = join(place, 'copy.db');
  finish(backup(path, copy));
  close();
  const before = readFileSync(path);
  const change = (sql: string) => (file: string) => {
    copyFileSync(copy, file);
    new Database(file).exec(sql).close();
  };
  const bad: Record<string, [RegExp, (file: string) => void]> = {
    'missing.db': [/there is no such file/, () => {}],
    'text.db': [/not a daybook file/, (file) => writeFileSync(file, 'a text of some length. '.repeat(100))],
    'empty.db': [/not a daybook file/, (file) => writeFileSync(file, '')],
    'other.db': [/not a daybook file/, (file) => void new Database(file).exec('CREATE TABLE t (a)').close()],
    'newer.db': [/a newer daybook wrote it. Update the program/, change('PRAGMA user_version = 1000')],
    'negative.db': [/its version is -5, which no daybook has written/, change('PRAGMA user_version = -5')],
    'none.db': [/its version is 0, which no daybook has written/, change('PRAGMA user_version = 0')],
    'table.db': [/not complete \(table goal\). Use an older one/, change('DROP TABLE goal')],
    'column.db': [/not complete \(column language of user\)/, change('ALTER TABLE user DROP COLUMN language')],
    'unique.db': [/not complete \(index user_email\)/, change('DROP INDEX user_email')],
    'short.db': [/damaged/, (file) => writeFileSync(file, readFileSync(copy).subarray(0, statSync(copy).size / 2))],
    'index.db': [
      /damaged/,
      (file) => {
        copyFileSync(copy, file);
        spoilTable(file, 'term', 0x5a);
      },
    ],
  };
  for (const [name, [reason, make]] of Object.entries(bad)) {
    make(join(place, name));
    assert.match(refused(() => restore(join(place, name), path, { replace: true })).message, reason, name);
    assert.deepEqual(readFileSync(path), before, name);
    assert.deepEqual(leftIn(place), [], name);
  }
  assert.match(refused(() => restore(path, path, { replace: true })).message, /this is the database file itself/);
});

test('a copy with a table that somebody has added becomes the file', async (t) => {
  const { path, folder: place } = await filled(t);
  const copy = join(place, 'copy.db');
  finish(backup(path, copy));
  new Database(copy).exec('CREATE TABLE mine (a); CREATE INDEX mine_a ON mine (a)').close();
  const other = join(folder(t), 'daybook.db');
  assert.equal(finish(restore(copy, other)), undefined);
  assert.equal(named(other), 'self-hosted');
});

test('a file that is mounted by itself cannot be replaced, and nothing is kept of the attempt', async (t) => {
  const { path, folder: place, close } = await filled(t);
  const copy = join(place, 'copy.db');
  finish(backup(path, copy));
  close();
  const mounted = join(folder(t), 'daybook.db');
  writeFileSync(mounted, '');
  try {
    execFileSync('mount', ['--bind', path, mounted], { stdio: 'pipe' });
  } catch {
    return t.skip('it needs the right to mount');
  }
  try {
    for (let times = 0; times < 2; times++) {
      assert.match(refused(() => restore(copy, mounted, { replace: true })).message, /Mount its folder instead/);
    }
    assert.match(refused(() => backup(copy, mounted, { replace: true })).message, /Mount its folder instead/);
  } finally {
    execFileSync('umount', ['-l', mounted]);
  }
  assert.deepEqual(readdirSync(dirname(mounted)).sort(), ['daybook.db', 'daybook.db.lock']);
});
