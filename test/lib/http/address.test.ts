import assert from 'node:assert/strict';
import { SocketAddress } from 'node:net';
import { test } from 'node:test';
import fc from 'fast-check';
import { findClientAddress, readAddressList } from '../../../src/lib/http/address.ts';
import { byte, groups, ipv4, plain, RUNS } from './addresses.ts';

const TRUSTED = readAddressList('10.0.0.0/8, 127.0.0.1, fd00::/8, ::1');
const NOBODY = readAddressList('');
const trustedIpv4 = fc.tuple(byte, byte, byte).map((bytes) => `10.${bytes.join('.')}`);

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

test('a socket that is not trusted is the client, whatever it forwards', () => {
  fc.assert(
    fc.property(stranger, forged, (socket, header) => {
      assert.equal(findClientAddress(socket, header.join(','), TRUSTED), socket);
    }),
    RUNS,
  );
});

test('without trusted proxies X-Forwarded-For is ignored', () => {
  fc.assert(
    fc.property(fc.oneof(stranger, trusted), fc.option(fc.string(), { nil: undefined }), (socket, header) => {
      assert.equal(findClientAddress(socket, header, NOBODY), socket);
    }),
    RUNS,
  );
  assert.equal(findClientAddress('127.0.0.1', '192.0.2.1', NOBODY), '127.0.0.1');
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
        assert.equal(findClientAddress(socket, header, TRUSTED), client);
      },
    ),
    { numRuns: 3_000 },
  );
});

test('where every hop is trusted, the farthest one is the client', () => {
  fc.assert(
    fc.property(trusted, fc.array(trusted, { maxLength: 4 }), (socket, hops) => {
      assert.equal(findClientAddress(socket, hops.join(', '), TRUSTED), hops[0] ?? socket);
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
        assert.equal(findClientAddress(socket, header, TRUSTED), hops[0] ?? socket);
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
        assert.equal(findClientAddress('10.0.0.1', `6.6.6.6, ${hop}`, readAddressList('10.0.0.1')), address);
    }),
    RUNS,
  );
});

test('the last group of an IPv6 address without brackets is not taken for a port', () => {
  assert.equal(findClientAddress('::1', '2001:db8::1:8080', TRUSTED), '2001:db8::1:8080');
});

/** Both in a socket and in a header. */
function assertUnmapped(client: string, spelling: string): void {
  assert.equal(findClientAddress(spelling, undefined, TRUSTED), client, spelling);
  assert.equal(
    findClientAddress('::ffff:10.0.0.1', `6.6.6.6, ${spelling}, ::ffff:10.0.0.2`, TRUSTED),
    client,
    spelling,
  );
  assert.equal(findClientAddress('10.0.0.1', `[${spelling}]:443`, TRUSTED), client, spelling);
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
  assert.equal(findClientAddress('', '192.0.2.1', TRUSTED), '');
  assert.equal(findClientAddress('', '192.0.2.1', readAddressList('0.0.0.0/0,::/0')), '');
});
