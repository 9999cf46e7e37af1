import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { limitFlood } from '../../src/collect/flood.ts';
import { makeNetworkNumbers } from '../../src/lib/http/address.ts';

/** A limit and the milliseconds that its clock shows. */
function stage(rate: number) {
  let time = 0;
  const clock = { now: () => Number.NaN, tick: () => time };
  const { take, forget } = limitFlood(rate, clock, makeNetworkNumbers(randomBytes));
  return {
    take,
    forget,
    pass(ms: number): void {
      time += ms;
    },
    /** How many of so many at once there is room for. */
    taken: (tries: number, address = '192.0.2.1'): number =>
      Array.from({ length: tries }, () => take(address)).filter((isTaken) => isTaken).length,
  };
}

test('three times the rate may come at once, and then what the rate gives back', () => {
  const { taken, pass } = stage(20);
  assert.equal(taken(100), 60);
  pass(49);
  assert.equal(taken(5), 0);
  pass(1);
  assert.equal(taken(5), 1);
  pass(1_000);
  assert.equal(taken(100), 20);
  pass(2_000);
  assert.equal(taken(100), 40);
  pass(1_000_000);
  assert.equal(taken(100), 60, 'no more is saved up');
});

test('who asks in vain loses nothing by it', () => {
  const { taken, pass } = stage(1);
  assert.equal(taken(1_000), 3);
  for (let ms = 0; ms < 999; ms++) {
    pass(1);
    assert.equal(taken(1), 0);
  }
  pass(1);
  assert.equal(taken(2), 1);
});

test('the rate is held exactly, whatever comes when', () => {
  const rates = fc.oneof(fc.integer({ min: 1, max: 200 }), fc.constantFrom(1_000, 999, 1_000_000));
  const steps = fc.array(fc.tuple(fc.nat(3_000), fc.integer({ min: 1, max: 300 })), { maxLength: 30 });
  fc.assert(
    fc.property(rates, steps, (rate, asked) => {
      const { taken, pass } = stage(rate);
      // In thousandths of a hit, so that nothing is rounded.
      let level = 0;
      for (const [ms, tries] of asked) {
        pass(ms);
        level = Math.max(0, level - ms * rate);
        const room = Math.min(tries, Math.floor((rate * 3_000 - level) / 1_000));
        assert.equal(taken(tries), room, `after ${ms} ms at ${rate}/s`);
        level += room * 1_000;
      }
    }),
    // In the example hits that are just due would be refused if levels were rounded.
    {
      numRuns: 500,
      examples: [
        [
          5,
          [
            [0, 7],
            [1_279, 13],
            [451, 2],
            [2_670, 15],
          ],
        ],
      ],
    },
  );
});

test('each address counts for itself, and a /64 of IPv6 is one', () => {
  const { taken, take } = stage(1);
  assert.equal(taken(5, '192.0.2.1'), 3);
  assert.equal(taken(5, '192.0.2.2'), 3);
  assert.equal(take('2001:db8:1:2::1'), true);
  assert.equal(take('2001:DB8:1:2:ffff::7'), true);
  assert.equal(take('2001:db8:0001:0002:0:0:0:9'), true);
  assert.equal(take('2001:db8:1:2::2'), false);
  assert.equal(take('2001:db8:1:3::1'), true);
});

test('0 is no limit', () => {
  assert.equal(stage(0).taken(10_000), 10_000);
});

test('of more than 50,000 addresses the one silent longest is forgotten, and nobody who still sends', () => {
  const { take, taken, pass } = stage(1);
  assert.equal(taken(5, 'sending'), 3);
  assert.equal(taken(5, 'silent'), 3);
  for (let n = 0; n < 49_998; n++) take(`address ${n}`);
  assert.equal(taken(5, 'silent'), 0, 'there is room for so many');
  pass(1_000);
  assert.equal(taken(5, 'sending'), 1);
  take('one more');
  assert.equal(taken(5, 'sending'), 0);
  assert.equal(taken(5, 'silent'), 3, 'it begins anew');
});

test('a network is let go once it may send a whole burst again', () => {
  const { take, forget, pass } = stage(2);
  for (let n = 0; n < 100; n++) take(`192.0.2.${n}`);
  pass(400);
  take('2001:db8::1');
  assert.equal(forget(), 101, 'the first hits still count');
  pass(100);
  assert.equal(forget(), 1);
  pass(400);
  assert.equal(forget(), 0);
});
