import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  computeKeyedNumber,
  hashSecret,
  makeLinkSecret,
  makeNumberKey,
  makeRandomText,
  makeTokenSecret,
  makeTypedCode,
  parseToken,
  type Random,
} from '../../src/lib/secrets.ts';
import { anyText } from '../support/text.ts';

const RUNS = { numRuns: 1_000 };
const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Random bytes that come from the seed which a failure prints. */
const random = fc.infiniteStream(fc.integer({ min: 0, max: 255 })).map(
  (bytes): Random =>
    (length) =>
      Buffer.from([...bytes.take(length)]),
);

const secret = random.map(makeTokenSecret);
const id = fc.integer({ min: 1, max: 999_999_999_999_999 });

test('each letter and digit is equally likely', () => {
  const everyByte = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
  const text = makeRandomText(() => everyByte, 248);
  for (const letter of LETTERS) assert.equal(text.split(letter).length - 1, 4, letter);
  // 248 characters from one round of all bytes: eight of them were thrown away.
  assert.equal(text.length, 248);
});

test('bytes above the last whole multiple of 62 are thrown away, however many come', () => {
  const rounds = [Buffer.alloc(3, 255), Buffer.from([248, 61, 255]), Buffer.from([0, 62, 247])];
  assert.equal(
    makeRandomText(() => rounds.shift() ?? Buffer.alloc(0), 3),
    'z00',
  );
  assert.equal(rounds.length, 0);
});

test('a code that is typed has six digits, each equally likely', () => {
  const bytes = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
  const text = makeRandomText(() => bytes, 250, '0123456789');
  for (const digit of '0123456789') assert.equal(text.split(digit).length - 1, 25, digit);
  fc.assert(
    fc.property(random, (bytes) => assert.match(makeTypedCode(bytes), /^\d{6}$/)),
    RUNS,
  );
});

test('random text has exactly the length that was asked for', () => {
  fc.assert(
    fc.property(random, fc.nat(100), (bytes, length) => {
      assert.match(makeRandomText(bytes, length), new RegExp(`^[0-9A-Za-z]{${length}}$`));
    }),
    RUNS,
  );
});

test('two secrets from different bytes are different, and each byte counts', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 43, maxLength: 43, max: 247 }), fc.nat(42), (bytes, place) => {
      const other = Buffer.from(bytes);
      other[place] = ((other[place] ?? 0) + 1) % 248;
      assert.notEqual(
        makeLinkSecret(() => other),
        makeLinkSecret(() => Buffer.from(bytes)),
      );
    }),
    RUNS,
  );
});

test('a link secret is 43 letters and digits', () => {
  fc.assert(
    fc.property(random, (bytes) => assert.match(makeLinkSecret(bytes), /^[0-9A-Za-z]{43}$/)),
    RUNS,
  );
});

test('a token that was made parses back', () => {
  fc.assert(
    fc.property(id, secret, (number, made) => {
      assert.match(made, /^dbk_[0-9A-Za-z]{40}[0-9a-f]{8}$/);
      assert.deepEqual(parseToken(`${number}|${made}`), { id: number, secret: made });
    }),
    RUNS,
  );
});

test('the checksum is the CRC-32 of the 40 characters in lower-case hex', () => {
  const text = '0'.repeat(40);
  // By zlib, in python3: format(zlib.crc32(b'0' * 40), '08x').
  assert.equal(
    makeTokenSecret(() => Buffer.alloc(40)),
    `dbk_${text}963fbb8e`,
  );
});

test('a secret in which any one character is another is refused', () => {
  const unit = fc.oneof(fc.constantFrom(...LETTERS, '_', '|'), anyText({ minLength: 1, maxLength: 1 }));
  fc.assert(
    fc.property(secret, fc.nat(51), unit, (made, place, letter) => {
      fc.pre(letter !== made[place]);
      assert.equal(parseToken(`1|${made.slice(0, place)}${letter}${made.slice(place + 1)}`), undefined);
    }),
    { numRuns: 5_000 },
  );
});

test('a secret with one character more or less, or with two neighbours swapped, is refused', () => {
  fc.assert(
    fc.property(secret, fc.nat(51), fc.constantFrom(...LETTERS), (made, place, letter) => {
      assert.equal(parseToken(`1|${made.slice(0, place)}${made.slice(place + 1)}`), undefined);
      assert.equal(parseToken(`1|${made.slice(0, place)}${letter}${made.slice(place)}`), undefined);
      const [one = '', other = ''] = [made[4 + (place % 39)], made[5 + (place % 39)]];
      fc.pre(one !== other);
      const swapped = made.slice(0, 4 + (place % 39)) + other + one + made.slice(6 + (place % 39));
      assert.equal(parseToken(`1|${swapped}`), undefined);
    }),
    RUNS,
  );
});

test('an id has no sign, no leading zero and at most 15 digits', () => {
  const made = makeTokenSecret((length) => Buffer.alloc(length, 7));
  for (const number of ['', '0', '01', '-1', '+1', '1.0', '1e3', ' 1', '1 ', '１', '1'.repeat(16)]) {
    assert.equal(parseToken(`${number}|${made}`), undefined, number);
  }
  assert.equal(parseToken(`${'9'.repeat(15)}|${made}`)?.id, 999_999_999_999_999);
  for (const text of [made, `1${made}`, `1||${made}`, `1|${made}\n`, `\n1|${made}`, `1|${made}|`]) {
    assert.equal(parseToken(text), undefined, text);
  }
});

test('no text makes parseToken throw', () => {
  const nearly = fc.tuple(fc.string(), secret, fc.string()).map(([before, made, after]) => `${before}|${made}${after}`);
  fc.assert(
    fc.property(fc.oneof(anyText(), nearly), (text) => {
      const parsed = parseToken(text);
      if (parsed) assert.equal(`${parsed.id}|${parsed.secret}`, text);
    }),
    { numRuns: 5_000 },
  );
});

test('what is stored of a secret is its SHA-256', () => {
  assert.equal(hashSecret('abc').toString('hex'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});

/** Of up to some thousand characters: longer and shorter ones follow each other. */
const lengthened = fc.tuple(anyText(), fc.integer({ min: 1, max: 400 })).map(([text, times]) => text.repeat(times));

test('the number of a text under a key is the first 53 bits of its HMAC', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 32, maxLength: 32 }),
      fc.array(lengthened, { minLength: 1 }),
      (bytes, texts) => {
        const key = makeNumberKey(bytes);
        for (const text of texts) {
          const digest = createHmac('sha256', bytes).update(text).digest('hex');
          const number = computeKeyedNumber(key, text);
          assert.ok(Number.isSafeInteger(number));
          assert.equal(BigInt(number), BigInt(`0x${digest}`) >> 203n);
        }
      },
    ),
    RUNS,
  );
});
