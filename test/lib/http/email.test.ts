import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Email } from '../../../src/lib/http/fields.ts';
import { anyText } from '../../support/text.ts';
import { taken } from './taken.ts';

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
    fc.property(fc.oneof(nearly, anyText(), fc.emailAddress()), (typed) => {
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
