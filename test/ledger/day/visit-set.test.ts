import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { makeVisitSet } from '../../../src/ledger/day/visit-set.ts';

test('the next mark is found from each place, the next visit without one, and those of some without one', () => {
  const visits = fc
    .integer({ min: 0, max: 100 })
    .chain((size) => fc.array(fc.boolean(), { minLength: size, maxLength: size }));
  const property = fc.property(visits, (members) => {
    const set = makeVisitSet(members.length);
    for (const [visit, isMember] of members.entries()) if (isMember) set.add(visit);
    assert.deepEqual(
      members.map((_, visit) => set.has(visit)),
      members,
    );
    const some = Uint32Array.from(members.keys()).filter((visit) => visit % 3 !== 1);
    const { visits, count } = set.leave({ visits: some.slice(), count: some.length });
    const left = some.filter((visit) => !members[visit]);
    assert.deepEqual(visits.slice(0, count), left);
    // The same visits under other numbers.
    const others = set.leave({ visits: Uint32Array.from(some.keys()), count: some.length }, some);
    assert.deepEqual(
      Array.from(others.visits.slice(0, others.count), (visit) => some[visit]),
      [...left],
    );
    for (let at = 0; at <= members.length; at++) {
      for (const isMember of [true, false]) {
        const next = members.indexOf(isMember, at);
        assert.equal(set.next(isMember, at), next < 0 ? members.length : next);
      }
    }
  });
  fc.assert(property);
});
