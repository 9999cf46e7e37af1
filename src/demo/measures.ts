// What pages of the demo send in addition to the page or the event: depths, web vitals and properties.
//
// Each function computes a measure from a whole number, such as the number of the visitor. So equal numbers lead to
// equal measures. The functions take no random numbers from the dice of visits.ts (dice.ts). Otherwise, a change of
// these functions would also change the visits.
//
// Example: visitor 7 of bakery.ts orders with the properties pickup = delivery and payment = cash.
//
// past.ts and trickle.ts call these functions. Test: test/cli/demo.long.test.ts.

import { seeded } from '../lib/seeded.ts';
import type { Property } from '../stats/properties.ts';
import { packVitals } from '../stats/vitals.ts';
import type { Scenario } from './scenario.ts';
import type { Visit } from './visits.ts';

/** After this number of seconds on a page, a visitor has seen all of it. */
const READ_WHOLE = 240;

/**
 * Computes the percentage of a page that was seen. Visitors who stay longer see more. A long path means a long page.
 */
export function findDepth(page: string, engaged: number, number: number): number {
  const first = 62 - Math.min(page.length, 20) * 2;
  const read = Math.min(engaged / READ_WHOLE, 1) * (100 - first);
  return Math.min(100, Math.round(first + read + seeded(number)() * 12));
}

/**
 * Computes packed web vitals. Phones are slower, and pages with longer paths are heavier. Only Chromium measures all
 * values.
 */
export function findVitals(page: string, { device, browser }: { device: string; browser: string }, number: number) {
  const roll = seeded(number);
  const slow = (device === 'Mobile' ? 1.5 : 0.9) * (0.7 + page.length / 30);
  const vary = (mean: number): number => Math.round(mean * slow * (0.5 + roll() ** 2 * 1.8));
  const ttfb = vary(240);
  const fcp = ttfb + vary(700);
  const lcp = fcp + vary(600);
  const isFull = browser !== 'Safari' && browser !== 'Firefox';
  return packVitals({ ttfb, fcp, lcp, ...(isFull && { inp: vary(120), cls: vary(6) / 100 }) });
}

/** Chooses the properties of a hit. Visitors get the values of the scenario in turn. */
export function findProperties(
  { properties }: Scenario,
  { page, event }: Pick<Visit['hits'][number], 'page' | 'event'>,
  number: number,
): Property[] {
  const own = Object.entries(properties[event || page] ?? {});
  return own.map(([name, values], i) => [name, values[(number + i) % values.length] ?? '']);
}
