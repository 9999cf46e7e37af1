import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { listTopRows } from '../../../src/ledger/rows/top-terms.ts';
import { compareCodePoints } from '../../../src/lib/code-points.ts';

const TEXTS = ['/', '/a', '/b', '/B', '/ä', '/😀', '/￿'];
const readText = (term: number): string => `${TEXTS[term % TEXTS.length]}${term}`;

test('the rows with the largest ranks are those of sorting all rows, from any place on, and of those with a text in them', () => {
  const rows = fc.array(fc.record({ term: fc.nat(500), rank: fc.integer({ min: -1, max: 40 }) }), { maxLength: 120 });
  const wanted = fc.record({
    limit: fc.integer({ min: 1, max: 40 }),
    offset: fc.nat(60),
    search: fc.constantFrom('', '/B', '1', 'none'),
  });
  const property = fc.property(rows, wanted, (all, { limit, offset, search }) => {
    const terms = all.map(({ term }) => term);
    const ranks = all.map(({ rank }) => rank);
    const expected = all
      .map(({ term, rank }) => ({ rank, value: readText(term) }))
      .filter(({ value }) => value.toLowerCase().includes(search.toLowerCase()))
      .sort((one, other) => other.rank - one.rank || compareCodePoints(one.value, other.value))
      .slice(offset, offset + limit);
    const found = listTopRows(terms, ranks, { limit, offset, search }, readText);
    assert.deepEqual(
      found.map(({ place, value }) => ({ rank: ranks[place], value })),
      expected,
    );
  });
  fc.assert(property, { numRuns: 1000 });
});

test('only the texts of rows that may be shown are looked up', () => {
  const asked: number[] = [];
  const terms = Array.from({ length: 5000 }, (_, i) => i);
  listTopRows(terms, terms, { limit: 10, offset: 5 }, (term) => {
    asked.push(term);
    return readText(term);
  });
  assert.deepEqual(asked, terms.slice(-15));
});

test('of many rows with equal ranks, as strangers can send them, twice as many as are wanted are held at a time', (t) => {
  const terms = Array.from({ length: 5_000 }, (_, i) => (i * 7) % 5_000);
  const expected = terms.map(readText).sort(compareCodePoints).slice(5, 15);
  let most = 0;
  const { sort } = Array.prototype;
  t.after(() => Object.assign(Array.prototype, { sort }));
  const counted = function (this: unknown[], by: Parameters<typeof sort>[0]) {
    most = Math.max(most, this.length);
    return sort.call(this, by);
  };
  Object.assign(Array.prototype, { sort: counted });
  const found = listTopRows(terms, new Uint8Array(terms.length).fill(1), { limit: 10, offset: 5 }, readText);
  Object.assign(Array.prototype, { sort });
  assert.deepEqual(
    found.map(({ value }) => value),
    expected,
  );
  assert.equal(most, 30);
});
