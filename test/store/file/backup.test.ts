import assert from 'node:assert/strict';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import { recount } from '../../../src/ledger/upkeep/recount.ts';
import { finish } from '../../../src/lib/steps.ts';
import { backup } from '../../../src/store/file/backup.ts';
import { openStore } from '../../../src/store/file/open-file.ts';
import { restore } from '../../../src/store/file/restore.ts';
import { smallDisk } from '../../support/disk.ts';
import { folder } from '../../support/helpers.ts';
import { filled, refused, rowsOf } from '../stage.ts';

test('a copy holds every row, the indexes, the numbers that are never given again, and opens like any file', async (t) => {
  const { path, folder: place, db, close } = await filled(t);
  db.run('DELETE FROM site WHERE id = 2');
  const copy = join(place, 'copy.db');
  finish(backup(path, copy));
  const before = rowsOf(path);
  assert.ok(Object.values(before).flat().length > 1_000);
  assert.deepEqual(rowsOf(copy), before);
  close();
  const schemaOf = (file: string) => {
    const opened = openStore(file);
    const found = opened.db.all('SELECT type, name, sql FROM sqlite_schema ORDER BY type, name');
    const faults = [...recount(opened.db)].flatMap((day) => day.faults);
    const version = opened.db.all('PRAGMA user_version');
    opened.close();
    assert.deepEqual(faults, []);
    return { found, version };
  };
  assert.deepEqual(schemaOf(copy), schemaOf(path));
});

test('a copy is one file for nobody else to read, with nothing beside it', async (t) => {
  const { path } = await filled(t);
  const place = folder(t);
  finish(backup(path, join(place, 'copy.db')));
  assert.deepEqual(readdirSync(place), ['copy.db']);
  assert.equal(statSync(join(place, 'copy.db')).mode & 0o777, 0o600);
  const copy = new Database(join(place, 'copy.db'), { readonly: true });
  t.after(() => copy.close());
  assert.equal(copy.pragma('journal_mode', { simple: true }), 'delete');
});

test('a copy is written over nothing that somebody has put where it begins', async (t) => {
  const { path } = await filled(t);
  const place = folder(t);
  const [copy, other] = [join(place, 'copy.db'), join(place, 'other')];
  writeFileSync(other, 'kept');
  symlinkSync(other, `${copy}.tmp`);
  finish(backup(path, copy));
  assert.equal(readFileSync(other, 'utf8'), 'kept');
  writeFileSync(`${copy}.tmp`, '');
  chmodSync(`${copy}.tmp`, 0o644);
  finish(backup(path, copy, { replace: true }));
  assert.equal(statSync(copy).mode & 0o777, 0o600);
});

test('the salt is in no copy, finished or not, at any step of it', async (t) => {
  const { path, salt } = await filled(t);
  const place = folder(t);
  assert.ok(
    [path, `${path}-wal`].some((file) => readFileSync(file).includes(salt)),
    'it is in the file',
  );
  let looks = 0;
  const steps = backup(path, join(place, 'copy.db'));
  do {
    for (const name of readdirSync(place)) {
      looks++;
      assert.ok(!readFileSync(join(place, name)).includes(salt), name);
    }
  } while (!steps.next().done);
  assert.ok(looks > 5);
  assert.ok(!readFileSync(join(place, 'copy.db')).includes(salt));
});

test('what is written while a copy is made is not in it, and nobody has to wait for it', async (t) => {
  const { path, folder: place, db } = await filled(t);
  const before = rowsOf(path);
  let written = 0;
  for (const _ of backup(path, join(place, 'copy.db'))) {
    db.write(() => db.run(`UPDATE plan SET name = 'plan ${written++}' WHERE id = 1`));
    db.write(() => db.run("INSERT INTO term VALUES (1, ?, 'new')", 100_000 + written).changes);
    db.run("DELETE FROM term WHERE text = 'new'");
  }
  assert.ok(written > 5);
  assert.deepEqual(rowsOf(join(place, 'copy.db')), before);
});

test('an older copy is replaced only when that is said, and it is there until the new one is', async (t) => {
  const { path, folder: place, db } = await filled(t);
  const copy = join(place, 'copy.db');
  finish(backup(path, copy));
  const old = readFileSync(copy);
  assert.match(
    refused(() => backup(path, copy)).message,
    /copy\.db: there is a file already. To overwrite it, use --replace/,
  );
  db.run("UPDATE plan SET name = 'later' WHERE id = 1");
  for (const _ of backup(path, copy, { replace: true })) assert.deepEqual(readFileSync(copy), old);
  assert.deepEqual(rowsOf(copy), rowsOf(path));
});

test('what is not a copy is never replaced: the file itself, what belongs to it, what others made, folders', async (t) => {
  const { path, folder: place } = await filled(t);
  const foreign = {
    'text.db': 'this is no database, but longer than a header of one would have to be '.repeat(4),
    'empty.db': '',
  };
  for (const [name, content] of Object.entries(foreign)) writeFileSync(join(place, name), content);
  new Database(join(place, 'other.db')).exec('CREATE TABLE t (a)').close();
  mkdirSync(join(place, 'folder'));
  symlinkSync(path, join(place, 'link.db'));
  const names = [...Object.keys(foreign), 'other.db', 'folder', 'link.db', basename(path), 'daybook.db-wal'];
  for (const name of names) {
    refused(() => backup(path, join(place, name), { replace: true }));
    assert.ok(!existsSync(join(place, `${name}.tmp`)), name);
  }
  symlinkSync(place, join(place, 'same'));
  for (const end of ['-journal', '.outbox']) {
    const inLinked = join(place, 'same', basename(path) + end);
    assert.match(refused(() => backup(path, inLinked)).message, /for its own file/, inLinked);
  }
  assert.equal(readFileSync(join(place, 'text.db'), 'utf8'), foreign['text.db']);
  assert.match(
    refused(() => backup(path, join(place, 'none', 'copy.db'))).message,
    /none does not exist. Create it first/,
  );
});

test('what a crash left of a copy that is gone since is no part of the new one', async (t) => {
  const { path, db } = await filled(t);
  const copy = join(folder(t), 'copy.db');
  db.run("UPDATE plan SET name = 'before' WHERE id = 1");
  copyFileSync(`${path}-wal`, `${copy}-wal`);
  db.run("UPDATE plan SET name = 'later' WHERE id = 1");
  finish(backup(path, copy));
  const { db: opened, close } = openStore(copy);
  assert.equal(opened.one<{ name: string }>('SELECT name FROM plan WHERE id = 1')?.name, 'later');
  close();
  assert.ok(existsSync(`${copy}.left-over-wal`));
});

test('a file is never deleted because a copy of it would begin under its name', async (t) => {
  const { path, folder: place, close } = await filled(t);
  close();
  const other = join(place, 'other.db.tmp');
  renameSync(path, other);
  assert.match(refused(() => backup(other, join(place, 'other.db'))).message, /Give one of the two another name/);
  assert.ok(existsSync(other));
});

test('a file that is in use is never replaced, nor one that is used by the time that the copy is made', async (t) => {
  const { path, folder: place } = await filled(t);
  const copy = join(place, 'copy.db');
  finish(backup(path, copy));
  const server = openStore(copy, { serve: true });
  server.db.run("UPDATE plan SET name = 'served' WHERE id = 1");
  assert.match(refused(() => backup(path, copy, { replace: true })).message, /another program has locked it/);
  server.close();
  const steps = backup(path, copy, { replace: true });
  steps.next();
  const command = openStore(copy);
  assert.match(refused(() => steps).message, /another program has locked it/);
  assert.equal(command.db.one<{ name: string }>('SELECT name FROM plan WHERE id = 1')?.name, 'served');
  command.close();
  assert.ok(!existsSync(`${copy}.tmp`));
});

test('of two copies under one name that are made at once the later is complete, and the earlier is refused', async (t) => {
  const { path, folder: place } = await filled(t);
  const copy = join(place, 'copy.db');
  const [first, second] = [backup(path, copy), backup(path, copy)];
  first.next();
  second.next();
  assert.match(refused(() => first).message, /another backup has begun under this name/);
  finish(second);
  assert.deepEqual(rowsOf(copy), rowsOf(path));
  assert.ok(!existsSync(`${copy}.tmp`));
});

test('a damaged file is copied to nowhere, and what was the copy before stays', async (t) => {
  const { path, folder: place, close } = await filled(t);
  const copy = join(place, 'copy.db');
  finish(backup(path, copy));
  const old = readFileSync(copy);
  close();
  truncateSync(path, statSync(path).size - 5 * 4096);
  assert.match(refused(() => backup(path, copy, { replace: true })).message, /daybook\.db: the file is damaged/);
  assert.deepEqual(readFileSync(copy), old);
  assert.ok(!existsSync(`${copy}.tmp`));
});

test('what is left of a copy that was cut off is written over by the next', async (t) => {
  const { path, folder: place } = await filled(t);
  const copy = join(place, 'copy.db');
  writeFileSync(`${copy}.tmp`, 'x'.repeat(1_000_000));
  finish(backup(path, copy));
  assert.deepEqual(rowsOf(copy), rowsOf(path));
  assert.ok(!existsSync(`${copy}.tmp`));
});

test('on a full disk there is one clear line, and nothing is left', async (t) => {
  const { path } = await filled(t);
  const disk = smallDisk(t, 100);
  if (disk === undefined) return t.skip('it needs the right to mount a tmpfs');
  assert.match(refused(() => backup(path, join(disk, 'copy.db'))).message, /Free some space/);
  assert.deepEqual(readdirSync(disk), []);
});

test('a copy beside the file leaves the room that its server needs to take hits', async (t) => {
  const { path, close } = await filled(t);
  close();
  const { size } = statSync(path);
  const disk = smallDisk(t, 100 * 1024 + Math.ceil((size * 2.5) / 1024));
  if (disk === undefined) return t.skip('it needs the right to mount a tmpfs');
  const own = join(disk, 'daybook.db');
  copyFileSync(path, own);
  finish(backup(own, join(disk, 'first.db')));
  assert.match(
    refused(() => backup(own, join(disk, 'second.db'))).message,
    /has, and 100 MB for the server. Free some space/,
  );
  finish(backup(own, join(folder(t), 'elsewhere.db')));
  finish(backup(path, join(disk, 'of-another.db')));
});

test('a link is followed, so that a copy lies on the disk that is meant; a link to no file is refused', async (t) => {
  const { path, folder: place } = await filled(t);
  const [copy, link] = [join(folder(t), 'copy.db'), join(place, 'latest.db')];
  symlinkSync(copy, link);
  assert.match(refused(() => backup(path, link)).message, /latest\.db: this is a link to a file that does not exist/);
  finish(backup(path, copy));
  const earlier = statSync(copy).ino;
  finish(backup(path, link, { replace: true }));
  assert.ok(lstatSync(link).isSymbolicLink());
  assert.notEqual(statSync(copy).ino, earlier);
  assert.deepEqual(rowsOf(copy), rowsOf(path));
});

test('no copy gets a name of the files that are made beside the file, nor one that ends with a space or lies in a file', async (t) => {
  const { path, folder: place, close } = await filled(t);
  close();
  for (const end of ['-wal', '-shm', '-journal', '.lock', '.outbox']) {
    assert.match(refused(() => backup(path, path + end)).message, /for its own file. Name another/);
  }
  assert.match(refused(() => backup(path, `${path} `)).message, /ends with a space/);
  assert.match(refused(() => restore(`${path} `, join(place, 'new.db'))).message, /ends with a space/);
  assert.throws(() => openStore(`${path}\n`), /ends with a space/);
  for (const work of [() => backup(path, join(path, 'copy.db')), () => restore(path, join(path, 'new.db'))]) {
    assert.match(refused(work).message, /a part of its path is a file, not a folder/);
  }
  assert.deepEqual(readdirSync(place), [basename(path)]);
});

test('what a kill left of a copy is room for the next one', async (t) => {
  const { path, close } = await filled(t);
  close();
  const { size } = statSync(path);
  const disk = smallDisk(t, Math.ceil((size * 1.5) / 1024));
  if (disk === undefined) return t.skip('it needs the right to mount a tmpfs');
  const copy = join(disk, 'copy.db');
  writeFileSync(`${copy}.tmp`, Buffer.alloc(size));
  finish(backup(path, copy));
  assert.deepEqual(readdirSync(disk), ['copy.db']);
});
