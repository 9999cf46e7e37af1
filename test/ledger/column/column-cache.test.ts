import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ENTRY_BYTES, limitColumnBytes, makeColumnCache } from '../../../src/ledger/column/column-cache.ts';
import type { Column } from '../../../src/ledger/column/packing.ts';

const MB = 1024 * 1024;

/** A cache with room for ten columns of ten bytes, and which of them were read. */
function stage() {
  const read: number[] = [];
  const { of, nextQuery, forget } = makeColumnCache(10 * (10 + ENTRY_BYTES));
  const column = (key: number): Column => {
    read.push(key);
    return { terms: new Uint8Array(2), codes: new Uint8Array(8) };
  };
  return {
    read,
    forget,
    /** A query for some columns. */
    ask(...keys: number[]): void {
      nextQuery();
      for (const key of keys) of(key, () => column(key));
    },
  };
}

const numbers = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, i) => from + i);

test('a column is read once as long as all fit', () => {
  const { ask, read } = stage();
  for (let query = 0; query < 20; query++) ask(...numbers(0, 10));
  assert.deepEqual(read, numbers(0, 10));
});

test('what a query reads beyond the room is not kept, so that what was there stays', () => {
  const { ask, read } = stage();
  for (let query = 0; query < 3; query++) ask(...numbers(0, 15));
  assert.deepEqual(read, [...numbers(0, 15), ...numbers(10, 15), ...numbers(10, 15)]);
});

test('columns that no query has used for a while make room for others', () => {
  const { ask, read } = stage();
  ask(...numbers(0, 10));
  for (let query = 0; query < 10; query++) ask(...numbers(20, 25));
  ask(...numbers(20, 25), ...numbers(5, 10));
  const kept = read.slice(-5);
  assert.deepEqual(
    kept,
    numbers(20, 25),
    'neither those that were read last nor the later ones of before are read again',
  );
  ask(0);
  assert.equal(read.at(-1), 0, 'the first had to go');
});

test('nothing is kept of what is forgotten', () => {
  const { ask, read, forget } = stage();
  ask(1);
  forget();
  ask(1);
  assert.deepEqual(read, [1, 1]);
});

test('a thread keeps more where there is more memory, within bounds', () => {
  assert.equal(limitColumnBytes(512 * MB), 24 * MB);
  assert.equal(limitColumnBytes(2048 * MB), 32 * MB);
  assert.equal(limitColumnBytes(64 * 1024 * MB), 256 * MB);
});
