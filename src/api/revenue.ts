import * as v from 'valibot';
import { Currency } from '../classify/revenue.ts';
import { coded } from '../lang/coded.ts';
import { invalid } from '../lib/errors.ts';
import { needsCurrency } from '../stats/metrics.ts';
import type { Site } from '../store/sites/sites.ts';

export const CurrencyParameter = {
  currency: v.optional(v.pipe(Currency, v.description('Of the revenue, such as EUR'))),
};

/**
 * An amount of money as a decimal text, with all digits of its currency, such as `1.50`. The value is null if the
 * amount is unknown.
 */
export const Amount = v.nullable(v.pipe(v.string(), v.regex(/^\d+(?:\.\d+)?$/)));

type RevenueQuery = { metrics?: readonly string[] | undefined; currency?: string | undefined };

/**
 * Chooses the currency of a report: the currency that the query names, or else the currency of the sites. Returns
 * undefined if the query does not ask for revenue. Throws if the sites have different currencies and the query names
 * none.
 */
export function chooseCurrency(
  sites: readonly Pick<Site, 'currency'>[],
  { metrics = [], currency: named }: RevenueQuery,
): string | undefined {
  if (!metrics.some(needsCurrency)) {
    if (named !== undefined) throw invalid({ currency: coded('currency_alone') });
    return undefined;
  }
  if (named !== undefined) return named;
  const known = [...new Set(sites.flatMap(({ currency }) => currency || []))].sort();
  if (known.length > 1) throw invalid({ currency: coded('several_currencies', { known: known.join(', ') }) });
  const [currency] = known;
  if (currency === undefined) throw invalid({ currency: coded('currency_required') });
  return currency;
}
