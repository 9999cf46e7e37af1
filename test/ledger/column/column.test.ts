import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  COLUMNS,
  type ColumnName,
  makeColumn,
  packColumn,
  packShardColumn,
  unpackColumn,
  unpackShardColumn,
} from '../../../src/ledger/column/column.ts';
import { type Column, compress, decompress, narrow, pack, unpack } from '../../../src/ledger/column/packing.ts';

/** What a column may hold: a mark is 0 or 1, and a second is one of a day. */
const SHAPES: Partial<Record<ColumnName, (values: Uint32Array) => Uint32Array>> = {
  again: (values) => values.map((value) => value % 2),
  second: (values) => values.map((value) => value % 86_400),
};
const fitting = (name: ColumnName, values: Uint32Array): Uint32Array => SHAPES[name]?.(values) ?? values;

const valuesOf = ({ terms, codes }: Column): number[] =>
  Array.from(codes, (code) => (terms.length === 0 ? code : (terms[code] ?? Number.NaN)));

const again = (name: ColumnName, values: Uint32Array): Column =>
  unpackColumn(name, packColumn(name, makeColumn(name, values)));

/** Says where lists differ; what node makes of long ones that do takes minutes and gigabytes. */
function same(found: ArrayLike<number>, expected: ArrayLike<number>): void {
  assert.equal(found.length, expected.length);
  for (let i = 0; i < expected.length; i++)
    if (found[i] !== expected[i]) assert.equal(found[i], expected[i], `at ${i}`);
}

function agree(name: ColumnName, given: Uint32Array): Column {
  const values = fitting(name, given);
  const column = again(name, values);
  same(valuesOf(column), values);
  if (column.terms.length > 0) same(column.terms, Uint32Array.from(new Set(values)).sort());
  return column;
}

/** So many rows of which every so many has another value than the one that most have. */
const sparse = (rows: number, every: number, otherOf: (row: number) => number, common: number): Uint32Array =>
  new Uint32Array(rows).map((_, row) => (row % every === every - 1 ? otherOf(row) : common));

test('seconds are the same again wherever their day begins and ends', () => {
  const second = fc.integer({ min: -57_600, max: 143_999 });
  fc.assert(
    fc.property(fc.array(second, { maxLength: 200, size: 'max' }), (seconds) => {
      same(valuesOf(again('second', Uint32Array.from(seconds))), seconds);
      const column = makeColumn('second', Uint32Array.from(seconds));
      same(valuesOf(unpackShardColumn('second', packShardColumn('second', column))), seconds);
    }),
  );
});

const value = fc.oneof(
  fc.constantFrom(0, 1, 255, 256, 65_535, 65_536, 2 ** 20),
  fc.nat(300),
  fc.integer({ min: 0, max: 2 ** 20 }),
);

const column = fc.constantFrom(...COLUMNS).chain((name) =>
  fc.record({
    name: fc.constant(name),
    values: fc.oneof(
      fc.array(value, { maxLength: 400, size: 'max' }),
      // One value but for a few rows.
      fc
        .record({ rows: fc.nat(2_000), common: value, others: fc.array(fc.tuple(fc.nat(1_999), value)) })
        .map(({ rows, common, others }) => {
          const all = new Array<number>(rows).fill(common);
          for (const [row, other] of others) if (row < rows) all[row] = other;
          return all;
        }),
    ),
  }),
);

test('any values of any column come back as they went in', () => {
  fc.assert(
    fc.property(column, ({ name, values }) => {
      agree(name, Uint32Array.from(values));
    }),
    { numRuns: 600 },
  );
});

test('a column may have no row, one row, and one value in all rows', () => {
  for (const name of COLUMNS) {
    for (const rows of [0, 1, 2, 70_000]) {
      for (const only of [0, 7, 86_399]) agree(name, new Uint32Array(rows).fill(only));
    }
  }
});

for (const count of [255, 256, 257, 65_535, 65_536, 65_537, 200_000]) {
  test(`a column may have ${count} different values`, () => {
    const values = new Uint32Array(count).map((_, i) => (i * 7_919) % 1_000_003);
    agree('page', values);
    agree('hits', values);
    // Mostly one of them, so that only the others are kept.
    const mostly = new Uint32Array(count * 4).fill(values[3] ?? 0);
    mostly.set(values, count);
    const column = agree('page', mostly);
    assert.equal(column.codes.BYTES_PER_ELEMENT, count <= 256 ? 1 : count <= 65_536 ? 2 : 4);
  });
}

test('what is mostly one value takes few bytes, whichever value that is', () => {
  for (const common of [0, 5, 700_000]) {
    const values = sparse(100_000, 1_000, (row) => row % 17, common);
    agree('label', values);
    assert.ok(packColumn('label', makeColumn('label', values)).length < 1_000);
  }
});

test('one column after the other: a large value leaves nothing behind for the next', () => {
  agree('page', Uint32Array.of(3_000_000, 1, 3_000_000));
  agree('page', Uint32Array.of(2, 1));
  assert.deepEqual(again('page', Uint32Array.of(1, 3_000_000)), {
    terms: Uint32Array.of(1, 3_000_000),
    codes: Uint8Array.of(0, 1),
  });
});

test('any lists of numbers come back as they went in, each as narrow as it can be', () => {
  const number = fc.oneof(fc.nat(255), fc.nat(65_535), fc.integer({ min: 0, max: 2 ** 32 - 1 }));
  fc.assert(
    fc.property(fc.array(fc.array(number)), fc.nat(3), (lists, shift) => {
      const packed = pack(lists.map((list) => narrow(list)));
      // Wherever the bytes lie in memory.
      const moved = Buffer.alloc(packed.length + shift).subarray(shift);
      packed.copy(moved);
      const found = unpack(moved);
      assert.deepEqual(
        found.map((list) => [...list]),
        lists,
      );
      for (const list of found) {
        const most = Math.max(0, ...list);
        assert.equal(list.BYTES_PER_ELEMENT, most < 256 ? 1 : most < 65_536 ? 2 : 4);
      }
    }),
  );
});

/** One of each way in which a column is packed. */
const SAMPLES: [string, ColumnName, Uint32Array][] = [
  ['a dictionary', 'page', Uint32Array.of(5, 700, 5, 700, 9, 70_000)],
  ['a dictionary with one value', 'country', new Uint32Array(40).fill(3)],
  ['mostly one value', 'label', sparse(500, 100, (row) => row, 0)],
  ['marks', 'again', Uint32Array.of(0, 1, 0, 0, 1, 1)],
  ['plain numbers', 'hits', Uint32Array.of(1, 1, 300, 2, 70_000)],
  ['seconds', 'second', Uint32Array.of(1, 50, 7, 86_399, 0)],
  ['engagement', 'engaged', Uint32Array.of(0, 0, 30, 0)],
  ['depths', 'scroll', Uint32Array.of(0, 101, 1, 0)],
];

for (const [what, name, values] of SAMPLES) {
  test(`${what}: bytes that are cut off, or are followed by others, throw`, () => {
    const packed = packColumn(name, makeColumn(name, values));
    agree(name, values);
    for (let length = packed.length - 7; length < packed.length; length++) {
      assert.throws(() => unpackColumn(name, packed.subarray(0, length)), `${length} of ${packed.length} bytes`);
    }
    if (['second', 'engaged', 'scroll'].includes(name)) return;
    for (const more of [1, 4, 8, 64]) {
      assert.throws(() => unpackColumn(name, Buffer.concat([packed, Buffer.alloc(more, 1)])), `${more} bytes more`);
    }
  });
}

test('a short list is stored as it is packed, and a longer one compressed', () => {
  for (const length of [0, 1, 56, 57, 200]) {
    const list = new Uint8Array(length).fill(7);
    const bytes = compress([list]);
    assert.equal(bytes.equals(pack([list])), length <= 56, `${length}`);
    same(decompress(bytes)[0] ?? [], list);
  }
});

test('a few bytes that stand for a long list come back as that list', () => {
  const zeros = new Uint8Array(100_000);
  const bytes = compress([zeros]);
  assert.ok(bytes.length < 128);
  for (let i = 0; i < 2; i++) same(decompress(bytes)[0] ?? [], zeros);
});

test('a width or length that was changed throws', () => {
  const packed = packColumn('page', makeColumn('page', Uint32Array.of(5, 700, 5)));
  for (const [at, wrong] of [
    [0, 255],
    [3, 255],
    [4, 3],
    [4, 0],
    [4, 8],
    [7, 1],
  ] as const) {
    const damaged = Buffer.from(packed);
    damaged[at] = wrong;
    assert.throws(() => unpackColumn('page', damaged), `byte ${at} is ${wrong}`);
  }
});
