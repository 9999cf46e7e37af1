import { isCurrency, parseRevenue } from '../stats/revenue.ts';
import type { Db } from '../store/db.ts';
import type { CollectedSite } from '../store/sites/collected-sites.ts';
import { setFirstCurrency } from '../store/sites/currency.ts';

/**
 * Finds the currency that a hit sets for its site. Returns undefined if the site already has a currency, or if the hit
 * has no revenue.
 */
export const findFirstCurrency = (
  { currency }: Pick<CollectedSite, 'currency'>,
  { revenue }: { revenue: string },
): string | undefined => (currency === '' ? parseRevenue(revenue)?.currency : undefined);

/** Sets the currency of a site, after its first revenue. An unknown currency is ignored. */
export function noteFirstCurrency(db: Db, siteId: number, currency: string | undefined): void {
  if (currency === undefined || !isCurrency(currency)) return;
  try {
    db.write(() => setFirstCurrency(db, siteId, currency));
  } catch {
    // On a full disk, the currency cannot be written. The hit is already stored, and the next revenue sets the
    // currency.
  }
}
