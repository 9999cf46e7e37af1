import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import Database from 'better-sqlite3';
import { openOutbox } from '../../../src/store/cluster/outbox.ts';
import { addPiece, findFirstWaiting } from '../../../src/store/cluster/outbox-pieces.ts';
import { findSender } from '../../../src/store/cluster/outbox-sender.ts';
import { folder } from '../../support/helpers.ts';

/** A closed outbox in which one piece waits. */
function closedOutbox(t: TestContext): string {
  const path = join(folder(t), 'outbox.db');
  const { db, close } = openOutbox(path, 'one');
  db.write(() => addPiece(db, { shard: 0, kind: 'activity' }, { at: 7, seq: 64 }, '{"seq":64}\n'));
  close();
  return path;
}

test('outbox: it keeps its name and what waits, and one from before the first release is refused', (t) => {
  const path = closedOutbox(t);
  const { db, close } = openOutbox(path, 'two');
  assert.deepEqual(findFirstWaiting(db), { id: 1, at: 7, seq: 64 });
  assert.equal(findSender(db).name, 'one');
  close();
  const file = new Database(path);
  file.pragma(`application_id = ${Buffer.from('dayo').readInt32BE()}`);
  file.close();
  assert.throws(
    () => openOutbox(path, 'two'),
    /from before the first release wrote this outbox. Let that program send/,
  );
});

test('outbox: one of a newer version is refused', (t) => {
  const path = closedOutbox(t);
  const file = new Database(path);
  file.pragma('user_version = 99');
  file.close();
  assert.throws(() => openOutbox(path, 'two'), /a newer daybook wrote this outbox/);
});
