import assert from 'node:assert/strict';
import { isIP, SocketAddress } from 'node:net';
import { test } from 'node:test';
import fc from 'fast-check';
import { addressKey, clientAddress, trustOf } from '../../src/lib/address.ts';

const RUNS = { numRuns: 1_000 };
const TRUSTED = trustOf('10.0.0.0/8, 127.0.0.1, fd00::/8, ::1');
const NOBODY = trustOf('');

const byte = fc.nat(255);
const ipv4 = fc.tuple(byte, byte, byte, byte).map((bytes) => bytes.join('.'));
const trustedIpv4 = fc.tuple(byte, byte, byte).map((bytes) => `10.${bytes.join('.')}`);
const groups = fc.array(fc.oneof(fc.constant(0), fc.nat(0xffff)), { minLength: 8, maxLength: 8 });
const plain = (eight: number[]): string => eight.map((group) => group.toString(16)).join(':');
/** As a socket writes it. */
const short = (eight: number[]): string => new SocketAddress({ address: plain(eight), family: 'ipv6' }).address;
const strangerIpv6 = groups.map((eight) => short([0x2001, ...eight.slice(1)]));
const trusted = fc.oneof(
  trustedIpv4,
  fc.constantFrom('127.0.0.1', '::1'),
  groups.map((eight) => short([0xfd12, ...eight.slice(1)])),
);
const stranger = fc.oneof(
  ipv4.filter((address) => !TRUSTED(address)),
  strangerIpv6,
);
/** What a client may write into its own header. */
const forged = fc.array(fc.oneof(ipv4, trusted, stranger, fc.string(), fc.constant('unknown')), { maxLength: 4 });

const gap = fc.stringMatching(/^[ \t]{0,2}$/);
const port = fc.integer({ min: 1, max: 65_535 });

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

test('a socket that is not trusted is the client, whatever it forwards', () => {
  fc.assert(
    fc.property(stranger, forged, (socket, header) => {
      assert.equal(clientAddress(socket, header.join(','), TRUSTED), socket);
    }),
    RUNS,
  );
});

test('without trusted proxies X-Forwarded-For is ignored', () => {
  fc.assert(
    fc.property(fc.oneof(stranger, trusted), fc.option(fc.string(), { nil: undefined }), (socket, header) => {
      assert.equal(clientAddress(socket, header, NOBODY), socket);
    }),
    RUNS,
  );
  assert.equal(clientAddress('127.0.0.1', '192.0.2.1', NOBODY), '127.0.0.1');
});

test('behind trusted proxies the right-most stranger is the client, and nothing to the left of it matters', () => {
  fc.assert(
    fc.property(
      trusted,
      forged,
      stranger,
      fc.array(trusted, { maxLength: 3 }),
      gap,
      (socket, left, client, hops, space) => {
        const header = [...left, client, ...hops].map((hop) => `${space}${hop}${space}`).join(',');
        assert.equal(clientAddress(socket, header, TRUSTED), client);
      },
    ),
    { numRuns: 3_000 },
  );
});

test('where every hop is trusted, the farthest one is the client', () => {
  fc.assert(
    fc.property(trusted, fc.array(trusted, { maxLength: 4 }), (socket, hops) => {
      assert.equal(clientAddress(socket, hops.join(', '), TRUSTED), hops[0] ?? socket);
    }),
    RUNS,
  );
});

test('what cannot be read ends the walk at the hop that sent it', () => {
  const garbage = fc.oneof(
    fc.constantFrom(
      '',
      'unknown',
      '_hidden',
      '1.2.3',
      '1.2.3.4.5',
      '01.2.3.4',
      '1.2.3.4:x',
      '[::1',
      '::1]',
      '[1.2.3.4]x',
    ),
    fc.stringMatching(/^[g-z ._-]{0,8}$/),
  );
  fc.assert(
    fc.property(
      trusted,
      forged,
      stranger,
      garbage,
      fc.array(trusted, { maxLength: 3 }),
      (socket, left, client, word, hops) => {
        const header = [...left, client, word, ...hops].join(',');
        assert.equal(clientAddress(socket, header, TRUSTED), hops[0] ?? socket);
      },
    ),
    RUNS,
  );
});

test('an address is found with its port and in brackets', () => {
  fc.assert(
    fc.property(ipv4, strangerIpv6, port, (four, six, number) => {
      const written: [string, string][] = [
        [`${four}:${number}`, four],
        [`[${six}]:${number}`, six],
        [`[${six}]`, six],
        [six, six],
      ];
      for (const [hop, address] of written)
        assert.equal(clientAddress('10.0.0.1', `6.6.6.6, ${hop}`, trustOf('10.0.0.1')), address);
    }),
    RUNS,
  );
});

test('the last group of an IPv6 address without brackets is not taken for a port', () => {
  assert.equal(clientAddress('::1', '2001:db8::1:8080', TRUSTED), '2001:db8::1:8080');
});

/** Both in a socket and in a header. */
function assertUnmapped(client: string, spelling: string): void {
  assert.equal(clientAddress(spelling, undefined, TRUSTED), client, spelling);
  assert.equal(clientAddress('::ffff:10.0.0.1', `6.6.6.6, ${spelling}, ::ffff:10.0.0.2`, TRUSTED), client, spelling);
  assert.equal(clientAddress('10.0.0.1', `[${spelling}]:443`, TRUSTED), client, spelling);
}

const strangerIpv4 = fc.tuple(byte, byte, byte).map((bytes) => [192, ...bytes]);

test('an IPv4 address mapped into IPv6 is that IPv4 address', () => {
  fc.assert(
    fc.property(strangerIpv4, fc.constantFrom('::ffff:', '::FFFF:'), (bytes, prefix) => {
      assertUnmapped(bytes.join('.'), prefix + bytes.join('.'));
    }),
    RUNS,
  );
});

test('so it is when it is mapped in hex or in full length', () => {
  fc.assert(
    fc.property(strangerIpv4, ([a = 0, b = 0, c = 0, d = 0]) => {
      const client = [a, b, c, d].join('.');
      assertUnmapped(client, `::ffff:${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`);
      assertUnmapped(client, `0:0:0:0:0:ffff:${client}`);
    }),
    RUNS,
  );
});

test('a socket that is gone has no address, and is not trusted', () => {
  assert.equal(clientAddress('', '192.0.2.1', TRUSTED), '');
  assert.equal(clientAddress('', '192.0.2.1', trustOf('0.0.0.0/0,::/0')), '');
});

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
      assert.equal(trustOf(`${block.join('.')}/${prefix}`)(bytes.join('.')), expected);
    }),
    RUNS,
  );
  fc.assert(
    fc.property(groups, groups, fc.nat(8), fc.nat(8), (block, noise, prefix, shared) => {
      const address = [...block.slice(0, shared), ...noise.slice(shared)];
      const expected = plain(address.slice(0, prefix)) === plain(block.slice(0, prefix));
      assert.equal(trustOf(`${plain(block)}/${prefix * 16}`)(plain(address)), expected);
    }),
    RUNS,
  );
});

test('a list of trusted proxies may hold single addresses, blocks, spaces and empty places', () => {
  const trust = trustOf(' 192.0.2.7 ,, 198.51.100.0/24,2001:db8::/32 , ::1,');
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
  assert.ok(trustOf('0.0.0.0/0')('203.0.113.1') && !trustOf('0.0.0.0/0')('2001:db8::1'));
  for (const list of ['', ' ', ',']) assert.ok(!trustOf(list)('127.0.0.1'));
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
      assert.throws(() => trustOf(list), { message: `${entry} is no address or CIDR block` }, list);
    }
  }
});

test('an IPv4 address is its own key', () => {
  fc.assert(
    fc.property(ipv4, (address) => assert.equal(addressKey(address), address)),
    RUNS,
  );
});

test('all spellings of one IPv6 address give one key, which is its /64', () => {
  fc.assert(
    fc.property(spelled, fc.constantFrom('', '%eth0', '%1'), ([eight, text], zone) => {
      assert.equal(isIP(text + zone), 6);
      assert.equal(addressKey(text + zone), plain(eight.slice(0, 4)), text + zone);
    }),
    { numRuns: 5_000 },
  );
});

test('an IPv6 address whose end is written like IPv4 has the same key', () => {
  fc.assert(
    fc.property(dotted, ([eight, text]) => {
      assert.equal(isIP(text), 6);
      assert.equal(addressKey(text), plain(eight.slice(0, 4)), text);
    }),
    RUNS,
  );
});

test('two IPv6 addresses have one key exactly when they share their /64', () => {
  fc.assert(
    fc.property(groups, groups, fc.nat(8), (one, noise, shared) => {
      const other = [...one.slice(0, shared), ...noise.slice(shared)];
      const same = plain(one.slice(0, 4)) === plain(other.slice(0, 4));
      assert.equal(addressKey(plain(one)) === addressKey(plain(other)), same);
    }),
    RUNS,
  );
});
