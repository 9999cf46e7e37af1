import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Db } from '../../src/store/db.ts';
import { bytesBeside, MIDNIGHT, stage } from './collecting.ts';

const saltsOf = (db: Db): Buffer[] => db.all<{ bytes: Buffer }>('SELECT bytes FROM salt').map(({ bytes }) => bytes);

test('a site has one salt, of random bytes, which the next day overwrites', async (t) => {
  const { take, pass, db, path } = stage(t);
  assert.deepEqual(saltsOf(db()), []);
  await take();
  const [before, ...more] = saltsOf(db());
  assert.ok(before);
  assert.deepEqual([before.length, more.length], [32, 0]);
  db().one('PRAGMA wal_checkpoint(TRUNCATE)');
  assert.ok(readFileSync(path).includes(before));

  pass(MIDNIGHT);
  await take();
  const [after, ...others] = saltsOf(db());
  assert.ok(after);
  assert.deepEqual([after.length, others.length], [32, 0]);
  assert.notDeepEqual(after, before);
  db().one('PRAGMA wal_checkpoint(TRUNCATE)');
  assert.equal(readFileSync(path).includes(before), false);
  assert.ok(readFileSync(path).includes(after));
});

test('from the first hit of a day on, the salt of the day before is nowhere in the folder', async (t) => {
  const { take, pass, db, path } = stage(t);
  await take();
  const [before] = saltsOf(db());
  assert.ok(before && bytesBeside(path).includes(before));
  pass(MIDNIGHT);
  await take();
  assert.equal(bytesBeside(path).includes(before), false);
});

test('from midnight on, where nobody comes, the salt of the day before is nowhere in the folder', async (t) => {
  const { take, pass, turn, restart, db, other, path } = stage(t);
  await take();
  const [first] = saltsOf(db());
  assert.ok(first);
  turn();
  assert.deepEqual(saltsOf(db()), [first], 'on the same day it is kept');

  pass(MIDNIGHT);
  turn();
  assert.equal(bytesBeside(path).includes(first), false);
  await take();
  const [second] = saltsOf(db());
  assert.ok(second && bytesBeside(path).includes(second));

  // Also when somebody reads at that moment, or the server starts on a later day.
  const reader = other();
  reader.run('BEGIN');
  reader.all('SELECT * FROM site');
  pass(86_400);
  turn();
  assert.deepEqual(saltsOf(db()), []);
  assert.ok(bytesBeside(path).includes(second));
  reader.run('COMMIT');
  turn();
  assert.equal(bytesBeside(path).includes(second), false);
  await take();
  const [third] = saltsOf(db());
  assert.ok(third);
  pass(86_400);
  restart();
  turn();
  assert.equal(bytesBeside(path).includes(third), false);
});

test('the salt of a site that is deleted soon after a start is nowhere in the folder', async (t) => {
  const { take, turn, restart, db, path } = stage(t);
  await take();
  const [salt] = saltsOf(db());
  assert.ok(salt);
  restart();
  turn();
  assert.ok(bytesBeside(path).includes(salt));
  db().run('DELETE FROM site');
  turn();
  assert.equal(bytesBeside(path).includes(salt), false);
});
