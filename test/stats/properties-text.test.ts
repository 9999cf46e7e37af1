import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { capText } from '../../src/catalog/text-caps.ts';
import { OTHER } from '../../src/stats/dimensions.ts';
import { capProperties, type PropertyKind, readProperties, writeProperties } from '../../src/stats/properties.ts';

const name = fc.stringMatching(/^[a-z][a-z0-9_]{0,39}$/);
const value = fc.string({ minLength: 1, maxLength: 50, unit: 'grapheme' });

test('properties: their text is read as it was written, in any order of names', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.tuple(name, value), { selector: ([one]) => one }), (properties) => {
      const text = writeProperties(properties);
      assert.equal(writeProperties(properties.toReversed()), text);
      assert.deepEqual(new Map(readProperties(text)), new Map(properties));
    }),
  );
  assert.equal(writeProperties([['plan', '']]), '');
});

test('properties: a day has at most 100 names with 2,000 values each, and others are one', () => {
  const known = new Map<string, Set<string>>();
  const cap = (kind: PropertyKind, text: string): string => {
    const texts = known.get(kind) ?? new Set();
    known.set(kind, texts);
    const kept = capText(texts, kind, text);
    if (kept !== OTHER) texts.add(kept);
    return kept;
  };
  for (let i = 0; i < 300; i++) capProperties(writeProperties([[`name${i}`, 'x']]), cap);
  for (let i = 0; i < 5_000; i++) capProperties(writeProperties([['name0', `value${i}`]]), cap);
  assert.equal(known.get('property')?.size, 100);
  assert.equal(known.get('property name0')?.size, 2_000);
  assert.equal(capProperties('{"name0":"new","never":"a","nor":"b"}', cap), '{"(other)":"(other)","name0":"(other)"}');
});
