import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { makeMarks } from '../../../src/ledger/day/bitset.ts';

test('the next mark is found from each place, the next visit without one, and those of some without one', () => {
  const visits = fc
    .integer({ min: 0, max: 100 })
    .chain((size) => fc.array(fc.boolean(), { minLength: size, maxLength: size }));
  const property = fc.property(visits, (marked) => {
    const marks = makeMarks(marked.length);
    for (const [visit, isMarked] of marked.entries()) if (isMarked) marks.add(visit);
    assert.deepEqual(
      marked.map((_, visit) => marks.has(visit)),
      marked,
    );
    const some = Uint32Array.from(marked.keys()).filter((visit) => visit % 3 !== 1);
    const { visits, count } = marks.leave({ visits: some.slice(), count: some.length });
    const left = some.filter((visit) => !marked[visit]);
    assert.deepEqual(visits.slice(0, count), left);
    // The same visits under other numbers.
    const others = marks.leave({ visits: Uint32Array.from(some.keys()), count: some.length }, some);
    assert.deepEqual(
      Array.from(others.visits.slice(0, others.count), (visit) => some[visit]),
      [...left],
    );
    for (let at = 0; at <= marked.length; at++) {
      for (const isMarked of [true, false]) {
        const next = marked.indexOf(isMarked, at);
        assert.equal(marks.next(isMarked, at), next < 0 ? marked.length : next);
      }
    }
  });
  fc.assert(property);
});
