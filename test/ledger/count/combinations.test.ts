import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Column } from '../../../src/ledger/column/packing.ts';
import {
  countCombinations,
  listNumbers,
  makeCombinations,
  numberRows,
  readRows,
} from '../../../src/ledger/count/combinations.ts';

/** A column whose dictionary has an entry for each row, even for equal values. */
const makeColumn = (list: readonly number[]): Column => ({
  terms: Float64Array.from(list),
  codes: Uint32Array.from(list.keys()),
});

const VALUES = fc.oneof(fc.nat(20), fc.nat(3_000), fc.nat(2 ** 31));

test('combinations: equal rows have equal numbers, and are read back', () => {
  const rows = fc
    .integer({ min: 1, max: 3 })
    .chain((width) =>
      fc.array(fc.array(VALUES, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 200 }),
    );
  fc.assert(fc.property(rows, (table) => assertNumbered(table)));
});

test('combinations: rows keep their numbers when a hash table replaces the grid', () => {
  const combinations = makeCombinations(2);
  const number = (firsts: number[]): number[] => {
    const seconds = firsts.map((first) => first + 1);
    return Array.from(numberRows(combinations, [firsts, seconds].map(makeColumn), firsts.length));
  };
  const few = [3, 5, 9, 5];
  const many = Array.from({ length: 5_000 }, (_, i) => i);
  assert.deepEqual(number(few), [0, 1, 2, 1]);
  assert.equal(new Set(number(many)).size, many.length);
  assert.deepEqual(number(few), [0, 1, 2, 1]);
});

function assertNumbered(table: readonly number[][]): void {
  const [{ length } = []] = table;
  const combinations = makeCombinations(length ?? 0);
  const keys = Array.from({ length: length ?? 0 }, (_, place) => table.map((row) => row[place] as number));
  const numbers = numberRows(combinations, keys.map(makeColumn), table.length);
  const expected = new Map<string, number>();
  for (const row of table) if (!expected.has(row.join())) expected.set(row.join(), expected.size);
  assert.deepEqual(
    Array.from(numbers),
    table.map((row) => expected.get(row.join())),
  );
  assert.equal(countCombinations(combinations), expected.size);
  assert.deepEqual(listNumbers(combinations).sort(), Uint32Array.from(expected.values()));
  const read = readRows(combinations, Uint32Array.from(expected.values()));
  const texts = Array.from(expected.keys(), (_, i) => read.map(({ terms, codes }) => terms[codes[i] as number]).join());
  assert.deepEqual(texts, [...expected.keys()]);
}
