import type { Dice, Weights } from '../../src/demo/dice.ts';
import type { Attribute } from '../../src/stats/visit-table.ts';

export type Seen = Record<Attribute, string>;

/** Makes weights that fall as those of words in a text: the second has half of the first, the third has a third. */
const falling = (count: number, name: (rank: number) => string, power = 1): Weights<string> =>
  Array.from({ length: count }, (_, i) => [name(i + 1), 1 / (i + 1) ** power] as const);

/** Makes a function that chooses one of many. The weights are added up only once. */
function chooser<T>({ roll }: Dice, weights: Weights<T>): () => T {
  let sum = 0;
  const ends = weights.map(([, weight]) => (sum += weight));
  return () => {
    const at = roll() * sum;
    let [low, high] = [0, ends.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ends[middle] as number) > at) high = middle;
      else low = middle + 1;
    }
    return (weights[low] as readonly [T, number])[0];
  };
}

type Agent = Pick<Seen, 'device' | 'browser' | 'os'>;

const agents = (text: string): Weights<Agent> =>
  text
    .trim()
    .split('\n')
    .map((line) => {
      const [weight = '', device = '', browser = '', os = ''] = line.trim().split(' ');
      return [{ device, browser, os }, Number(weight)] as const;
    });

const AGENTS = agents(`
  26 Mobile Safari iOS
  22 Mobile Chrome Android
  17 Desktop Chrome Windows
  8 Desktop Chrome macOS
  6 Desktop Safari macOS
  5 Desktop Edge Windows
  4 Mobile Samsung Android
  3 Desktop Firefox Windows
  2 Tablet Safari iPadOS
  2 Desktop Chrome Linux
  1.5 Desktop Firefox Linux
  1.2 Desktop Firefox macOS
  1 Mobile Firefox Android
  0.8 Desktop Opera Windows
  0.5 Tablet Chrome Android
`);

export const pageOf = (rank: number): string => `/page-${rank}`;
export const countryOf = (rank: number): string => `C${rank}`;

/** The value of the attribute `pageviews` for a visit with one page. */
export const ONE_PAGE = '1';

const PAGES = 3_000;
const SOURCES = 400;
const COUNTRIES = 80;

/**
 * Makes the visits of usual days of a site. Each day some visits go to a page, or come from a source, that was never
 * there before.
 */
export function siteOf(dice: Dice) {
  const page = chooser(dice, falling(PAGES, pageOf));
  const source = chooser(dice, [['', 3.5], ...falling(SOURCES, (rank) => `source-${rank}.example`)]);
  const country = chooser(dice, falling(COUNTRIES, countryOf, 1.2));
  const agent = chooser(dice, AGENTS);
  const pageviews = () => (dice.chance(0.55) ? ONE_PAGE : 'more');
  const somebody = (): Seen => ({
    source: source(),
    country: country(),
    entry: page(),
    pageviews: pageviews(),
    ...agent(),
  });
  let days = 0;
  return {
    somebody,
    agent,
    day(usual: number): Seen[] {
      const count = dice.near(usual * (0.85 + dice.roll() * 0.3));
      const fresh = String(++days);
      return Array.from({ length: count }, () => {
        const one = somebody();
        if (dice.chance(0.03)) one.entry = `/fresh-${fresh}`;
        if (dice.chance(0.01)) one.source = `fresh-${fresh}.example`;
        return one;
      });
    },
  };
}
export type Site = ReturnType<typeof siteOf>;
