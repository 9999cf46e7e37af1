import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { countBits, joinPlanes, packBits, splitPlanes, unpackBits } from '../../../src/ledger/column/bits.ts';
import { share } from '../../support/helpers.ts';

test('bits: a code needs as many bits as its dictionary has values for', () => {
  const cases = [
    [1, 1],
    [2, 1],
    [3, 2],
    [4, 2],
    [5, 3],
    [256, 8],
    [257, 9],
    [65_536, 16],
    [65_537, 17],
  ] as const;
  for (const [values, bits] of cases) assert.equal(countBits(values), bits, `${values} values`);
});

test('bits: codes of any width come back, also those that end in the next word', () => {
  const widths = fc.integer({ min: 1, max: 24 });
  const property = fc.property(
    widths.chain((bits) => fc.tuple(fc.constant(bits), fc.array(fc.nat(2 ** bits - 1), { maxLength: 200 }))),
    ([bits, codes]) => {
      const packed = packBits(Uint32Array.from(codes), bits);
      assert.deepEqual([...unpackBits(packed, codes.length, bits)], codes);
      assert.ok(packed.byteLength <= Math.ceil((codes.length * bits) / 32) * 4 + 4);
    },
  );
  fc.assert(property, { numRuns: share(400) });
});

test('bits: numbers come back from their planes, of which there are as few as the largest needs', () => {
  const property = fc.property(
    fc.constantFrom(1, 255, 256, 65_535, 65_536, 2 ** 32 - 1).chain((most) => fc.array(fc.nat(most), { minLength: 1 })),
    (numbers) => {
      const planes = splitPlanes(Uint32Array.from(numbers));
      assert.deepEqual([...joinPlanes(planes)], numbers);
      assert.equal(planes.length, Math.max(1, Math.ceil(Math.log2(Math.max(...numbers) + 1) / 8)));
    },
  );
  fc.assert(property, { numRuns: share(400) });
});
