import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import { test } from 'node:test';
import fc from 'fast-check';
import { makeAddressKey, makeNetworkNumbers } from '../../../src/lib/http/address.ts';
import { groups, ipv4, plain, RUNS } from './addresses.ts';

/** Ways in which one eight-group address may be spelled. */
const spelled = fc
  .tuple(groups, fc.array(fc.nat(3), { minLength: 8, maxLength: 8 }), fc.nat(7), fc.nat(8))
  .map(([eight, styles, from, length]): [number[], string] => {
    const written = eight.map((group, i) => {
      const digits = group.toString(16);
      const wide = (styles[i] ?? 0) % 2 === 1 ? digits.padStart(4, '0') : digits;
      return (styles[i] ?? 0) > 1 ? wide.toUpperCase() : wide;
    });
    const zeros = eight.slice(from, from + length);
    if (zeros.length === 0 || zeros.some((group) => group !== 0)) return [eight, written.join(':')];
    return [eight, `${written.slice(0, from).join(':')}::${written.slice(from + zeros.length).join(':')}`];
  });

/** The same with the last two groups as an IPv4 address. */
const dotted = groups.chain((eight) => {
  const [high = 0, low = 0] = eight.slice(6);
  const tail = [high >> 8, high & 255, low >> 8, low & 255].join('.');
  const zeros = eight.slice(0, 6).indexOf(0);
  const head = eight.slice(0, 6).map((group) => group.toString(16));
  const long = `${head.join(':')}:${tail}`;
  const brief = zeros < 0 ? long : `${head.slice(0, zeros).join(':')}::${[...head.slice(zeros + 1), tail].join(':')}`;
  return fc.constantFrom<[number[], string]>([eight, long], [eight, brief]);
});

test('an IPv4 address is its own key', () => {
  fc.assert(
    fc.property(ipv4, (address) => assert.equal(makeAddressKey(address), address)),
    RUNS,
  );
});

test('all spellings of one IPv6 address give one key, which is its /64', () => {
  fc.assert(
    fc.property(spelled, fc.constantFrom('', '%eth0', '%1'), ([eight, text], zone) => {
      assert.equal(isIP(text + zone), 6);
      assert.equal(makeAddressKey(text + zone), plain(eight.slice(0, 4)), text + zone);
    }),
    { numRuns: 5_000 },
  );
});

test('an IPv6 address whose end is written like IPv4 has the same key', () => {
  fc.assert(
    fc.property(dotted, ([eight, text]) => {
      assert.equal(isIP(text), 6);
      assert.equal(makeAddressKey(text), plain(eight.slice(0, 4)), text);
    }),
    RUNS,
  );
});

test('two IPv6 addresses have one key exactly when they share their /64', () => {
  fc.assert(
    fc.property(groups, groups, fc.nat(8), (one, noise, shared) => {
      const other = [...one.slice(0, shared), ...noise.slice(shared)];
      const same = plain(one.slice(0, 4)) === plain(other.slice(0, 4));
      assert.equal(makeAddressKey(plain(one)) === makeAddressKey(plain(other)), same);
    }),
    RUNS,
  );
});

test('networks have numbers of their own, which are others in another process', () => {
  const [one, other] = [makeNetworkNumbers(randomBytes), makeNetworkNumbers(randomBytes)];
  const addresses = Array.from({ length: 20_000 }, (_, n) => `10.${n % 3}.${n >> 8}.${n & 255}`);
  assert.equal(new Set(addresses.map(one)).size, new Set(addresses).size);
  assert.notDeepEqual(addresses.slice(0, 10).map(one), addresses.slice(0, 10).map(other));
  assert.equal(one('2001:db8:1:2::1'), one('2001:DB8:1:2:ffff::7'));
  assert.notEqual(one('2001:db8:1:2::1'), one('2001:db8:1:3::1'));
  for (const address of addresses) assert.ok(Number.isSafeInteger(one(address)) && one(address) >= 0);
});
