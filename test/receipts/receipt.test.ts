import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import * as v from 'valibot';
import { isReceipt } from '../../src/receipts/form.ts';
import { Receipt } from '../../src/receipts/receipt.ts';

const DIGEST = 'a'.repeat(64);
const TIME = '2026-01-05T23:01:00Z';
const SOUND: Receipt = {
  ...{ format: 1, site: 'example.com', date: '2026-01-05', sequence: 2, previous: DIGEST, replaces: 1 },
  ...{
    reason: 'exclusion',
    kind: 'hits',
    digest: DIGEST,
    dropped: 3,
    imports: [4],
    exclusions: [{ id: 4, visits: 1 }],
  },
  ...{
    figures: { visitors: 1, visits: 2, pageviews: 3, events: 0 },
    outages: [{ from: TIME, to: TIME, reason: 'down' }],
  },
  ...{ zone: 'Europe/Berlin', sealed_at: TIME, key: 'k'.repeat(43), signature: 's'.repeat(86) },
  former_signature: 's'.repeat(86),
};

/** Values that some field may have, and others that no field may have. */
const VALUES = [
  ...[
    null,
    undefined,
    0,
    1,
    -1,
    1.5,
    2 ** 53,
    true,
    '',
    'a b',
    'a\nb',
    '2026-01-05',
    TIME,
    DIGEST,
    `${DIGEST}a`,
    'hits',
    'down',
  ],
  ...[[], {}, [0], [null], [{}], [{ id: 1, visits: 1, more: 1 }], [{ id: 1 }], 'k'.repeat(43), 's'.repeat(86)],
  ...[[{ from: TIME, to: TIME, reason: 'late' }], { visitors: 1 }, { ...SOUND.figures, more: 1 }],
];

test('receipt: the check of the form accepts what the schema of the API accepts, and nothing else', () => {
  assert.ok(isReceipt(SOUND));
  const name = fc.constantFrom(...Object.keys(SOUND), 'more');
  const accepted = new Set<boolean>();
  fc.assert(
    fc.property(name, fc.oneof(fc.constantFrom(...VALUES), fc.anything()), fc.boolean(), (field, value, isRemoved) => {
      const { [field as keyof Receipt]: _, ...others } = SOUND;
      const receipt = isRemoved ? others : { ...SOUND, [field]: value };
      accepted.add(isReceipt(receipt));
      assert.equal(isReceipt(receipt), v.is(Receipt, receipt), JSON.stringify([field, value]));
    }),
    { numRuns: 2_000 },
  );
  assert.equal(accepted.size, 2);
  for (const value of VALUES) assert.equal(isReceipt(value), v.is(Receipt, value));
});
