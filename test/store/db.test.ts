import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyText } from '../support/text.ts';
import { addSomebody, NOTE, pair, type Value } from './pair.ts';

test('a value goes through a question as it was given', (t) => {
  const { db } = pair(t);
  const long = anyText({ minLength: 2_000, maxLength: 2_000 });
  const hostile = fc.constantFrom(
    "'",
    '"',
    "' OR 1 = 1 --",
    '?',
    '(SELECT ?)',
    ':a',
    '@a',
    '$1',
    'a\u0000b',
    '\u0000',
    '😀',
    '%_',
    '',
  );
  const number = fc.oneof(fc.integer(), fc.maxSafeInteger(), fc.double({ noNaN: true }));
  const bytes = fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array));
  const value = fc.oneof(hostile, anyText(), number, fc.constant(null), bytes);
  const answered = (given: Value): unknown => db.one<{ value: unknown }>('SELECT ? AS value', given)?.value;
  fc.assert(
    fc.property(value, (given) => {
      assert.deepEqual(answered(given), given);
      assert.deepEqual(db.all('SELECT ? AS a, 1 AS b, ? AS c', given, 'after'), [
        { a: answered(given), b: 1, c: 'after' },
      ]);
    }),
    { numRuns: 1_000 },
  );
  fc.assert(
    fc.property(long, (given) => assert.equal(answered(given), given)),
    { numRuns: 50 },
  );
});

test('a value keeps its type, so that it is found as it was stored', (t) => {
  const { db } = pair(t);
  const types: [Value, string][] = [
    ['1', 'text'],
    [1n, 'integer'],
    [0.5, 'real'],
    [null, 'null'],
    [Buffer.from('1'), 'blob'],
  ];
  for (const [given, type] of types) assert.deepEqual(db.one('SELECT typeof(?) AS type', given), { type });

  const { siteId } = addSomebody(db);
  fc.assert(
    fc.property(anyText(), (text) => {
      const { id } = db.run(NOTE, siteId, '2026-01-31', text, 7);
      assert.deepEqual(db.all('SELECT id, text FROM note WHERE site_id = ? AND text = ?', siteId, text), [
        { id, text },
      ]);
      assert.deepEqual(db.one('SELECT text FROM note WHERE id = ?', String(id)), { text });
      assert.equal(db.run('DELETE FROM note WHERE id = ?', id).changes, 1);
    }),
    { numRuns: 300 },
  );
});

test('what is not there is undefined, and no rows are an empty list', (t) => {
  const { db } = pair(t);
  assert.equal(db.one('SELECT id FROM user WHERE email = ?', 'nobody@example.com'), undefined);
  assert.deepEqual(db.all('SELECT id FROM user WHERE email = ?', 'nobody@example.com'), []);
});

test('a change says how many rows it touched and the id of the row it added', (t) => {
  const { db } = pair(t);
  const { siteId } = addSomebody(db);
  const first = db.run(NOTE, siteId, '2026-01-31', 'a', 0);
  assert.deepEqual(first, { changes: 1, id: first.id });
  assert.equal(db.run(NOTE, siteId, '2026-01-31', 'b', 0).id, first.id + 1);
  assert.equal(db.run('UPDATE note SET text = ?', 'c').changes, 2);
  assert.equal(db.run('DELETE FROM note WHERE id = ?', 77).changes, 0);
});
