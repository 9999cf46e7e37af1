import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { makeSignInLimits } from '../../src/auth/sign-in.ts';
import { Problem } from '../../src/lib/errors.ts';

const ANN = 'ann@example.com';
const BOB = 'bob@example.com';
const HOME = '192.0.2.1';
const QUARTER = 900;

/** Limits over a clock that moves only when a test says so. */
function stage() {
  let time = 12_345;
  const limits = makeSignInLimits({ now: () => 0, tick: () => time });
  return {
    /** Seconds to wait; 0 where the try is let in. */
    take(email: string, address: string, ownKey?: string, isStranger = false): number {
      try {
        limits.take({ email, address, ownKey, isStranger });
        return 0;
      } catch (error) {
        assert.ok(error instanceof Problem, String(error));
        assert.equal(error.code, 'rate_limited');
        return Number(error.headers['Retry-After']);
      }
    },
    succeeded: (email: string, address: string, ownKey?: string) => limits.succeeded({ email, address, ownKey }),
    pass(seconds: number): void {
      time += seconds * 1000;
    },
  };
}

/** So many tries that are let in, one after the other as early as may be; says how long each had to wait. */
function waits({ take, pass }: ReturnType<typeof stage>, count: number, email = ANN, address = HOME): number[] {
  return Array.from({ length: count }, () => {
    const wait = take(email, address);
    pass(wait);
    if (wait > 0) assert.equal(take(email, address), 0, `after ${wait} s`);
    return wait;
  });
}

test('five tries are free, then each waits twice as long as the one before, up to a quarter of an hour', () => {
  const free = [0, 0, 0, 0, 0];
  assert.deepEqual(waits(stage(), 18), [...free, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, QUARTER, QUARTER, QUARTER]);
});

test('asking before the time has come changes nothing', () => {
  const limits = stage();
  waits(limits, 8);
  assert.equal(limits.take(ANN, HOME), 8);
  for (let i = 0; i < 10; i++) assert.equal(limits.take(ANN, HOME), 8);
  limits.pass(7.999);
  assert.equal(limits.take(ANN, HOME), 1);
  limits.pass(0.001);
  assert.equal(limits.take(ANN, HOME), 0);
  assert.equal(limits.take(ANN, HOME), 16);
});

test('the right password begins anew, for that account from that network only', () => {
  const limits = stage();
  for (const email of [ANN, BOB]) waits(limits, 5, email);
  limits.succeeded(ANN, HOME);
  assert.deepEqual(waits(limits, 5, ANN), [0, 0, 0, 0, 0]);
  assert.equal(limits.take(BOB, HOME), 1);
});

test('a quarter of an hour without a try is forgiven, and not a moment less', () => {
  for (const [more, expected] of [
    [0, 4],
    [0.001, 0],
  ] as const) {
    const limits = stage();
    waits(limits, 6);
    // The two seconds that it would have waited anyhow, and the quarter.
    limits.pass(2 + QUARTER + more);
    assert.equal(limits.take(ANN, HOME), 0);
    assert.equal(limits.take(ANN, HOME), expected);
  }
});

test('the neighbours of a network wait with it, and all others do not', () => {
  for (const [home, neighbour, other] of [
    ['192.0.2.1', '192.0.2.255', '192.0.3.1'],
    ['2001:db8:0:1::1', '2001:db8:0:1:ffff::2', '2001:db8:0:2::1'],
  ] as const) {
    const limits = stage();
    waits(limits, 5, ANN, home);
    assert.equal(limits.take(ANN, neighbour), 1, neighbour);
    assert.equal(limits.take(ANN, other), 0, other);
    assert.equal(limits.take(BOB, home), 0, home);
  }
});

test('an address has twenty tries a minute, for whomever', () => {
  const limits = stage();
  const people = Array.from({ length: 21 }, (_, i) => `person${i}@example.com`);
  for (const email of people.slice(0, 20)) assert.equal(limits.take(email, HOME), 0);
  assert.equal(limits.take(people[20] ?? '', HOME), 60);
  assert.equal(limits.take(people[20] ?? '', '192.0.2.2'), 0);
  limits.pass(60);
  assert.equal(limits.take(people[20] ?? '', HOME), 0);
});

test('what an address is refused uses up nothing of an account', () => {
  const limits = stage();
  for (let i = 0; i < 20; i++) limits.take(`person${i}@example.com`, HOME);
  for (let i = 0; i < 100; i++) assert.equal(limits.take(ANN, HOME), 60);
  assert.deepEqual(waits(limits, 5, ANN, '192.0.2.2'), [0, 0, 0, 0, 0]);
});

test('an account has thirty tries in five minutes, from wherever', () => {
  const limits = stage();
  for (let i = 0; i < 30; i++) assert.equal(limits.take(ANN, `198.51.${i}.1`), 0);
  assert.equal(limits.take(ANN, '203.0.113.1'), 300);
  assert.equal(limits.take(BOB, '203.0.113.1'), 0);
  limits.pass(300);
  assert.equal(limits.take(ANN, '203.0.113.1'), 0);
});

test('whoever is refused for what others did has not tried', () => {
  const limits = stage();
  for (let i = 0; i < 30; i++) limits.take(ANN, `198.51.${i}.1`);
  for (let i = 0; i < 15; i++) assert.equal(limits.take(ANN, HOME), 300);
  limits.pass(300);
  assert.deepEqual(waits(limits, 6), [0, 0, 0, 0, 0, 1]);
});

test('one network alone does not use up the tries of everybody for an account', () => {
  const limits = stage();
  for (let second = 0; second < 300; second++) {
    for (let i = 0; i < 10; i++) limits.take(ANN, `198.51.100.${i}`);
    limits.pass(1);
    assert.notEqual(limits.take(ANN, '198.51.100.99'), 300);
  }
  assert.equal(limits.take(ANN, HOME), 0);
});

test('of more pairs of account and network than it remembers, the one silent longest is forgotten, and none that waits', () => {
  const limits = stage();
  const others = 50_000;
  waits(limits, 5, ANN);
  waits(limits, 4, BOB);
  for (let i = 0; i < others; i++) {
    const address = `10.${Math.floor(i / 65_536)}.${Math.floor(i / 256) % 256}.${i % 256}`;
    assert.equal(limits.take(`person${i}@example.com`, address), 0);
  }
  assert.equal(limits.take(ANN, HOME), 1, 'it is still the sixth');
  assert.equal(limits.take(BOB, '192.0.2.2'), 0);
  assert.equal(limits.take(BOB, '192.0.2.2'), 0, 'forgotten, so that it is not the sixth');
});

test('what strangers try does not count where the account has signed in within a month', () => {
  const limits = stage();
  const exhaust = () => {
    for (let i = 0; i < 30; i++) assert.equal(limits.take(ANN, `198.51.${i}.1`), 0);
    assert.equal(limits.take(ANN, '203.0.113.1'), 300);
  };
  limits.succeeded(ANN, HOME);
  exhaust();
  assert.deepEqual(waits(limits, 6), [0, 0, 0, 0, 0, 1], 'it has tries of its own');
  limits.succeeded(ANN, HOME);
  assert.equal(limits.take(ANN, '192.0.3.1'), 299, 'another network is a stranger');

  limits.pass(30 * 86_400 - 1);
  assert.equal(limits.take(ANN, HOME), 0);
  limits.pass(1);
  exhaust();
  assert.equal(limits.take(ANN, HOME), 300);
});

test('a known browser has its own tries, wherever it is, and not those of its address', () => {
  const limits = stage();
  for (let i = 0; i < 30; i++) limits.take(ANN, `198.51.${i}.1`);
  for (let i = 0; i < 20; i++) limits.take(`person${i}@example.com`, HOME);
  for (const wait of [0, 0, 0, 0, 0, 1]) assert.equal(limits.take(ANN, HOME, 'laptop'), wait);
  assert.equal(limits.take(ANN, HOME, 'phone'), 0);
  limits.pass(1);
  assert.equal(limits.take(ANN, HOME, 'laptop'), 0);
  limits.succeeded(ANN, HOME, 'laptop');
  assert.equal(limits.take(ANN, '203.0.113.7', 'laptop'), 0);
});

test('recovery codes that are tried from very many networks keep no known browser out', () => {
  const limits = stage();
  for (let n = 0; n < 50_000; n++) for (let i = 0; i < 5; i++) limits.take('', HOME, `code 1 network ${n}`, true);
  assert.ok(limits.take('', HOME, 'code 1 one more', true) > 0, 'no room is left for strangers');
  assert.equal(limits.take(ANN, HOME, 'laptop'), 0);
});

test('of the networks of an account the last twenty are known, and nobody else takes their places', () => {
  const limits = stage();
  limits.succeeded(ANN, HOME);
  for (let i = 0; i < 60_000; i++) limits.succeeded(BOB, `10.${i >> 8}.${i & 255}.1`);
  for (let i = 0; i < 19; i++) limits.succeeded(ANN, `198.51.${i}.1`);
  for (let i = 0; i < 30; i++) limits.take(ANN, `203.0.${i}.1`);
  assert.equal(limits.take(ANN, HOME), 0);
  limits.succeeded(ANN, '198.51.100.1');
  assert.equal(limits.take(ANN, HOME), 300, 'the twenty-first took its place');
});

test('whoever comes whenever: nobody is let in too often, and whoever waits as told is let in', () => {
  const arrival = fc.record({
    email: fc.constantFrom(ANN, BOB, 'nobody@example.com'),
    address: fc.tuple(fc.nat(12), fc.nat(2)).map(([network, host]) => `198.51.${network}.${host}`),
    pause: fc.oneof(fc.constantFrom(0, 0.001, 1, 60), fc.nat(20)),
  });
  fc.assert(
    fc.property(
      fc.array(arrival, { minLength: 50, maxLength: 400, size: 'max' }),
      fc.boolean(),
      (arrivals, patient) => {
        const limits = stage();
        let now = 0;
        const pass = (seconds: number) => {
          now += seconds;
          limits.pass(seconds);
        };
        const letIn: { email: string; address: string; at: number }[] = [];
        for (const { email, address, pause } of arrivals) {
          pass(pause);
          // The three limits may stand in each other's way, one after the other, and never more than that.
          for (let round = 0; round < 4; round++) {
            const wait = limits.take(email, address);
            assert.ok(wait >= 0 && wait <= QUARTER);
            if (wait === 0) letIn.push({ email, address, at: now });
            if (wait === 0 || !patient) break;
            assert.ok(round < 3, 'told to wait four times');
            pass(wait);
          }
        }
        const most = (key: 'email' | 'address', seconds: number, count: number) => {
          for (const tries of Map.groupBy(letIn, (one) => one[key]).values()) {
            let [start, inside] = [Number.NEGATIVE_INFINITY, 0];
            for (const { at } of tries) {
              if (at - start >= seconds) [start, inside] = [at, 0];
              assert.ok(++inside <= count, `${inside} for ${key} in ${seconds} s`);
            }
          }
        };
        most('email', 299.999, 30);
        most('address', 59.999, 20);
      },
    ),
    { numRuns: 200 },
  );
});
