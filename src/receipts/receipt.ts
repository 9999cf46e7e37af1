// A receipt says what a site had counted on a day, and is signed by the server. docs/receipts.md describes each field.
//
// Invariant: the receipts of a site are a chain. They are numbered from 1, and `previous` is the hash of the receipt
// before. So nobody can change or remove a receipt without changing all later ones. If a day changes, one more receipt
// is made. The new receipt names the receipt that it replaces.
//
// Example: 12 October is sealed, and its receipt has the number 40. In December an import replaces the day. Receipt 95
// has the new figures, `replaces: 40` and the reason `import`.
//
// catalog/receipts.ts makes receipts, check-chain.ts checks them, and api/receipts.ts lists them.

import * as v from 'valibot';
import { type Json, writeCanonical } from './canonical.ts';

/** Why a receipt was made. `first` means that the day was sealed before the server made receipts. */
const REASONS = [
  'first',
  'sealed',
  'late_hits',
  'import',
  'exclusion',
  'retention',
  'removed',
  'changed',
  'key',
] as const;
export type Reason = (typeof REASONS)[number];

/** What is stored of a day: hits, only sums, or nothing any more. */
const KINDS = ['hits', 'sums', 'none'] as const;
export type Kind = (typeof KINDS)[number];

const Count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const Number1 = v.pipe(v.number(), v.safeInteger(), v.minValue(1));
const Digest = v.pipe(v.string(), v.regex(/^[\da-f]{64}$/));
const Key = v.pipe(v.string(), v.regex(/^[\w-]{43}$/));
const Signature = v.pipe(v.string(), v.regex(/^[\w-]{86}$/));
/**
 * The name of a site. The receipts to check may come from anybody. The result of the check shows the name. So a name
 * must not contain text that looks like a line of the result, such as another key.
 */
const Name = v.pipe(v.string(), v.regex(/^[^\s\p{C}]{1,255}$/u));
const Time = v.pipe(v.string(), v.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/));

export const Receipt = v.strictObject({
  format: v.literal(1),
  site: Name,
  date: v.pipe(v.string(), v.regex(/^\d{4}-\d\d-\d\d$/)),
  sequence: Number1,
  previous: v.nullable(Digest),
  replaces: v.nullable(Number1),
  reason: v.picklist(REASONS),
  kind: v.picklist(KINDS),
  digest: Digest,
  figures: v.strictObject({ visitors: Count, visits: Count, pageviews: Count, events: Count }),
  dropped: Count,
  outages: v.array(v.strictObject({ from: Time, to: Time, reason: v.picklist(['down', 'refused']) })),
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

/** Writes the text that both signatures sign: all fields except the signatures. */
export function writeSigned(receipt: Draft | Receipt): string {
  const { signature: _, former_signature: __, ...draft } = receipt as Receipt;
  return writeCanonical(draft as Json);
}

/** Writes the text whose hash the next receipt contains: all fields, with the signatures. */
export const writeWhole = (receipt: Receipt): string => writeCanonical(receipt as Json);

/** The keys of the server, with the times from when and until when each was used. The present key comes first. */
export const KeyList = v.object({
  keys: v.array(v.object({ key: Key, since: Time, until: v.nullable(Time) })),
});
export type KeyList = v.InferOutput<typeof KeyList>;
