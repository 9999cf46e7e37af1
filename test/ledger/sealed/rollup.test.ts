import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { sessionize } from '../../../src/ledger/day/sessionize.ts';
import {
  makeRollup,
  NO_NAMES,
  packDayRollup,
  packRollup,
  type Rollup,
  unpackRollup,
} from '../../../src/ledger/sealed/rollup.ts';
import { STORED_BREAKDOWNS } from '../../../src/stats/dimensions.ts';
import { TODAY } from '../../collect/stage.ts';
import { rowsOf } from '../rows.ts';

const LISTS: Record<string, (keyof Rollup)[]> = {
  pages: ['terms', 'visitors', 'hits'],
  hostnames: ['terms', 'visitors', 'hits'],
  events: ['terms', 'visitors', 'hits'],
  event_labels: ['terms', 'visitors', 'events'],
  properties: ['terms', 'visitors', 'hits'],
  property_values: ['terms', 'visitors', 'hits', 'events'],
};

const number = fc.oneof(fc.nat(255), fc.nat(65_535), fc.integer({ min: 0, max: 2 ** 32 - 1 }));
/** Rows are sorted by term, and those of labels by event first. */
const rollup = fc.array(fc.tuple(number, number, number, number), { maxLength: 50, size: 'max' }).map(
  (rows): Rollup => ({
    terms: rows.map(([term]) => term).sort((one, other) => one - other),
    visitors: rows.map(([, visitors]) => visitors),
    hits: rows.map(([, , hits]) => hits),
    events: rows.map(([, , , event]) => event),
  }),
);

test('a rollup comes back as it went in, with the lists that its breakdown needs', () => {
  fc.assert(
    fc.property(fc.constantFrom(...STORED_BREAKDOWNS), rollup, (name, given) => {
      const needed = LISTS[name] ?? ['terms', 'visitors'];
      for (const found of [packRollup, packDayRollup].map((pack) => unpackRollup(name, pack(name, given)))) {
        for (const list of ['terms', 'visitors', 'hits', 'events'] as const) {
          assert.deepEqual(Array.from(found[list]), needed.includes(list) ? given[list] : [], list);
        }
      }
    }),
    { numRuns: 300 },
  );
});

test('a rollup that is cut off, or a plain one that is followed by other bytes, throws', () => {
  const given: Rollup = { terms: [1, 2, 70_000], visitors: [1, 300, 2], hits: [1, 400, 2], events: [3, 3, 4] };
  for (const name of STORED_BREAKDOWNS) {
    for (const packed of [packRollup(name, given), packDayRollup(name, given)]) {
      for (let length = 0; length < packed.length; length++) {
        assert.throws(() => unpackRollup(name, packed.subarray(0, length)), `${length} of ${packed.length} bytes`);
      }
    }
    const plain = packRollup(name, given);
    assert.throws(() => unpackRollup(name, Buffer.concat([plain, plain])));
  }
});

/** A day of one visitor with so many events, each with two labels, of which one has no text. */
function dayOfEvents(count: number) {
  const rows = rowsOf(2 * count, { page: 1 });
  for (let i = 0; i < 2 * count; i++) {
    rows.terms.event[i] = 10 + Math.floor(i / 2);
    rows.terms.label[i] = i % 2 === 0 ? 0 : 5 + (i % 7);
  }
  return sessionize(TODAY, rows, 'time');
}

test('the labels of thousands of events are counted in as many steps as those of a few', () => {
  const readColumns = (count: number): number => {
    const day = dayOfEvents(count);
    let reads = 0;
    const column: typeof day.column = (name) => {
      reads++;
      return day.column(name);
    };
    const { events, terms } = makeRollup({ ...day, column }, 'event_labels', NO_NAMES);
    assert.deepEqual(
      Array.from(events),
      Array.from({ length: count }, (_, i) => 10 + i),
    );
    assert.ok(terms.length === count && !Array.from(terms).includes(0));
    return reads;
  };
  assert.equal(readColumns(3_000), readColumns(3));
});
