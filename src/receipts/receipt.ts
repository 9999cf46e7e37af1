// A receipt says what a site had counted on a day, and is signed by the server. docs/receipts.md describes each field.
//
// Invariant: the receipts of a site are a chain. They are numbered from 1, and `previous` is the hash of the receipt
// before. So nobody can change or remove a receipt without changing all later ones. If a day changes, one more receipt
// is made. The new receipt names the receipt that it replaces.
//
// Example: 12 October is sealed, and its receipt has the number 40. In December an import replaces the day. Receipt 95
// has the new figures, `replaces: 40` and the reason `import`.
//
// This file has the schema for the API. form.ts has the same form without a library, and test/receipts/receipt.test.ts
// compares both. catalog/receipts.ts makes receipts, check-chain.ts checks them, and api/receipts.ts lists them.

import * as v from 'valibot';
import { DATE, DIGEST, KEY, KINDS, NAME, OUTAGE_REASONS, REASONS, SIGNATURE, TIME } from './form.ts';

export type Reason = (typeof REASONS)[number];

export type Kind = (typeof KINDS)[number];

const Count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const Number1 = v.pipe(v.number(), v.safeInteger(), v.minValue(1));
const Digest = v.pipe(v.string(), v.regex(DIGEST));
const Key = v.pipe(v.string(), v.regex(KEY));
const Signature = v.pipe(v.string(), v.regex(SIGNATURE));
const Name = v.pipe(v.string(), v.regex(NAME));
const Time = v.pipe(v.string(), v.regex(TIME));

export const Receipt = v.strictObject({
  format: v.literal(1),
  site: Name,
  date: v.pipe(v.string(), v.regex(DATE)),
  sequence: Number1,
  previous: v.nullable(Digest),
  replaces: v.nullable(Number1),
  reason: v.picklist(REASONS),
  kind: v.picklist(KINDS),
  digest: Digest,
  figures: v.strictObject({ visitors: Count, visits: Count, pageviews: Count, events: Count }),
  dropped: Count,
  outages: v.array(v.strictObject({ from: Time, to: Time, reason: v.picklist(OUTAGE_REASONS) })),
  imports: v.array(Number1),
  exclusions: v.array(v.strictObject({ id: Number1, visits: Number1 })),
  zone: Name,
  sealed_at: Time,
  key: Key,
  signature: Signature,
  former_signature: v.nullable(Signature),
});
export type Receipt = v.InferOutput<typeof Receipt>;

/** A receipt before it is signed. */
export type Draft = Omit<Receipt, 'signature' | 'former_signature'>;

/** The keys of the server, with the times from when and until when each was used. The present key comes first. */
export const KeyList = v.object({
  keys: v.array(v.object({ key: Key, since: Time, until: v.nullable(Time) })),
});
export type KeyList = v.InferOutput<typeof KeyList>;
