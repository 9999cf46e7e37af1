import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import { RELEASED } from '../src/store/file/migrations.ts';
import { openStore } from '../src/store/file/open-file.ts';
import { program } from '../test/support/program.ts';
import { scaled } from './scale.ts';

/** A hit takes about 60 bytes, and as many in its index and so on. */
const HITS = scaled(200_000, 12_000_000);
/** Columns that a hit without an import and without a heartbeat does not have. */
const NULLABLE = new Set(['import_id', 'engaged', 'scroll']);
/** What a later version of the program might do to each hit. */
const MADE_UP = [...RELEASED, 'ALTER TABLE hit ADD COLUMN made_up INTEGER; UPDATE hit SET made_up = page + 1'];

test('D12 a file of 1 GB from an older program is copied, brought up to date, holds what it held, and never goes back', (t) => {
  const { db: path } = program(t);
  openStore(path).close();
  const file = new Database(path);
  const columns = file
    .prepare("SELECT name FROM pragma_table_info('hit') WHERE name <> 'id'")
    .pluck()
    .all() as string[];
  const values = columns.map((name) => (NULLABLE.has(name) ? 'NULL' : 'i % 1000'));
  file.exec(`PRAGMA synchronous = OFF; WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${HITS})
    INSERT INTO hit (${columns.join(', ')}) SELECT ${values.join(', ')} FROM n; PRAGMA wal_checkpoint(TRUNCATE)`);
  const sums = 'SELECT count(*) AS hits, sum(id) AS ids, sum(page) AS pages, sum(visitor) AS visitors FROM hit';
  const before = file.prepare(sums).get();
  file.close();

  const start = performance.now();
  const { db, close } = openStore(path, { serve: true, migrations: MADE_UP });
  const seconds = (performance.now() - start) / 1000;
  t.diagnostic(`${(statSync(path).size / 1e6).toFixed(0)} MB took ${seconds.toFixed(1)} s, with its copy`);
  assert.deepEqual(db.one(sums), before);
  assert.deepEqual(db.one('SELECT sum(made_up - page) AS n FROM hit'), { n: HITS });
  assert.deepEqual(db.all('PRAGMA integrity_check'), [{ integrity_check: 'ok' }]);
  close();

  const copy = new Database(`${path}.before-v${MADE_UP.length + 1}`, { readonly: true });
  assert.deepEqual(copy.prepare(sums).get(), before);
  assert.equal(copy.pragma('integrity_check', { simple: true }), 'ok');
  copy.close();
  assert.throws(() => openStore(path), /a newer daybook wrote it/);
});
