// The actions of a visit of Matomo that become events, with their revenue.
//
// Example: an order of 19.99 euros becomes the event `Order` with this revenue. An event of the category "Video" and the
// action "Play" becomes the event `Video: Play`. matomo.ts calls these functions.

import { findDigits, isCurrency, parseAmount } from '../../stats/revenue.ts';
import { type JsonObject, readNumber, readText } from '../reading/json-objects.ts';
import { cutEvent } from '../reading/texts.ts';

/** Gives undefined for an action that is no event. */
export function findEvent(action: JsonObject): { event: string; label: string } | undefined {
  const type = readText(action.type);
  if (type === 'goal') return readNumber(action.revenue) > 0 ? readConversion(action) : undefined;
  return Object.hasOwn(EVENTS, type) ? EVENTS[type]?.(action) : undefined;
}

const LONGEST_LABEL = 200;

const readLabel = (value: unknown): string => [...readText(value)].slice(0, LONGEST_LABEL).join('');
const eventName = ({ eventCategory, eventAction }: JsonObject): string =>
  cutEvent([eventCategory, eventAction].map(readText).filter(Boolean).join(': ')) || '(unnamed)';

/** The actions that become events, on the page that was viewed before. */
const EVENTS: Record<string, (action: JsonObject) => { event: string; label: string }> = {
  event: (action) => ({ event: eventName(action), label: readLabel(action.eventName) }),
  download: ({ url }) => ({ event: 'Download', label: readLabel(url) }),
  outlink: ({ url }) => ({ event: 'Outbound link', label: readLabel(url) }),
  search: ({ siteSearchKeyword }) => ({ event: 'Search', label: readLabel(siteSearchKeyword) }),
  // The number of an order could lead to a person, so it is not kept.
  ecommerceOrder: () => ({ event: 'Order', label: '' }),
};

/** Only a conversion that has revenue is an event. daybook finds the others in pages and events. */
const readConversion = ({ goalName }: JsonObject) => ({
  event: cutEvent(readText(goalName)) || '(unnamed)',
  label: '',
});

/**
 * Reads the revenue of an order or a conversion, as JSON. Matomo computes amounts with rounding errors, so they are
 * rounded to the digits of the currency. Gives undefined for an amount or a currency that daybook does not know.
 */
export function readRevenue({ type, revenue }: JsonObject, { siteCurrency }: JsonObject): string | undefined {
  const currency = readText(siteCurrency);
  if (!isCurrency(currency) || (type !== 'goal' && type !== 'ecommerceOrder')) return undefined;
  const amount = readNumber(revenue).toFixed(findDigits(currency));
  return parseAmount(amount, currency) === undefined ? undefined : JSON.stringify({ amount, currency });
}

/** Why other types of actions are skipped. */
export const SKIPPED: ReadonlyMap<string, string> = new Map([
  ['goal', 'conversions of goals without revenue (daybook counts them from the imported pages and events)'],
  ['ecommerceAbandonedCart', 'abandoned carts'],
]);
