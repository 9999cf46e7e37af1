import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Slice } from '../../../src/catalog/sealed-days.ts';
import { matchSlices } from '../../../src/cluster/query/visible-rows.ts';
import { noTotals } from '../../../src/stats/aggregates.ts';

const makeSlice = (id: number): Slice => ({
  ...noTotals(),
  ...{ id, day: id, slice: 0, importId: null, after: 0, hasHits: 1, recountedAt: null, format: 1, at: 0 },
});

test('slices are named by ranges of ids without any other slice of the site in between', () => {
  const shown = (slices: number[], unshown: number[] = []) => ({
    slices: slices.map(makeSlice),
    unshown,
    closed: [],
    imports: [],
  });
  const of = (wanted: number[], all: ReturnType<typeof shown>) => matchSlices(wanted.map(makeSlice), all);
  assert.equal(of([], shown([1, 2])), '0');
  assert.equal(of([7], shown([7])), '(slice IN (7))');
  assert.equal(of([1, 5, 9], shown([9, 1, 5])), '(slice BETWEEN 1 AND 9)', 'other sites have those in between');
  assert.equal(
    of([1, 2, 4, 5, 9], shown([1, 2, 4, 5, 9], [3, 8])),
    '(slice BETWEEN 1 AND 2 OR slice BETWEEN 4 AND 5 OR slice IN (9))',
  );
  assert.equal(of([1, 3], shown([1, 2, 3])), '(slice IN (1, 3))');
});
