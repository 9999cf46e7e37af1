import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addSomebody, count, NOTE, pair } from '../pair.ts';

test('a write is there whole or not at all', (t) => {
  const { db, other } = pair(t);
  const { siteId } = addSomebody(db);
  const mistake = new Error('a mistake');
  const broken = () =>
    db.write(() => {
      for (let i = 0; i < 10; i++) db.run(NOTE, siteId, '2026-01-31', `note ${i}`, 0);
      assert.equal(count(db, 'note'), 10);
      // Nobody else sees it before it is committed.
      assert.equal(count(other, 'note'), 0);
      throw mistake;
    });
  assert.throws(broken, (error) => error === mistake);
  assert.equal(count(db, 'note'), 0);
  assert.equal(
    db.write(() => db.run(NOTE, siteId, '2026-01-31', 'a', 0).changes),
    1,
  );
  assert.equal(count(other, 'note'), 1);
});

test('a refused row takes the whole write with it', (t) => {
  const { db } = pair(t);
  const { siteId } = addSomebody(db);
  const broken = () =>
    db.write(() => {
      db.run(NOTE, siteId, '2026-01-31', 'a', 0);
      db.run(NOTE, siteId, 'no day', 'b', 0);
    });
  assert.throws(broken, { code: 'SQLITE_CONSTRAINT_CHECK' });
  assert.equal(count(db, 'note'), 0);
});

test('a write within a write is undone alone when its failure is caught, and with the outer one when not', (t) => {
  const { db, other } = pair(t);
  const { siteId } = addSomebody(db);
  const add = (text: string) => db.run(NOTE, siteId, '2026-01-31', text, 0);
  const fail = () =>
    db.write(() => {
      add('inner');
      throw new Error('a mistake');
    });
  db.write(() => {
    add('outer');
    assert.throws(fail, /a mistake/);
    db.write(() => add('another'));
    assert.equal(count(other, 'note'), 0, 'the inner one commits nothing by itself');
  });
  assert.deepEqual(db.all('SELECT text FROM note ORDER BY id'), [{ text: 'outer' }, { text: 'another' }]);
  assert.throws(
    () =>
      db.write(() => {
        add('more');
        db.write(() => add('and more'));
        fail();
      }),
    /a mistake/,
  );
  assert.equal(count(db, 'note'), 2);
});

test('a write gives back what its work gives back, and takes no work that ends later', (t) => {
  const { db } = pair(t);
  const { siteId } = addSomebody(db);
  assert.equal(
    db.write(() => 'done'),
    'done',
  );
  const later = async () => void db.run(NOTE, siteId, '2026-01-31', 'a', 0);
  assert.throws(() => db.write(later), /promise/);
  assert.equal(count(db, 'note'), 0);
});

test('a write holds the lock from its beginning, and gives it back however it ends', (t) => {
  const { db, other } = pair(t);
  const { siteId } = addSomebody(db);
  other.one('PRAGMA busy_timeout = 0');
  const intrude = () => other.write(() => other.run(NOTE, siteId, '2026-01-31', 'intruder', 0));
  db.write(() => {
    // Nothing has been written, nothing even read.
    assert.throws(intrude, { code: 'SQLITE_BUSY' });
    const before = count(db, 'note');
    assert.throws(intrude, { code: 'SQLITE_BUSY' });
    assert.equal(count(other, 'note'), 0, 'reading goes on');
    assert.equal(count(db, 'note'), before);
  });
  assert.throws(() => db.write(() => assert.fail('a mistake')), /a mistake/);
  intrude();
  assert.equal(count(db, 'note'), 1);
});
