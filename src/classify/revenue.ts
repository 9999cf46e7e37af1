// Reads the revenue of a message or of a line of a file. Revenue is an amount with a currency.
//
// Invariant: for a hit from a website's server or from a file, the error names what is wrong. A browser gets no error,
// because nobody would read it. Wrong revenue in a browser's message is not stored.
//
// Example: `{ "amount": "19.99", "currency": "eur" }` gives the text `EUR 1999`. For the amount 1.999, the error says
// that euros have two digits. collect/payload.ts and exchange/reading/file-hits.ts read revenue with these functions.
// Test: test/collect/revenue.test.ts.
import * as v from 'valibot';
import { fault } from '../lib/http/fault.ts';
import { AMOUNT_BELOW, findDigits, isCurrency, parseAmount, writeRevenue } from '../stats/revenue.ts';
import { describeIssue, parseObject } from './json-object.ts';

/** The code of a currency, such as EUR. Lower case is accepted too. */
export const Currency = v.pipe(
  v.string(fault('no_currency')),
  v.toUpperCase(),
  v.check(isCurrency, fault('no_currency')),
  v.metadata({ format: 'currency' }),
);

const Amount = v.union([v.string(), v.pipe(v.number(), v.finite())], fault('no_amount', { below: AMOUNT_BELOW }));

/**
 * A computed number may differ from the true amount by less than this. This limit is far below the smallest unit of any
 * currency, and far above the errors of computing.
 */
const NOISE = 1e-7;

/**
 * Writes an amount as a decimal text. A program may compute 3 × 19.95, and the result is 59.849999999999994. Such a
 * number counts as 59.85. Otherwise, the hit would have no revenue. A text stays as it is.
 */
function writeTyped(amount: string | number, digits: number): string {
  if (typeof amount === 'string') return amount;
  const rounded = Number(amount.toFixed(digits));
  return String(Math.abs(rounded - amount) < NOISE ? rounded : amount);
}

/**
 * Checks the revenue of a hit, and writes the text that is stored, such as `EUR 1999`. The fault names what is wrong,
 * because a website's server gets the fault as an error.
 */
export const Revenue = v.pipe(
  v.strictObject({ amount: Amount, currency: Currency }, fault('no_revenue')),
  v.rawTransform(({ dataset: { value }, addIssue, NEVER }) => {
    const digits = findDigits(value.currency);
    const typed = writeTyped(value.amount, digits);
    const amount = parseAmount(typed, value.currency);
    if (amount !== undefined) return writeRevenue({ currency: value.currency, amount });
    const message = /^\d{1,7}\.\d+$/.test(typed)
      ? fault('too_many_digits', { most: digits, currency: value.currency })
      : fault('no_amount', { below: AMOUNT_BELOW });
    addIssue({
      message,
      path: [{ type: 'object', origin: 'value', input: value, key: 'amount', value: value.amount }],
    });
    return NEVER;
  }),
);

/** Reads the revenue of a browser's message. Revenue with a fault is dropped, but the hit itself is still counted. */
export function readSoundRevenue(typed: unknown): string | undefined {
  const read = v.safeParse(Revenue, typed);
  return read.success ? read.output : undefined;
}

/**
 * Reads the revenue of a hit in a file. The text is JSON, like the revenue in a message. If the revenue cannot be read,
 * returns what is wrong.
 */
export function readFileRevenue(json: string): { revenue: string; fault?: never } | { revenue?: never; fault: string } {
  const read = v.safeParse(Revenue, parseObject(json));
  if (read.success) return { revenue: read.output };
  return { fault: describeIssue(read.issues[0]) };
}
