import assert from 'node:assert/strict';
import { isIP } from 'node:net';
import { test } from 'node:test';
import fc from 'fast-check';
import * as v from 'valibot';
import { Day, Domain, domainOf, Email, PositiveId, Switch, text } from '../../src/lib/fields.ts';
import { isDay } from '../../src/lib/time.ts';

const RUNS = { numRuns: 2_000 };
const anyText = fc.string({ unit: 'binary' });

/** What a schema makes of a value, and undefined where it refuses. */
function taken<S extends v.GenericSchema>(schema: S, value: unknown): v.InferOutput<S> | undefined {
  const result = v.safeParse(schema, value);
  return result.success ? result.output : undefined;
}

/** The one sentence with which a schema refuses. */
function sentence(schema: v.GenericSchema, value: unknown): string {
  const { issues } = v.safeParse(schema, value);
  return issues?.[0].message ?? assert.fail(`${JSON.stringify(value)} was taken`);
}

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
      assert.equal(domainOf(address), undefined, address);
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
    fc.property(fc.oneof(nearlyDomain, fc.domain(), anyText), (typed) => {
      const domain = domainOf(typed);
      if (domain === undefined) return;
      names++;
      assert.equal(domainOf(domain), domain);
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

test('an e-mail address is taken in lower case', () => {
  assert.equal(taken(Email, 'Ann.O-Neil+News@Mail.Example.COM'), 'ann.o-neil+news@mail.example.com');
  assert.equal(taken(Email, "o'hara_1@example.com"), "o'hara_1@example.com");
  assert.equal(taken(Email, 'root@localhost'), 'root@localhost');
});

test('nothing that could begin another header or recipient is an e-mail address', () => {
  const wrong = [
    ...[
      'a@example.com\r\nBcc: b@example.com',
      'a@example.com\n',
      '\na@example.com',
      'a\r@example.com',
      'a@example.com\u2028',
      'a@exa\u2029mple.com',
    ],
    ...[
      'a@example.com\u0085',
      'a@example.com\u0000',
      'a@example.com,b@example.com',
      'a@example.com;b@example.com',
      'a@example.com b@example.com',
    ],
    ...[
      'Ann <ann@example.com>',
      '<ann@example.com>',
      '"Ann" ann@example.com',
      'ann@example.com (Ann)',
      'ann(home)@example.com',
      '"ann b"@example.com',
    ],
    ...[
      '"ann"@example.com',
      'mailto:ann@example.com',
      'ann@[192.0.2.1]',
      'a@b@example.com',
      ' a@example.com',
      'a@example.com ',
      'a\t@example.com',
    ],
  ];
  for (const typed of wrong) assert.equal(taken(Email, typed), undefined, JSON.stringify(typed));
});

test('an e-mail address is ASCII and has two sides', () => {
  const wrong = [
    '',
    '@',
    'a',
    'a@',
    '@example.com',
    'a@.com',
    'a@example.',
    'a@example..com',
    'ä@example.com',
    'a@müller.example',
    'ａ@example.com',
    'a@ex_ample.com',
  ];
  for (const typed of wrong) assert.equal(taken(Email, typed), undefined, typed);
});

test('an e-mail address has at most 254 characters, 64 of them before the @', () => {
  const domain = `${`${'b'.repeat(46)}.`.repeat(4)}c`;
  assert.equal(`${'a'.repeat(64)}@${domain}`.length, 254);
  assert.ok(taken(Email, `${'a'.repeat(64)}@${domain}`));
  assert.equal(taken(Email, `${'a'.repeat(64)}@${domain}c`), undefined);
  assert.equal(taken(Email, `${'a'.repeat(65)}@example.com`), undefined);
  assert.equal(taken(Email, `a@${'b'.repeat(64)}.com`), undefined);
});

test('whatever is taken as an e-mail address is one plain word around one @', () => {
  const nearly = fc
    .array(
      fc.oneof(
        fc.stringMatching(/^[a-zA-Z0-9]{1,3}$/),
        fc.constantFrom('@', '.', '-', '+', ' ', ',', ';', '<', '>', '"', '(', ')', '\\', ':', '\r', '\n', 'ſ', 'K'),
      ),
    )
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(fc.oneof(nearly, anyText, fc.emailAddress()), (typed) => {
      const address = taken(Email, typed);
      if (address === undefined) return;
      assert.match(address, /^[^\s@,;:<>()[\]"\\\p{C}\p{Z}\P{ASCII}A-Z]+@[a-z0-9.-]+$/u);
      assert.ok(address.length <= 254);
      assert.equal(taken(Email, address), address);
    }),
    { numRuns: 5_000 },
  );
});

test('every ordinary e-mail address is taken', () => {
  fc.assert(
    fc.property(fc.emailAddress(), (address) => {
      fc.pre(address.length <= 254);
      assert.equal(taken(Email, address), address.toLowerCase());
    }),
    { numRuns: 1_000 },
  );
});

test('text is counted in code points, so that an emoji is one character', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 200 }), fc.constantFrom('a', 'ü', '😀', '\u{10ffff}', '\u0000'), (n, one) => {
      assert.equal(taken(text(n), one.repeat(n)), one.repeat(n));
      assert.equal(sentence(text(n), one.repeat(n + 1)), `Must have at most ${n} characters.`);
    }),
    RUNS,
  );
});

test('text is taken as it came or refused', () => {
  const pieces = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('\ud83d', '\ude00', ' ', '\r\n'));
  fc.assert(
    fc.property(
      fc.array(pieces).map((all) => all.join('')),
      fc.integer({ min: 1, max: 10 }),
      (value, n) => {
        const points = Array.from(value).length;
        const isGood = points >= 1 && points <= n && Buffer.from(value, 'utf8').toString('utf8') === value;
        assert.equal(taken(text(n), value), isGood ? value : undefined);
      },
    ),
    { numRuns: 5_000 },
  );
});

test('half a surrogate pair and no text at all are refused with their reason', () => {
  for (const half of ['\ud83d', '\ude00', 'a\ud83db', '\ude00\ud83d']) {
    assert.equal(sentence(text(10), half), 'Must be well-formed Unicode.');
  }
  assert.equal(sentence(text(10), ''), 'Must not be empty.');
  for (const value of [undefined, null, 1, [], {}]) assert.equal(sentence(text(10), value), 'Must be text.');
});

test('an id is a positive whole number that JSON carries exactly', () => {
  for (const id of [1, 2, Number.MAX_SAFE_INTEGER]) assert.equal(taken(PositiveId, id), id);
  const wrong = [
    0,
    -0,
    -1,
    1.5,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    Number.MAX_SAFE_INTEGER + 1,
    '1',
    1n,
    true,
    null,
    [1],
  ];
  for (const value of wrong) assert.equal(taken(PositiveId, value), undefined, String(value));
});

test('a day is one that exists, and a switch is true or false', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^\d{4}-\d\d-\d\d$/), (day) => {
      assert.equal(taken(Day, day), isDay(day) ? day : undefined);
    }),
    { numRuns: 1_000 },
  );
  for (const value of ['2026-02-29', '2026-1-1', '', 20_260_101, null]) {
    assert.equal(sentence(Day, value), 'Must be a day such as 2026-01-31.');
  }
  assert.deepEqual([taken(Switch, true), taken(Switch, false)], [true, false]);
  for (const value of [0, 1, 'true', '', null]) assert.equal(sentence(Switch, value), 'Must be true or false.');
});
