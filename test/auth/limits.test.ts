import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type LimitState, makeWindowLimit } from '../../src/auth/limits.ts';
import type { Clock } from '../../src/lib/time.ts';

/** A clock that moves only when a test says so; its wall clock is nobody's business here. */
function stopped(time = 12_345): Clock & { pass(milliseconds: number): void } {
  return {
    now: () => assert.fail('a limit must not look at the wall clock'),
    tick: () => time,
    pass(milliseconds) {
      time += milliseconds;
    },
  };
}

test('exactly the limit passes in a window, and what remains is counted down', () => {
  const limit = makeWindowLimit(3, 60, stopped());
  const taken = Array.from({ length: 5 }, () => limit.take('a'));
  assert.deepEqual(
    taken.map(({ allowed }) => allowed),
    [true, true, true, false, false],
  );
  assert.deepEqual(
    taken.map(({ remaining }) => remaining),
    [2, 1, 0, 0, 0],
  );
  assert.deepEqual([limit.limit, limit.windowSeconds], [3, 60]);
});

test('a window ends exactly at its length, and the next begins with the next request', () => {
  const clock = stopped();
  const limit = makeWindowLimit(1, 60, clock);
  assert.deepEqual(limit.take('a'), { allowed: true, remaining: 0, resetSeconds: 60 });
  clock.pass(59_999);
  assert.deepEqual(limit.take('a'), { allowed: false, remaining: 0, resetSeconds: 1 });
  clock.pass(1);
  assert.deepEqual(limit.take('a'), { allowed: true, remaining: 0, resetSeconds: 60 });
  // Not where the last one ended, but where somebody came again.
  clock.pass(90_000);
  assert.ok(limit.take('a').allowed);
  clock.pass(59_999);
  assert.ok(!limit.take('a').allowed);
});

test('what is refused does not prolong the window', () => {
  const clock = stopped();
  const limit = makeWindowLimit(2, 60, clock);
  limit.take('a');
  for (let second = 0; second < 59; second++) {
    clock.pass(1000);
    limit.take('a');
  }
  assert.ok(!limit.take('a').allowed);
  clock.pass(1000);
  assert.deepEqual(limit.take('a'), { allowed: true, remaining: 1, resetSeconds: 60 });
});

test('whoever waits for the seconds until the reset passes, and nobody waits a whole second too long', () => {
  fc.assert(
    fc.property(fc.nat(59_999), (passed) => {
      const clock = stopped();
      const limit = makeWindowLimit(1, 60, clock);
      limit.take('a');
      clock.pass(passed);
      const { allowed, resetSeconds } = limit.take('a');
      assert.ok(!allowed && resetSeconds >= 1 && resetSeconds <= 60);
      assert.ok((resetSeconds - 1) * 1000 < 60_000 - passed);
      clock.pass(resetSeconds * 1000);
      assert.ok(limit.take('a').allowed);
    }),
    { numRuns: 1_000 },
  );
});

test('a window that just began ends in exactly its length, at whatever fraction of a millisecond', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1e10, noNaN: true }), (start) => {
      assert.equal(makeWindowLimit(1, 60, stopped(start)).take('a').resetSeconds, 60);
    }),
    { numRuns: 1_000, examples: [[6302.031443351378]] },
  );
});

test('each key has its own window, and a number is not the text of its digits', () => {
  const clock = stopped();
  const limit = makeWindowLimit(1, 60, clock);
  for (const key of ['a', 'b', '', '__proto__', 1, '1']) {
    assert.ok(limit.take(key).allowed, String(key));
    assert.ok(!limit.take(key).allowed, String(key));
  }
});

test('a limit of zero lets nobody pass', () => {
  const limit = makeWindowLimit(0, 60, stopped());
  assert.deepEqual(limit.take('a'), { allowed: false, remaining: 0, resetSeconds: 60 });
});

test('with as many keys as it holds, the window that began first is forgotten', () => {
  const clock = stopped();
  const limit = makeWindowLimit(9, 60, clock, 3);
  for (const key of ['a', 'b', 'c']) limit.take(key);
  // To come again does not make a window younger.
  assert.equal(limit.take('a').remaining, 7);
  limit.take('d');
  for (const key of ['b', 'c', 'd']) assert.equal(limit.take(key).remaining, 7, key);
  assert.equal(limit.take('a').remaining, 8, 'a was forgotten');
  assert.equal(limit.take('b').remaining, 8, 'b had to go for a');
});

test('a window that is used up is never forgotten for others, who are refused where there are too many such', () => {
  const clock = stopped();
  const limit = makeWindowLimit(2, 60, clock, 3);
  limit.take('a');
  limit.take('a');
  for (let i = 0; i < 1_000; i++) assert.ok(limit.take(i).allowed);
  assert.ok(!limit.take('a').allowed);
  clock.pass(10_000);
  for (const key of ['b', 'b', 'c', 'c']) assert.ok(limit.take(key).allowed);
  assert.deepEqual(limit.take('d'), { allowed: false, remaining: 0, resetSeconds: 50 });
  clock.pass(50_000);
  assert.ok(limit.take('d').allowed, 'a has ended');
});

test('a key that begins again takes no place of another', () => {
  const clock = stopped();
  const limit = makeWindowLimit(2, 60, clock, 2);
  limit.take('a');
  clock.pass(30_000);
  limit.take('b');
  clock.pass(30_000);
  assert.equal(limit.take('a').remaining, 1);
  assert.equal(limit.take('b').remaining, 0);
});

type Window = { key: string; start: number; count: number };

/** The same by lists of windows that are searched from their beginning each time: those that began first, and were used up first, first. */
function naive(limit: number, length: number, maxKeys: number): (key: string, now: number) => LimitState {
  let open: Window[] = [];
  let full: Window[] = [];
  return (key, now) => {
    const isOver = ({ start }: Window) => now >= start + length;
    open = open.filter((one) => !isOver(one));
    let window = [...open, ...full].find((one) => one.key === key && !isOver(one));
    if (!window) {
      const first = full.findIndex((one) => !isOver(one));
      full = first < 0 ? [] : full.slice(first);
      const [obstacle] = full;
      if (obstacle && full.length >= maxKeys) {
        return { allowed: false, remaining: 0, resetSeconds: Math.ceil((obstacle.start + length - now) / 1000) };
      }
      full = full.filter((one) => one.key !== key);
      window = { key, start: now, count: 0 };
      if (limit > 1 && open.length === maxKeys) open.shift();
      (limit === 0 ? full : open).push(window);
    }
    const allowed = window.count < limit;
    if (allowed && ++window.count === limit) {
      open = open.filter((one) => one !== window);
      full.push(window);
    }
    return { allowed, remaining: limit - window.count, resetSeconds: Math.ceil((window.start + length - now) / 1000) };
  };
}

test('whoever comes whenever, it is counted as a naive list would', () => {
  const arrival = fc.record({
    key: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
    pause: fc.oneof(fc.constantFrom(0, 1, 999, 1000, 4999, 5000), fc.nat(2_500)),
  });
  const arrivals = fc.array(arrival, { maxLength: 60, size: 'max' });
  fc.assert(
    fc.property(fc.nat(4), fc.integer({ min: 1, max: 7 }), arrivals, (most, maxKeys, comers) => {
      let time = 0;
      const limit = makeWindowLimit(most, 5, { now: () => 0, tick: () => time }, maxKeys);
      const model = naive(most, 5_000, maxKeys);
      for (const { key, pause } of comers) {
        time += pause;
        assert.deepEqual(limit.take(key), model(key, time));
      }
    }),
    { numRuns: 2_000 },
  );
});

test('of ten thousand keys the last hundred are remembered where there is room for a hundred', () => {
  const limit = makeWindowLimit(9, 60, stopped(), 100);
  for (let i = 0; i < 10_000; i++) limit.take(i);
  const remembered = Array.from({ length: 10_000 }, (_, i) => 9_999 - i).findIndex(
    (i) => limit.take(i).remaining === 8,
  );
  assert.equal(remembered, 100);
});
