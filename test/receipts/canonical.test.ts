import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeCanonical } from '../../src/receipts/canonical.ts';

test('canonical JSON: members are sorted, nothing stands between them, and missing ones are left out', () => {
  const value = { b: [1, { z: null, y: true }], a: 'é"\n\u007f\u2028', c: undefined };
  assert.equal(writeCanonical(value), '{"a":"é\\"\\n\u007f\u2028","b":[1,{"y":true,"z":null}]}');
});

test('canonical JSON: the order of members does not matter, and that of lists does', () => {
  assert.equal(writeCanonical({ a: 1, b: 2 }), writeCanonical({ b: 2, a: 1 }));
  assert.notEqual(writeCanonical([1, 2]), writeCanonical([2, 1]));
});

test('canonical JSON: names with commas and odd texts are told apart', () => {
  const values = [
    { 'a,b': 1 },
    { a: 1, b: 1 },
    { b: 1, a: 1 },
    { 'a,b': 2, c: 1 },
    { a: 'x', 'b,c': '\\ " \u00e9' },
    {},
  ];
  for (const value of [...values, ...values]) {
    const sorted = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
    assert.equal(writeCanonical(value), JSON.stringify(Object.fromEntries(sorted)));
  }
  const own = JSON.parse('{"__proto__": {"b": 1}, "a": 2}');
  assert.equal(writeCanonical(own), '{"__proto__":{"b":1},"a":2}');
});
