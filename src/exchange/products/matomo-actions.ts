// Turns actions of a visit in Matomo into events, with their revenue.
//
// Example: an order of 19.99 euros becomes the event `Order` with this revenue. An event of the category "Video" and
// the action "Play" becomes the event `Video: Play`. matomo.ts calls these functions.

import { findDigits, isCurrency, parseAmount } from '../../stats/revenue.ts';
import { type JsonObject, readNumber, readText } from '../reading/json-objects.ts';
import { cutEvent } from '../reading/texts.ts';

/** Makes an event of an action. Returns undefined if the action does not become an event. */
export function findEvent(action: JsonObject): { event: string; label: string } | undefined {
  const type = readText(action.type);
  if (type === 'goal') return readNumber(action.revenue) > 0 ? readConversion(action) : undefined;
  return Object.hasOwn(EVENTS, type) ? EVENTS[type]?.(action) : undefined;
}

const LONGEST_LABEL = 200;

const readLabel = (value: unknown): string => [...readText(value)].slice(0, LONGEST_LABEL).join('');
const eventName = ({ eventCategory, eventAction }: JsonObject): string =>
  cutEvent([eventCategory, eventAction].map(readText).filter(Boolean).join(': ')) || '(unnamed)';

/** The types of actions that always become events. A conversion (type `goal`) becomes an event only with revenue. */
const EVENTS: Record<string, (action: JsonObject) => { event: string; label: string }> = {
  event: (action) => ({ event: eventName(action), label: readLabel(action.eventName) }),
  download: ({ url }) => ({ event: 'Download', label: readLabel(url) }),
  outlink: ({ url }) => ({ event: 'Outbound link', label: readLabel(url) }),
  search: ({ siteSearchKeyword }) => ({ event: 'Search', label: readLabel(siteSearchKeyword) }),
  // The number of an order could identify a person, so it is not imported.
  ecommerceOrder: () => ({ event: 'Order', label: '' }),
};

/**
 * Makes an event of a conversion with revenue. Conversions without revenue are not imported, because daybook counts
 * them from the imported pages and events.
 */
const readConversion = ({ goalName }: JsonObject) => ({
  event: cutEvent(readText(goalName)) || '(unnamed)',
  label: '',
});

/**
 * Reads the revenue of an order or a conversion, as JSON. Matomo's amounts have rounding errors, so an amount is
 * rounded to the digits of its currency. Returns undefined if daybook does not know the currency or cannot store the
 * amount.
 */
export function readRevenue({ type, revenue }: JsonObject, { siteCurrency }: JsonObject): string | undefined {
  const currency = readText(siteCurrency);
  if (!isCurrency(currency) || (type !== 'goal' && type !== 'ecommerceOrder')) return undefined;
  const amount = readNumber(revenue).toFixed(findDigits(currency));
  return parseAmount(amount, currency) === undefined ? undefined : JSON.stringify({ amount, currency });
}

/** For a type of action, the reason why its actions are skipped if they do not become events. */
export const SKIPPED: ReadonlyMap<string, string> = new Map([
  ['goal', 'conversions of goals without revenue (daybook counts them from the imported pages and events)'],
  ['ecommerceAbandonedCart', 'abandoned carts'],
]);
