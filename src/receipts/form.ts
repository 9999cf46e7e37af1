// The form of a receipt. This file uses no library, because verify.html must be small: the library valibot alone would
// be a sixth of it.
//
// Invariant: `isReceipt` accepts the same values as the schema `Receipt` (test/receipts/receipt.test.ts).
//
// Example: a receipt whose `sequence` is 0, or that has a further member, has a wrong form. check-chain.ts then reports
// `receipt_form`.

/** Why a receipt was made. `first` means that the day was sealed before the server made receipts. */
export const REASONS = [
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
/** What is stored of a day: hits, only sums, or nothing any more. */
export const KINDS = ['hits', 'sums', 'none'] as const;
export const OUTAGE_REASONS = ['down', 'refused'] as const;

export const DATE = /^\d{4}-\d\d-\d\d$/;
export const DIGEST = /^[\da-f]{64}$/;
export const KEY = /^[\w-]{43}$/;
export const SIGNATURE = /^[\w-]{86}$/;
/**
 * Matches the name of a site or of a time zone. Receipts may come from anybody, and the result of a check shows the
 * site's name. With a line break in the name, somebody could add a false line to the result. So blanks, line breaks and
 * control characters do not match.
 */
export const NAME = /^[^\s\p{C}]{1,255}$/u;
export const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

type Test = (value: unknown) => boolean;

const isCount: Test = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const isNumber1: Test = (value) => isCount(value) && value !== 0;
const isText =
  (pattern: RegExp): Test =>
  (value) =>
    typeof value === 'string' && pattern.test(value);
const isNullOr =
  (test: Test): Test =>
  (value) =>
    value === null || test(value);
const isOneOf =
  (list: readonly string[]): Test =>
  (value) =>
    list.includes(value as string);
const isListOf =
  (test: Test): Test =>
  (value) =>
    Array.isArray(value) && value.every(test);
const hasOnly =
  (tests: Record<string, Test>): Test =>
  (value) =>
    typeof value === 'object' &&
    value !== null &&
    Object.keys(value).length === Object.keys(tests).length &&
    Object.entries(tests).every(([name, test]) => test((value as Record<string, unknown>)[name]));

const TESTS: Record<string, Test> = {
  format: (value) => value === 1,
  site: isText(NAME),
  date: isText(DATE),
  sequence: isNumber1,
  previous: isNullOr(isText(DIGEST)),
  replaces: isNullOr(isNumber1),
  reason: isOneOf(REASONS),
  kind: isOneOf(KINDS),
  digest: isText(DIGEST),
  figures: hasOnly({ visitors: isCount, visits: isCount, pageviews: isCount, events: isCount }),
  dropped: isCount,
  outages: isListOf(hasOnly({ from: isText(TIME), to: isText(TIME), reason: isOneOf(OUTAGE_REASONS) })),
  imports: isListOf(isNumber1),
  exclusions: isListOf(hasOnly({ id: isNumber1, visits: isNumber1 })),
  zone: isText(NAME),
  sealed_at: isText(TIME),
  key: isText(KEY),
  signature: isText(SIGNATURE),
  former_signature: isNullOr(isText(SIGNATURE)),
};

/** Tells whether a value has the form of a receipt. */
export const isReceipt = hasOnly(TESTS);
