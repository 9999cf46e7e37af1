import assert from 'node:assert/strict';
import { realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import { openStore } from '../src/store/file/open-file.ts';
import {
  fileOf,
  fresh,
  LATER,
  look,
  NEWEST,
  schemaOf,
  settledRows,
  VERSIONS,
  versionOf,
} from '../test/store/released.ts';
import { folder } from '../test/support/helpers.ts';
import { kill } from '../test/support/kill.ts';
import { ROUNDS } from './book.ts';

const hasHits = (path: string): boolean => look(path, "SELECT 1 FROM sqlite_schema WHERE name = 'hit'").length > 0;

const hitsOf = (path: string): unknown[] =>
  hasHits(path) ? look(path, 'SELECT count(*) AS hits, sum(id * 7 + page) AS sum FROM hit') : [];

/** So many hits that bringing them up to date takes a while. */
function grow(path: string): void {
  const file = new Database(path);
  const columns = file.prepare("SELECT name FROM pragma_table_info('hit') WHERE name <> 'id'").pluck().all().join(', ');
  file.exec(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
    INSERT INTO hit (${columns}) SELECT ${columns} FROM hit, n`);
  file.close();
}

for (const version of VERSIONS.slice(0, -1)) {
  test(`D2 a kill while a file of version ${version} is brought up to date leaves it old or new`, async (t) => {
    const template = join(realpathSync(folder(t)), 'daybook.db');
    writeFileSync(template, fileOf(version));
    if (hasHits(template)) grow(template);
    const [rows, hits] = [settledRows(template), hitsOf(template)];
    await kill(t, {
      template,
      rounds: ROUNDS,
      // Not seal, which would go on to take the hits out of their table.
      argsOf: (path) => [...LATER, 'check', '--db', path],
      look(path, ended) {
        const found = versionOf(path);
        if (ended) assert.equal(found, NEWEST);
        assert.deepEqual(look(path, 'PRAGMA integrity_check'), [{ integrity_check: 'ok' }]);
        assert.deepEqual(settledRows(path), rows);
        if (hits.length > 0) assert.deepEqual(hitsOf(path), hits);
        openStore(path).close();
        assert.equal(versionOf(path), NEWEST);
        assert.deepEqual(schemaOf(path), schemaOf(fresh(t)));
        assert.deepEqual(settledRows(path), rows);
        if (hits.length > 0) assert.deepEqual(hitsOf(path), hits);
        return found < NEWEST;
      },
    });
  });
}
