import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeTermIndex } from '../../../src/ledger/rows/capped-terms.ts';
import { addSet, findOrAddSet, readSet } from '../../../src/ledger/rows/property-sets.ts';
import { cacheSets } from '../../../src/ledger/rows/read-sets.ts';
import { readTexts } from '../../../src/ledger/rows/terms.ts';
import { writeProperties } from '../../../src/stats/properties.ts';
import type { Db } from '../../../src/store/db.ts';
import { fileOf, TODAY } from '../../collect/stage.ts';

const DAY = { siteId: 1, day: TODAY };
const NAMES = Array.from({ length: 20 }, (_, i) => `p${i}`);

/** A file that counts how many sets were read of it. */
function countReads(db: Db) {
  let rows = 0;
  const lists: Db['lists'] = (sql, ...values) => {
    const found = db.lists<never>(sql, ...values);
    rows += found.length;
    return found;
  };
  return { db: { ...db, lists }, rows: () => rows };
}

test('property sets: each set is read once, however many names are asked for', (t) => {
  const { db } = fileOf(t).open();
  const add = (i: number) =>
    db.write(() => addSet(db, DAY, [...NAMES.map((name) => [name, i] as const), [`n${i}`, 7]]));
  for (let i = 1; i <= 60; i++) add(i);
  db.write(() => addSet(db, { ...DAY, day: TODAY - 1 }, [['other', 1]]));
  const counted = countReads(db);
  const read = cacheSets(counted.db);
  assert.equal(read(1, TODAY).names().length, NAMES.length + 60);
  const valuesOf = (name: string) => {
    const { ids, terms, count } = read(1, TODAY).read(name);
    assert.deepEqual(
      Array.from(ids).slice(0, count),
      Array.from(ids)
        .slice(0, count)
        .toSorted((a, b) => a - b),
    );
    return Array.from(terms).slice(0, count);
  };
  for (const name of NAMES)
    assert.deepEqual(
      valuesOf(name),
      Array.from({ length: 60 }, (_, i) => i + 1),
    );
  assert.deepEqual([valuesOf('n7'), valuesOf('none')], [[7], []]);
  assert.equal(counted.rows(), 60);
  add(61);
  assert.equal(valuesOf('p3').length, 61);
  assert.equal(counted.rows(), 61);
  assert.deepEqual(read(1, TODAY - 1).names(), ['other']);
});

test('property sets: a day with a million properties in different sets takes known sets, and others as (other)', (t) => {
  const { db } = fileOf(t).open();
  db.run('PRAGMA synchronous = OFF');
  let terms = makeTermIndex(db);
  const store = (i: number) =>
    db.write(() => {
      const text = writeProperties(NAMES.map((name) => [name, `v${i % 7}`]));
      return readSet(db, findOrAddSet(db, DAY, text, terms), readTexts(db, 1).readText);
    });
  assert.match(store(1), /"p0":"v1"/);
  const members = `{${NAMES.map((name) => `"${name}":' || value || '`).join()}}`;
  const sql = `INSERT INTO property_set (site_id, day, members)
    WITH RECURSIVE n(value) AS (SELECT 1000 UNION ALL SELECT value + 1 FROM n WHERE value < 1000 + 49997)
    SELECT 1, ${TODAY}, '${members}' FROM n`;
  db.run(sql);
  terms = makeTermIndex(db);
  assert.match(store(2), /"p0":"v2"/);
  assert.equal(store(3), '{"(other)":"(other)"}');
  assert.match(store(1), /"p0":"v1"/);
  assert.equal(store(4), '{"(other)":"(other)"}');
  assert.equal(db.one<{ n: number }>('SELECT count(*) AS n FROM property_set')?.n, 50_001);
});
