import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import Database from 'better-sqlite3';
import { listServers } from '../../../src/store/cluster/cluster-servers.ts';
import { addPiece, findSender, firstWaiting, openOutbox } from '../../../src/store/cluster/outbox.ts';
import { folder } from '../../support/helpers.ts';

/** An outbox as version 1 left it: one piece waits, and the primary named one server. */
function oldOutbox(t: TestContext): string {
  const path = join(folder(t), 'outbox.db');
  const { db, close } = openOutbox(path, 'one');
  db.write(() => {
    addPiece(db, { shard: 0, kind: 'activity' }, { at: 7, seq: 64 }, '{"seq":64}\n');
    db.run("UPDATE sender SET seq = 128, number = 3, engine = 'clickhouse://a/b', tag = 'old'");
  });
  close();
  const file = new Database(path);
  file.exec(`DROP TABLE cut; DROP TABLE cluster_server;
    CREATE TABLE cluster_server (url TEXT PRIMARY KEY, shard INTEGER NOT NULL, replica INTEGER NOT NULL) STRICT, WITHOUT ROWID;
    INSERT INTO cluster_server VALUES ('http://a:8123/', 0, 1);
    DROP INDEX salt_own; ALTER TABLE salt DROP COLUMN own;
    ALTER TABLE sender DROP COLUMN skew; ALTER TABLE sender DROP COLUMN known_at`);
  file.pragma('user_version = 1');
  file.close();
  return path;
}

test('outbox: one of version 1 keeps what waits, and asks the primary for all settings again', (t) => {
  const path = oldOutbox(t);
  for (let times = 0; times < 2; times++) {
    const { db, close } = openOutbox(path, 'two');
    assert.deepEqual(firstWaiting(db), { id: 1, at: 7, seq: 64 });
    assert.deepEqual(findSender(db), { name: 'one', seq: 128, number: 3, engine: 'clickhouse://a/b', tag: '' });
    assert.deepEqual(listServers(db), [{ url: 'http://a:8123/', shard: 0, replica: 1, state: 'complete', fill: 0 }]);
    close();
  }
});

test('outbox: one of a newer version is refused', (t) => {
  const path = oldOutbox(t);
  const file = new Database(path);
  file.pragma('user_version = 99');
  file.close();
  assert.throws(() => openOutbox(path, 'two'), /a newer version of daybook wrote this outbox/);
});
