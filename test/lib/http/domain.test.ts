import assert from 'node:assert/strict';
import { isIP } from 'node:net';
import { test } from 'node:test';
import fc from 'fast-check';
import { Domain, Email, readDomain } from '../../../src/lib/http/fields.ts';
import { anyText } from '../../support/text.ts';
import { RUNS, sentence, taken } from './taken.ts';

test('a domain is taken in lower case and ASCII', () => {
  const domains: [string, string][] = [
    ['example.com', 'example.com'],
    ['Stats.EXAMPLE.com', 'stats.example.com'],
    ['müller.example', 'xn--mller-kva.example'],
    ['MÜLLER.example', 'xn--mller-kva.example'],
    ['xn--mller-kva.example', 'xn--mller-kva.example'],
    ['faß.example', 'xn--fa-hia.example'],
    ['пример.испытание', 'xn--e1afmkfd.xn--80akhbyknj4f'],
    ['例え.テスト', 'xn--r8jz45g.xn--zckzah'],
    ['localhost', 'localhost'],
    ['LocalHost', 'localhost'],
    ['app.localhost', 'app.localhost'],
    ['1.example', '1.example'],
    ['a-b--c.example', 'a-b--c.example'],
    ['4chan.org', '4chan.org'],
    [`${'a'.repeat(63)}.example`, `${'a'.repeat(63)}.example`],
  ];
  for (const [typed, domain] of domains) assert.equal(taken(Domain, typed), domain, typed);
});

test('a scheme, port, path, query, user or space makes it no domain', () => {
  const wrong = [
    ...[
      'https://example.com',
      'example.com:80',
      'example.com:',
      'example.com/',
      'example.com/a',
      '//example.com',
      'example.com?a',
    ],
    ...[
      'example.com#a',
      'user@example.com',
      'user:password@example.com',
      ' example.com',
      'example.com ',
      'exa mple.com',
    ],
    ...[
      'example.com\n',
      'example\u0000.com',
      'exa\tmple.com',
      'exa%6Dple.com',
      'example。com\\',
      '*.example.com',
      'a_b.example',
    ],
    ...['example,com', "o'hara.example", 'example.com;', '<b>.example', '\u202eexample.com', 'ex\u00adample.com'],
  ];
  for (const typed of wrong) assert.equal(taken(Domain, typed), undefined, JSON.stringify(typed));
});

test('an IP address is no domain, in any of the ways in which URLs write one', () => {
  const wrong = [
    ...[
      '1.2.3.4',
      '127.0.0.1',
      '0x7f.1',
      '0x7f000001',
      '0177.0.0.1',
      '2130706433',
      '127.1',
      '1e3.5',
      '1.2.3',
      '1.2.3.4.5',
    ],
    ...[
      'example.1',
      'example.0x1',
      '1.2.3.٤',
      '１.２.３.４',
      '①.②.③.④',
      '[::1]',
      '::1',
      '2001:db8::1',
      '::ffff:1.2.3.4',
      '0x.0x',
    ],
  ];
  for (const typed of wrong) assert.equal(taken(Domain, typed), undefined, typed);
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), fc.ipV4Extended(), fc.ipV6()), (address) => {
      assert.equal(readDomain(address), undefined, address);
    }),
    RUNS,
  );
});

test('a bare word, an empty label and a hyphen at either end of one are no domain', () => {
  const wrong = [
    ...[
      '',
      '.',
      '..',
      'example',
      'com',
      'local',
      'example.com.',
      '.example.com',
      'example..com',
      'localhost.',
      'xn--mller-kva',
    ],
    ...[
      '-example.com',
      'example-.com',
      'a.-b.com',
      'a.b-.com',
      'example.-com',
      'example.com-',
      '-.com',
      'xn--.com',
      'xn--a-.com',
    ],
  ];
  for (const typed of wrong) assert.equal(taken(Domain, typed), undefined, typed);
});

test('a label has at most 63 characters and a domain 253, both as ASCII', () => {
  assert.equal(taken(Domain, `${'a'.repeat(64)}.example`), undefined);
  // Each "ü" takes more than one character in ASCII.
  assert.equal(taken(Domain, `${'ü'.repeat(63)}.example`), undefined);
  const long = `${`${'a'.repeat(49)}.`.repeat(5)}com`;
  assert.equal(long.length, 253);
  assert.equal(taken(Domain, long), long);
  assert.equal(taken(Domain, `a${long}`), undefined);
  assert.equal(taken(Domain, `${`${'a'.repeat(48)}.`.repeat(5)}info.de`)?.length, 252);
});

const label = fc.oneof(
  fc.stringMatching(/^[a-zA-Z0-9-]{1,8}$/),
  fc.string({
    unit: fc.constantFrom('ü', 'ß', 'İ', 'ς', '例', 'ا', 'ー', '\u200d', '\u0301', 'a', '-', '1', 'Å', '。'),
    minLength: 1,
    maxLength: 6,
  }),
  fc.constantFrom('xn--mller-kva', 'xn--', 'xn--a', 'localhost', '0x1', '1'),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 4 }),
);

const nearlyDomain = fc.array(label, { minLength: 1, maxLength: 4 }).map((labels) => labels.join('.'));

test('what is taken as a domain is a host name that is taken again unchanged', () => {
  let names = 0;
  fc.assert(
    fc.property(fc.oneof(nearlyDomain, fc.domain(), anyText()), (typed) => {
      const domain = readDomain(typed);
      if (domain === undefined) return;
      names++;
      assert.equal(readDomain(domain), domain);
      assert.equal(taken(Domain, domain), domain);
      assert.match(domain, /^(?=.{1,253}$)(localhost|[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63})+)$/);
      assert.doesNotMatch(domain, /(^|\.)-|-(\.|$)/);
      assert.equal(isIP(domain), 0);
      assert.equal(new URL(`http://${domain}/`).host, domain);
    }),
    { numRuns: 5_000 },
  );
  assert.ok(names > 1_000, `only ${names} were taken`);
});

test('every host name that the URL standard knows is a domain', () => {
  fc.assert(
    fc.property(fc.domain(), (name) => assert.equal(taken(Domain, name), name.toLowerCase())),
    RUNS,
  );
});

test('what is no text is refused with the same help as what is no domain', () => {
  for (const value of [undefined, null, 1, true, {}, [], ['example.com'], new String('example.com')]) {
    assert.equal(sentence(Domain, value), sentence(Domain, 'no domain'));
    assert.equal(sentence(Email, value), sentence(Email, 'no address'));
  }
});
