import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type JsonObject, jsonObjects } from '../../../src/exchange/reading/json-objects.ts';

function objectsIn(chunks: readonly Buffer[]): [JsonObject, line: number][] {
  const found: [JsonObject, number][] = [];
  const reader = jsonObjects((...one) => void found.push(one));
  for (const chunk of chunks) reader.feed(chunk);
  reader.end();
  return found;
}

test('objects are found wherever a chunk is cut and whatever their texts hold, each with its line', () => {
  const object = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 });
  fc.assert(
    fc.property(
      fc.array(object, { maxLength: 4 }),
      fc.constantFrom(0, 2),
      fc.integer({ min: 1, max: 9 }),
      (all, indent, size) => {
        const text = JSON.stringify(all, null, indent);
        const bytes = Buffer.from(text);
        const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
          bytes.subarray(i * size, (i + 1) * size),
        );
        const found = objectsIn(chunks);
        assert.deepEqual(
          found.map(([one]) => JSON.stringify(one)),
          all.map((one) => JSON.stringify(one)),
        );
        let line = indent === 0 ? 1 : 2;
        for (const [i, one] of all.entries()) {
          assert.equal(found[i]?.[1], line);
          line += indent === 0 ? 0 : JSON.stringify(one, null, indent).split('\n').length;
        }
      },
    ),
  );
});

test('an object that never ends is refused before it fills the memory', () => {
  const chunk = Buffer.from(`{"a":"${'x'.repeat(1024 * 1024)}`);
  assert.throws(() => objectsIn(Array.from({ length: 6 }, () => chunk)), /must have at most 4194304 characters/);
  assert.throws(() => objectsIn([Buffer.from('{"a":1}}')]), /^.*line 1: must be JSON objects, not "}"$/);
});
