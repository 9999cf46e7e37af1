import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readQuery } from '../../../src/lib/http/input.ts';
import { anyText } from '../../support/text.ts';
import { fieldsOf, RUNS, refused } from './problems.ts';

test('a query string that URLSearchParams wrote is read back', () => {
  const word = fc.oneof(
    anyText(),
    fc.constantFrom('', '__proto__', 'constructor', 'filters[page]', 'a&b', 'a=b', '+', '%41', '?'),
  );
  fc.assert(
    fc.property(fc.dictionary(word, word), (record) => {
      const read = readQuery(new URLSearchParams(Object.entries(record)).toString());
      assert.deepEqual(Object.entries(read), Object.entries(record));
    }),
    RUNS,
  );
});

test('a query string may hold brackets, empty values, names alone and empty places', () => {
  assert.deepEqual(readQuery(''), {});
  assert.deepEqual(readQuery('&&'), {});
  assert.deepEqual(readQuery('range=7d&filters[page]=/a&filters%5Bsource%5D='), {
    range: '7d',
    'filters[page]': '/a',
    'filters[source]': '',
  });
  assert.deepEqual(readQuery('a&b=&c=d=e&'), { a: '', b: '', c: 'd=e' });
  assert.deepEqual(readQuery('a=1+2%2B3&b%20c=%C3%BC'), { a: '1 2+3', 'b c': 'ü' });
  // Decoded once.
  assert.deepEqual(readQuery('a=%2541'), { a: '%41' });
});

test('a parameter that comes twice is refused by its name, however it is spelled', () => {
  for (const raw of ['a=1&a=1', 'a=1&b=2&a=3', 'a=&%61=', 'a&a', 'a=1&a=%']) {
    assert.deepEqual(
      refused(() => readQuery(raw)),
      { a: 'This appears more than once.' },
      raw,
    );
  }
  const fields = refused(() => readQuery('__proto__=1&__proto__=2'));
  assert.deepEqual(Object.entries(fields), [['__proto__', 'This appears more than once.']]);
  assert.deepEqual(
    refused(() => readQuery('b+c=1&b%20c=2')),
    { 'b c': 'This appears more than once.' },
  );
});

test('a broken percent escape is refused by the name of its parameter', () => {
  for (const value of ['%', '%4', '%zz', '100%', '%C3', '%C3%28', '%ff', '%ED%A0%80', '%E0%80%AF']) {
    assert.deepEqual(
      refused(() => readQuery(`a=1&b%20c=${value}`)),
      { 'b c': 'Has an invalid percent escape, such as %zz.' },
      value,
    );
    assert.deepEqual(
      refused(() => readQuery(`a=1&${value}=1`)),
      { [value]: 'Has an invalid percent escape, such as %zz.' },
      value,
    );
  }
});

test('no text makes queryOf throw anything but a 422 that names one field', () => {
  const piece = fc.constantFrom(
    'a',
    'b',
    '=',
    '&',
    '%',
    '%41',
    '%C3%BC',
    '%C3',
    '+',
    '[',
    ']',
    '__proto__',
    '\ud800',
    'ü',
    '\u0000',
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.array(piece).map((all) => all.join('')),
        anyText(),
      ),
      (raw) => {
        try {
          readQuery(raw);
        } catch (error) {
          assert.equal(Object.keys(fieldsOf(error)).length, 1);
        }
      },
    ),
    { numRuns: 5_000 },
  );
});

test('a query string has at most 200 names, and the first one beyond is refused', () => {
  const write = (count: number) => Array.from({ length: count }, (_, n) => `n${n}=1`).join('&');
  assert.equal(Object.keys(readQuery(write(200))).length, 200);
  const refusal = { n200: 'A request must have at most 200 parameters.' };
  assert.deepEqual(
    refused(() => readQuery(write(201))),
    refusal,
  );
  assert.deepEqual(
    refused(() => readQuery(write(4_000), () => true)),
    refusal,
    'lists too',
  );
  const list = readQuery('a=1&'.repeat(4_000), () => true);
  assert.equal(list.a?.length, 4_000, 'values of one list are no names');
});
