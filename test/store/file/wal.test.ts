import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import { makeDb } from '../../../src/store/db.ts';
import { addSomebody, rawFile } from '../pair.ts';

test('the WAL is emptied without waiting for who needs it, and it is said whether it is', (t) => {
  const file = rawFile(t);
  const db = makeDb(file);
  const other = new Database(file.name);
  t.after(() => other.close());
  const walBytes = () => statSync(`${file.name}-wal`).size;
  const patience = () => pragma('busy_timeout', { simple: true });
  const pragma = file.pragma.bind(file);
  const waits: unknown[] = [];
  t.mock.method(file, 'pragma', (sql: string, options?: Database.PragmaOptions) => {
    if (sql.startsWith('wal_checkpoint')) waits.push(patience());
    return pragma(sql, options);
  });
  addSomebody(db);
  for (const [begin, end] of [
    ['BEGIN; SELECT count(*) FROM site', 'COMMIT'],
    ['BEGIN IMMEDIATE', 'ROLLBACK'],
  ] as const) {
    db.run('UPDATE site SET weekly_report = 1 - weekly_report');
    other.exec(begin);
    assert.equal(db.emptyWal(), false, begin);
    assert.ok(walBytes() > 0);
    other.exec(end);
    assert.equal(db.emptyWal(), true);
    assert.equal(walBytes(), 0);
  }
  db.write(() => {
    db.run('UPDATE site SET public_live = 1');
    assert.equal(db.emptyWal(), false, 'in the middle of a transaction');
  });
  assert.deepEqual(db.one('SELECT public_live AS live FROM site'), { live: 1 });
  assert.deepEqual(waits, [0, 0, 0, 0, 0]);
  assert.equal(patience(), 5_000);
});
