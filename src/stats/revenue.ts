// The revenue of a hit: an exact amount in a currency.
//
// Invariant: an amount is a whole number of the smallest unit of its currency, therefore sums have no rounding errors.
// Amounts in different currencies are never added. Sums below 2^53 of the smallest unit are exact, which is 90 trillion
// euros.
//
// Example: 19.99 EUR is stored as the text `EUR 1999`, and 150 JPY as `JPY 150`. Readers see `19.99` and `150`.
//
// classify/revenue.ts reads the amounts in messages and in imported files. Engines add up the amounts in the texts of
// hits. Test: test/stats/revenue.test.ts.

import { OTHER } from './dimensions.ts';

/** An amount in the smallest unit of its currency, such as cents. */
export type Money = { currency: string; amount: number };

/** Sums by currency. */
export type Amounts = Record<string, number>;

export const writeRevenue = ({ currency, amount }: Money): string => `${currency} ${amount}`;

/**
 * Reads a text that `writeRevenue` wrote. A hit without revenue has an empty text. An amount beyond the limit of a day
 * counts as 1 of the currency `(other)`. The sum of this currency is therefore the number of such hits.
 */
export function parseRevenue(text: string): Money | undefined {
  if (text === '') return undefined;
  if (text === OTHER) return { currency: OTHER, amount: 1 };
  const [, currency, amount] = /^([A-Z]{3}) (\d+)$/.exec(text) ?? [];
  return currency === undefined ? undefined : { currency, amount: Number(amount) };
}

/** An amount must be below this number of whole units, such as euros. */
export const AMOUNT_BELOW = 10_000_000;

/**
 * The currencies of ISO 4217, and a few that ended lately, by the digits of their smallest unit. The table is written
 * here, because programs disagree about some currencies. Another number of digits would change stored amounts.
 */
const BY_DIGITS: Record<number, string> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  2:
    'AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF ' +
    'CHW CNY COP COU CRC CUC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HRK HTG HUF ' +
    'IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN ' +
    'MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SLL SOS ' +
    'SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG ZWL',
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
};

const DIGITS = new Map(
  Object.entries(BY_DIGITS).flatMap(([digits, names]) =>
    names.split(' ').map((name) => [name, Number(digits)] as const),
  ),
);

export const CURRENCIES = [...DIGITS.keys()].sort();

export const isCurrency = (text: string): boolean => DIGITS.has(text);

/** Returns the number of digits of the smallest unit. Euros have 2 digits, because a cent is 0.01 euros. */
export const findDigits = (currency: string): number => DIGITS.get(currency) ?? 2;

/**
 * Reads an amount such as `19.99`. Returns undefined if the amount is no decimal number, is negative, is too high, or
 * has more digits than the currency.
 */
export function parseAmount(text: string, currency: string): number | undefined {
  const [, units, fraction = ''] = /^(\d{1,8})(?:\.(\d+))?$/.exec(text) ?? [];
  const digits = findDigits(currency);
  if (units === undefined || Number(units) >= AMOUNT_BELOW || fraction.length > digits) return undefined;
  return Number(`${units}${fraction.padEnd(digits, '0')}`);
}

/** Writes an amount with all digits of its currency. For example, 150 is `1.50` in EUR and `150` in JPY. */
export function writeAmount(amount: number, currency: string): string {
  const digits = findDigits(currency);
  if (digits === 0) return String(amount);
  const text = String(amount).padStart(digits + 1, '0');
  return `${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

/** Divides an amount by a number of visitors, and rounds half a unit up. Returns null if there are no visitors. */
export const divideAmount = (amount: number, visitors: number, currency: string): string | null =>
  visitors === 0 ? null : writeAmount(Math.floor((2 * amount + visitors) / (2 * visitors)), currency);

export function addAmounts(sums: Amounts, more: Amounts): void {
  for (const [currency, amount] of Object.entries(more)) sums[currency] = (sums[currency] ?? 0) + amount;
}

/** Adds the second list of sums to the first list, entry by entry. */
export function addAllAmounts(sums: Amounts[], more: readonly Amounts[]): void {
  for (const [i, amounts] of more.entries()) {
    sums[i] ??= {};
    addAmounts(sums[i], amounts);
  }
}

/**
 * The counts of a totals-only day have 32 bits. An amount of money may need more, therefore it is stored as two counts.
 */
export const HALF = 2 ** 32;

type AmountCount = { event: string; value: string; visitors: number; hits: number };

/** Writes amounts of money as counts of a totals-only day. */
export const writeAmountCounts = (sums: Amounts): AmountCount[] =>
  Object.entries(sums).map(([value, amount]) => ({
    ...{ event: '', value, visitors: Math.floor(amount / HALF), hits: amount % HALF },
  }));

export const readAmountCounts = (counts: readonly AmountCount[]): Amounts =>
  Object.fromEntries(counts.map(({ value, visitors, hits }) => [value, visitors * HALF + hits]));
