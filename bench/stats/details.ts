// What a site tells of its hits beyond the page: host names, places, properties, revenue and depth. With these, every
// column of a day is filled.
import { draw } from './dice.ts';

export type Props = { plan: string; seats: string; item: string };

/** The values of each detail. The most frequent value comes first. */
const WORDS = {
  host: ['example.com', 'docs.example.com', 'shop.example.com', 'blog.example.com'],
  plan: ['free', 'starter', 'pro', 'team', 'enterprise'],
  seats: Array.from({ length: 30 }, (_, i) => `${i + 1}`),
  item: Array.from({ length: 500 }, (_, i) => `item-${i}`),
};
const REGIONS = 12;
const CITIES = 400;
/** The share of visitors with a known country whose place is known. */
const PLACED = 0.9;
/** The share of pageviews whose depth is known, of pageviews whose seconds are known. */
const DEEP = 0.9;
const EVENT_WITH_REVENUE = 'purchase';
const LARGEST_CENTS = 50_000;

export function details(roll: () => number, countries: readonly string[]) {
  const pick = Object.fromEntries(Object.entries(WORDS).map(([name, words]) => [name, draw(words, roll)])) as Record<
    keyof typeof WORDS,
    () => string
  >;
  // Each city is in one region. The cities of a country share its regions.
  const cities = new Map(
    countries.map((country) => [
      country,
      draw(
        Array.from({ length: CITIES / 20 }, (_, i) => `${country}-${(i % REGIONS) + 1} City ${i + 1}`),
        roll,
      ),
    ]),
  );

  return {
    host: pick.host,
    /** The region and the city of a visitor, or nothing. */
    place(country: string | undefined): { region?: string; city?: string } {
      const city = roll() < PLACED ? cities.get(country ?? '')?.() : undefined;
      return city === undefined ? {} : { region: city.slice(0, city.indexOf(' ')), city };
    },
    /** What an event tells. Amounts are in cents. */
    tell(event: string): { props: Props; cents?: number } {
      const props = { plan: pick.plan(), seats: pick.seats(), item: pick.item() };
      return event === EVENT_WITH_REVENUE ? { props, cents: 100 + Math.floor(LARGEST_CENTS * roll() ** 4) } : { props };
    },
    /** How far a page was seen, in percent. Most pages are seen to a quarter or to the end. */
    depth(): number | undefined {
      if (roll() >= DEEP) return undefined;
      return roll() < 0.2 ? 100 : 10 + Math.floor(90 * roll() ** 2);
    },
  };
}
