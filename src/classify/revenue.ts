// Reads the revenue of a message or of a line of a file: an amount with a currency.
//
// Invariant: servers and files get an error that names what is wrong. From a browser only sound revenue is taken,
// because nobody reads an error there.
//
// Example: `{ "amount": "19.99", "currency": "eur" }` gives the text `EUR 1999`. With 1.999, the error says that euros
// have two digits. collect/payload.ts and exchange/reading/file-hits.ts read revenue with these functions. Test:
// test/collect/revenue.test.ts.
import * as v from 'valibot';
import { fault } from '../lib/http/fault.ts';
import { AMOUNT_BELOW, findDigits, isCurrency, parseAmount, writeRevenue } from '../stats/revenue.ts';
import { describeIssue, parseObject } from './json-object.ts';

/** The code of a currency. Lower case is accepted too. */
export const Currency = v.pipe(
  v.string(fault('no_currency')),
  v.toUpperCase(),
  v.check(isCurrency, fault('no_currency')),
  v.metadata({ format: 'currency' }),
);

const Amount = v.union([v.string(), v.pipe(v.number(), v.finite())], fault('no_amount', { below: AMOUNT_BELOW }));

/** Far below the smallest unit of any currency, and far above the errors of computed numbers. */
const NOISE = 1e-7;

/**
 * Writes an amount as a decimal text. Code computes prices such as 3 × 19.95, and the result is 59.849999999999994.
 * Such a number counts as 59.85. Otherwise the order would have no revenue. A text stays as it is.
 */
function writeTyped(amount: string | number, digits: number): string {
  if (typeof amount === 'string') return amount;
  const rounded = Number(amount.toFixed(digits));
  return String(Math.abs(rounded - amount) < NOISE ? rounded : amount);
}

/**
 * The revenue of a hit. It becomes the text that is stored, such as `EUR 1999`. A server gets an error that names what
 * is wrong.
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

/** Reads the revenue of a browser's message. Malformed revenue is left out, because the hit itself is right. */
export function readSoundRevenue(typed: unknown): string | undefined {
  const read = v.safeParse(Revenue, typed);
  return read.success ? read.output : undefined;
}

/** Reads the revenue of a hit in a file, which is JSON as in a message. Gives what is wrong if it cannot be read. */
export function readFileRevenue(json: string): { revenue: string; fault?: never } | { revenue?: never; fault: string } {
  const read = v.safeParse(Revenue, parseObject(json));
  if (read.success) return { revenue: read.output };
  return { fault: describeIssue(read.issues[0]) };
}
