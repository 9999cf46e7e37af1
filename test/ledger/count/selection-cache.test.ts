import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { makeSelectionCache } from '../../../src/ledger/count/selection-cache.ts';

const VISITS = 80;

/** A cache for so many filters over a day of 80 visits, of which every other one is selected, and what was looked for. */
function stage(filters: number) {
  const found: string[] = [];
  const { of, forget } = makeSelectionCache(filters * (102 + VISITS / 8));
  const visits = Uint32Array.from({ length: VISITS / 2 }, (_, i) => 2 * i);
  return {
    found,
    forget,
    ask(...names: string[]): void {
      for (const name of names) {
        const selection = of(name, { id: 1, visits: VISITS }, () => {
          found.push(name);
          return { visits, count: visits.length };
        });
        assert.deepEqual(selection.visits.subarray(0, selection.count), visits);
      }
    },
  };
}

test('whatever visits are selected, the same come back', () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { maxLength: 300 }), fc.nat(300), (flags, one) => {
      const { of } = makeSelectionCache(10_000);
      const many = flags.flatMap((isSelected, visit) => (isSelected ? [visit] : []));
      const few = one < flags.length ? [one] : [];
      for (const [id, list] of [many, few].entries()) {
        // The buffer of a selection may be longer than it.
        const find = () => ({ visits: Uint32Array.from([...list, 9, 9]), count: list.length });
        for (let time = 0; time < 3; time++) {
          const { visits, count } = of('', { id, visits: flags.length }, find);
          assert.deepEqual([...visits.subarray(0, count)], list);
        }
      }
    }),
  );
});

test('what the latest filters select is looked for once, and where there is no more room the oldest go', () => {
  const { ask, found } = stage(2);
  ask('a', 'b', 'a', 'b');
  assert.deepEqual(found, ['a', 'b']);
  ask('a', 'c', 'a', 'b');
  assert.deepEqual(found.slice(2), ['c', 'b'], 'b was the oldest when c came');
});

test('filters that take more than all of the room are looked for again', () => {
  const { ask, found } = stage(0.5);
  ask('a', 'a');
  assert.deepEqual(found, ['a', 'a']);
});

test('filters without visits do not fill the memory, however long they are', () => {
  const { of } = makeSelectionCache(10_000);
  let found = 0;
  const ask = (filters: string) =>
    of(filters, { id: 1, visits: VISITS }, () => {
      found++;
      return { visits: new Uint32Array(0), count: 0 };
    });
  const long = (i: number): string => `${i}`.padEnd(1_000, '*');
  for (let i = 0; i < 9; i++) ask(long(i));
  ask(long(8));
  assert.equal(found, 9, 'the last one is kept');
  ask(long(0));
  assert.equal(found, 10, 'the first had to go');
});

test('nothing is kept of what is forgotten', () => {
  const { ask, found, forget } = stage(2);
  ask('a');
  forget();
  ask('a');
  assert.deepEqual(found, ['a', 'a']);
});
