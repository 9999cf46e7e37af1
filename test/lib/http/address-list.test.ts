import assert from 'node:assert/strict';
import { isIP } from 'node:net';
import { test } from 'node:test';
import fc from 'fast-check';
import { readAddressList } from '../../../src/lib/http/address.ts';
import { chance } from '../../support/random.ts';
import { byte, groups, plain, RUNS } from './addresses.ts';

test('a block trusts exactly the addresses that share its first bits', () => {
  const bitsOf = (bytes: number[]): string => bytes.map((one) => one.toString(2).padStart(8, '0')).join('');
  const four = fc.array(byte, { minLength: 4, maxLength: 4 });
  fc.assert(
    fc.property(four, four, fc.nat(32), fc.nat(32), (block, noise, prefix, shared) => {
      const address = bitsOf(block)
        .split('')
        .map((bit, i) => (i < shared ? bit : bitsOf(noise)[i]))
        .join('');
      const bytes = address.match(/.{8}/g)?.map((bits) => Number.parseInt(bits, 2)) ?? [];
      const expected = address.slice(0, prefix) === bitsOf(block).slice(0, prefix);
      assert.equal(readAddressList(`${block.join('.')}/${prefix}`)(bytes.join('.')), expected);
    }),
    RUNS,
  );
  fc.assert(
    fc.property(groups, groups, fc.nat(8), fc.nat(8), (block, noise, prefix, shared) => {
      const address = [...block.slice(0, shared), ...noise.slice(shared)];
      const expected = plain(address.slice(0, prefix)) === plain(block.slice(0, prefix));
      assert.equal(readAddressList(`${plain(block)}/${prefix * 16}`)(plain(address)), expected);
    }),
    RUNS,
  );
});

test('a list of trusted proxies may hold single addresses, blocks, spaces and empty places', () => {
  const trust = readAddressList(' 192.0.2.7 ,, 198.51.100.0/24,2001:db8::/32 , ::1,');
  const inside = [
    '192.0.2.7',
    '198.51.100.0',
    '198.51.100.255',
    '2001:db8:ffff::1',
    '2001:DB8::',
    '::1',
    '0:0:0:0:0:0:0:1',
  ];
  const outside = ['192.0.2.8', '198.51.101.0', '198.51.99.255', '2001:db9::', '::2', '0.0.0.1', 'unknown', ''];
  for (const address of inside) assert.ok(trust(address), address);
  for (const address of outside) assert.ok(!trust(address), address);
  assert.ok(readAddressList('0.0.0.0/0')('203.0.113.1') && !readAddressList('0.0.0.0/0')('2001:db8::1'));
  for (const list of ['', ' ', ',']) assert.ok(!readAddressList(list)('127.0.0.1'));
});

test('an entry that is neither an address nor a block is refused by its name', () => {
  const wrong = [
    ...[
      '1.2.3.4/33',
      '::1/129',
      '1.2.3.4/',
      '::1/',
      '1.2.3.4/24/8',
      '1.2.3.4/24/',
      '/24',
      '/',
      '1.2.3.4/-1',
      '1.2.3.4/+1',
    ],
    ...[
      '1.2.3.4/1e1',
      '1.2.3.4/0x8',
      '1.2.3.4/ 8',
      '1.2.3.4/8.0',
      '1.2.3.4/٨',
      '1.2.3.4/0000',
      'x',
      'localhost',
      'proxy.example.com',
    ],
    ...[
      '1.2.3',
      '1.2.3.4.5',
      '1.2.3.256',
      '01.2.3.4',
      '1.2.3.4:80',
      '[::1]',
      ':::',
      '1.2.3.4 5.6.7.8',
      '1.2.3.4;5.6.7.8',
      '*',
    ],
  ];
  for (const entry of wrong) {
    for (const list of [entry, `127.0.0.1, ${entry}`, `${entry} ,::1`]) {
      assert.throws(() => readAddressList(list), { message: `${entry} is not an IP address or CIDR block` }, list);
    }
  }
});

test('an IPv4 address is on the list however it is written, there and here', () => {
  for (const list of ['203.0.113.0/24', '203.0.113.7', '::ffff:203.0.113.7', '::ffff:203.0.113.0/120']) {
    const isListed = readAddressList(list);
    for (const address of ['203.0.113.7', '::ffff:203.0.113.7', '::ffff:cb00:7107']) assert.ok(isListed(address), list);
    for (const address of ['203.0.112.7', '::ffff:203.0.112.7', '::203.0.113.7']) assert.ok(!isListed(address), list);
  }
});

test('a text is an IPv4 address exactly if Node says so', (t) => {
  const isListed = readAddressList('0.0.0.0/0');
  const random = chance(t);
  const pick = (from: readonly string[]): string => from[Math.floor(random() * from.length)] as string;
  for (let i = 0; i < 20_000; i++) {
    const parts = ['0', '7', '00', '09', '10', '99', '255', '256', '300', '1e1', '', ' 1', '-1'];
    const likely = random() < 0.8 ? parts.slice(0, 7) : parts;
    const text = Array.from({ length: random() < 0.9 ? 4 : 3 + Math.floor(random() * 3) }, () => pick(likely)).join(
      '.',
    );
    assert.equal(isListed(text), isIP(text) === 4, text);
  }
});
