import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listLate, noteLate } from '../../../src/cluster/servers/late.ts';
import { bookOf } from '../../ledger/stage.ts';

const CLOCK = { now: () => 0, tick: () => 0 };

test('late servers are noted for commands; a note that cannot be written stops nothing', (t) => {
  const { db } = bookOf(t);
  noteLate(db, CLOCK, [{ url: 'http://a/' }]);
  assert.ok(listLate(db).has('http://a/'));
  db.run('PRAGMA query_only = ON');
  noteLate(db, CLOCK, []);
  assert.ok(listLate(db).has('http://a/'));
});
