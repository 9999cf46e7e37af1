// More dimensions of visitors and visits than traffic.ts has, so that every column of a day is filled.
import { draw, lottery } from './dice.ts';

/** The words of each dimension. The most frequent word comes first, and the newest version comes first. */
const WORDS = {
  utm_term: Array.from({ length: 200 }, (_, i) => `term-${i}`),
  utm_content: Array.from({ length: 60 }, (_, i) => `banner-${i}`),
  click: ['gclid', 'fbclid', 'msclkid', 'ttclid', 'li_fat_id'],
  browser_version: Array.from({ length: 25 }, (_, i) => `${141 - i}`),
  os_version: Array.from({ length: 6 }, (_, i) => `${18 - i}`),
  language: 'en de fr es pt nl it ja pl sv zh ko tr ru ar cs da nb fi el hu ro'.split(' '),
};

/** For each device, the share of each class of screens. */
const SCREENS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  Desktop: { Tablet: 0.02, Laptop: 0.4, Desktop: 0.38, Wide: 0.2 },
  Mobile: { Mobile: 0.97, Tablet: 0.03 },
  Tablet: { Mobile: 0.05, Tablet: 0.8, Laptop: 0.15 },
};

/** The share of tagged visits that have a term. As many have a content. */
const WORDED = 0.6;
/** The share of visits with the click id of an ad. */
const CLICKED = 0.05;
/** The share of visitors with the language of their country. */
const LOCAL = 0.85;

type Known = { country?: string; device: string; browser: string; os: string };

export function dimensions(roll: () => number, countries: readonly string[]) {
  const pick = Object.fromEntries(Object.entries(WORDS).map(([name, words]) => [name, draw(words, roll)])) as Record<
    keyof typeof WORDS,
    () => string
  >;
  const languages = new Map(countries.map((country) => [country, pick.language()]));
  const screens = Object.fromEntries(
    Object.entries(SCREENS).map(([device, shares]) => {
      const place = lottery(Object.values(shares), roll);
      return [device, () => Object.keys(shares)[place()] ?? ''];
    }),
  );

  return {
    describe<Own extends Known>(known: Own) {
      const local = languages.get(known.country ?? '');
      return {
        ...known,
        browser_version: `${known.browser} ${pick.browser_version()}`,
        os_version: `${known.os} ${pick.os_version()}`,
        screen: screens[known.device]?.() ?? '',
        language: local && roll() < LOCAL ? local : pick.language(),
      };
    },
    /** Adds a term and a content to some tagged visits, and the click id of an ad to some visits. */
    tag(query: string): string {
      const isTagged = query !== '';
      const term = isTagged && roll() < WORDED ? `&utm_term=${pick.utm_term()}` : '';
      const content = isTagged && roll() < WORDED ? `&utm_content=${pick.utm_content()}` : '';
      const click = roll() < CLICKED ? `${isTagged ? '&' : '?'}${pick.click()}=1` : '';
      return `${query}${term}${content}${click}`;
    },
  };
}
