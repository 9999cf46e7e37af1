import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import { addSomebody, count, NOTE, pair } from '../pair.ts';

const isFull = (error: unknown): boolean =>
  error instanceof Database.SqliteError && /^SQLITE_(FULL|IOERR)/.test(error.code);

test('a file that somebody else holds too long is not writable until they let go', (t) => {
  const { db, other } = pair(t);
  const { siteId } = addSomebody(db);
  db.one('PRAGMA busy_timeout = 0');
  assert.equal(db.isWritable(), true);
  const write = () => db.write(() => db.run(NOTE, siteId, '2026-01-31', 'a', 0));
  other.write(() => {
    // Nobody tried yet, so nothing has failed.
    assert.equal(db.isWritable(), true);
    assert.throws(write, { code: 'SQLITE_BUSY' });
    assert.equal(db.isWritable(), false);
    assert.equal(db.isWritable(), false);
    assert.equal(count(db, 'note'), 0, 'reading goes on');
  });
  assert.equal(db.isWritable(), true);
  write();
  assert.equal(count(db, 'note'), 1);
});

test('a file that may not be written is not writable until it may', (t) => {
  const { db } = pair(t);
  const { siteId } = addSomebody(db);
  db.run('PRAGMA query_only = ON');
  assert.throws(() => db.write(() => db.run(NOTE, siteId, '2026-01-31', 'a', 0)), { code: 'SQLITE_READONLY' });
  assert.equal(db.isWritable(), false);
  db.run('PRAGMA query_only = OFF');
  assert.equal(db.isWritable(), true);
});

test('a mistake of ours or a refused row says nothing about the disk', (t) => {
  const { db } = pair(t);
  const { siteId } = addSomebody(db);
  assert.throws(() => db.write(() => assert.fail('a mistake')), /a mistake/);
  assert.equal(db.isWritable(), true);
  assert.throws(() => db.write(() => db.run(NOTE, siteId, 'no day', 'a', 0)), { code: 'SQLITE_CONSTRAINT_CHECK' });
  assert.equal(db.isWritable(), true);
});

test('a file that may not grow refuses what needs room, loses nothing, and takes it when there is room', (t) => {
  const { db } = pair(t);
  const { siteId } = addSomebody(db);
  const write = (notes: number) =>
    db.write(() => {
      for (let i = 0; i < notes; i++) db.run(NOTE, siteId, '2026-01-31', 'x'.repeat(2_000), 0);
    });
  write(10);
  // Not below the pages that there are.
  db.one('PRAGMA max_page_count = 1');
  assert.throws(() => write(100), { code: 'SQLITE_FULL' });
  assert.equal(count(db, 'note'), 10);
  db.write(() => db.run("UPDATE note SET date = '2026-02-01'"));
  db.one('PRAGMA max_page_count = 1000000');
  assert.equal(db.isWritable(), true);
  write(100);
  assert.equal(count(db, 'note'), 110);
});

const PRLIMIT = '/usr/bin/prlimit';
const SKIP = !existsSync(PRLIMIT) && 'it needs prlimit of util-linux';

/** How large a file this process may write, by its soft limit: a write beyond it fails as it does on a full disk. */
const limitFiles = (bytes: number | 'unlimited'): void => {
  execFileSync(PRLIMIT, ['--pid', String(process.pid), `--fsize=${bytes}:`]);
};

test('a disk that takes no more is seen, reading goes on, and writing does as soon as it can', {
  skip: SKIP,
}, (t) => {
  const { db } = pair(t);
  const { siteId } = addSomebody(db);
  const write = () => db.write(() => db.run(NOTE, siteId, '2026-01-31', 'a', 0));
  write();
  limitFiles(4096);
  try {
    assert.throws(write, isFull);
    assert.equal(db.isWritable(), false);
    assert.equal(db.isWritable(), false);
    assert.equal(count(db, 'note'), 1);
    assert.throws(write, isFull);
  } finally {
    limitFiles('unlimited');
  }
  assert.equal(db.isWritable(), true);
  write();
  assert.equal(count(db, 'note'), 2);
  assert.deepEqual(db.all('PRAGMA integrity_check'), [{ integrity_check: 'ok' }]);
});

test('a WAL that cannot be moved into a file on such a disk is emptied once it can', { skip: SKIP }, (t) => {
  const { path, db } = pair(t);
  const { siteId } = addSomebody(db);
  db.run(NOTE, siteId, '2026-01-31', 'a', 0);
  limitFiles(4096);
  try {
    assert.equal(db.emptyWal(), false);
  } finally {
    limitFiles('unlimited');
  }
  assert.equal(count(db, 'note'), 1);
  assert.equal(db.emptyWal(), true);
  assert.equal(statSync(`${path}-wal`).size, 0);
  assert.deepEqual(db.all('PRAGMA integrity_check'), [{ integrity_check: 'ok' }]);
});
