// Makes a year of hits of a site. The numbers are the same in each run. Pages and sources are as unevenly distributed
// as on real sites, and days and weeks have their usual rhythm.

import { details, type Props } from './details.ts';
import { dice, draw, lottery } from './dice.ts';
import { dimensions } from './dimensions.ts';

/** A hit with the field names of the format ndjson, which daybook can import. */
export type Hit = {
  at: string;
  url: string;
  referrer?: string;
  event?: string;
  label?: string;
  visitor: string;
  country?: string;
  device: string;
  browser: string;
  browser_version: string;
  os: string;
  os_version: string;
  screen: string;
  language: string;
  /** For how many seconds the page was visible. Undefined if that is not known. */
  engaged?: number;
  /** How far the page was seen, in percent. Undefined if that is not known. */
  scroll?: number;
  props?: Props;
  /** Revenue in cents, always of one currency. */
  cents?: number;
  region?: string;
  city?: string;
};

export type Year = Readonly<{ hits: number; from: string; to: string }>;

export const SITE = 'example.com';
const DAYS = 365;
const DAY_MS = 86_400_000;
const SEED = 20_260_105;
/** Times on pages have random numbers of their own. So all other values are the same with and without them. */
const SEEN_SEED = SEED + 1;
/** So have the dimensions in dimensions.ts and the details in details.ts. */
const DIMENSIONS_SEED = SEED + 2;
const DETAILS_SEED = SEED + 3;
/** How much the traffic grows from the first day to the last. */
const GROWTH = 0.6;
const LONGEST_GAP = 1_800;
/** The share of visitors with an unknown country. */
const UNKNOWN = 0.02;
/** `TELLING` is the share of pageviews with known seconds. The next constant is the largest number of seconds. */
const TELLING = 0.7;
const LONGEST_SEEN = 600;

const list = (count: number, name: (i: number) => string): string[] => Array.from({ length: count }, (_, i) => name(i));

const TOPICS = ['guide', 'pricing', 'release-notes', 'how-to', 'case-study', 'interview', 'archive', 'reference'];
const page = (i: number): string => (i === 0 ? '/' : `/${TOPICS[i % TOPICS.length]}/article-${i}`);
const CODES =
  'US DE GB FR IN BR CA NL ES IT JP AU PL SE CH AT BE DK NO FI IE PT CZ GR HU RO BG HR SI SK LT LV EE UA TR IL AE SA EG ZA NG KE MA AR CL CO PE MX CN KR TW HK SG MY TH VN ID PH NZ PK';
const ENGINES = ['www.google.com', 'www.bing.com', 'duckduckgo.com', 'news.ycombinator.com', 'www.reddit.com'];
const SIGNS = ['signup', 'download', 'purchase', 'search', 'share', 'login', 'subscribe', 'play', 'outbound', 'error'];

/** The words of the site. The most frequent word comes first. */
const WORDS = {
  page: list(5_000, page),
  source: list(500, (i) => ENGINES[i] ?? `site-${i}.example`),
  country: CODES.split(' '),
  browser: 'Chrome Safari Firefox Edge Samsung Opera Brave Vivaldi DuckDuckGo Instagram Facebook Yandex'.split(' '),
  event: [...SIGNS, 'scroll', 'feedback'],
  label: list(50, (i) => `choice-${i}`),
  utm_source: list(20, (i) => (i === 0 ? 'newsletter' : `partner-${i}`)),
  utm_medium: ['email', 'social', 'cpc', 'banner', 'affiliate'],
  utm_campaign: list(40, (i) => `campaign-${i}`),
};

/** The systems of each device, the most frequent first. There are eight in all. */
const SYSTEMS: readonly (readonly [device: string, share: number, systems: readonly string[]])[] = [
  ['Desktop', 0.54, ['Windows', 'macOS', 'Linux', 'ChromeOS', 'FreeBSD']],
  ['Mobile', 0.41, ['iOS', 'Android', 'KaiOS']],
  ['Tablet', 0.05, ['iOS', 'Android']],
];

/** How much of a day's traffic each hour has. The next list is for the days of a week, beginning with Sunday. */
const HOURS = [2, 1, 1, 1, 1, 2, 4, 6, 8, 10, 11, 11, 10, 11, 12, 12, 11, 10, 9, 9, 10, 9, 6, 4];
const WEEK = [0.7, 1.1, 1.15, 1.15, 1.1, 1, 0.75];

const dayText = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** Returns the 365 days that end yesterday. */
export function yearOf(hits: number, now: number): Year {
  const today = Math.floor(now / DAY_MS) * DAY_MS;
  return { hits, from: dayText(today - DAYS * DAY_MS), to: dayText(today - DAY_MS) };
}

/** Computes which share of the year's traffic each day has. */
const weigh = (begin: number, roll: () => number): number[] =>
  Array.from({ length: DAYS }, (_, day) => {
    const weekday = WEEK[new Date(begin + day * DAY_MS).getUTCDay()] ?? 1;
    return weekday * (1 + (GROWTH * day) / DAYS) * (0.9 + 0.2 * roll());
  });

/** Makes what draws the values of visitors, visits and hits. */
function chances(roll: () => number) {
  const pick = Object.fromEntries(Object.entries(WORDS).map(([name, words]) => [name, draw(words, roll)])) as Record<
    keyof typeof WORDS,
    () => string
  >;
  const { describe, tag } = dimensions(dice(DIMENSIONS_SEED), WORDS.country);
  const { place, ...more } = details(dice(DETAILS_SEED), WORDS.country);
  const systems = SYSTEMS.map(([, , names]) => draw(names, roll));
  const device = lottery(
    SYSTEMS.map(([, share]) => share),
    roll,
  );
  const visitor = (number: number) => {
    const kind = device();
    const who = describe({
      visitor: `v${number}`,
      ...(roll() >= UNKNOWN && { country: pick.country() }),
      device: SYSTEMS[kind]?.[0] ?? '',
      browser: pick.browser(),
      os: systems[kind]?.() ?? '',
    });
    return { ...who, ...place(who.country) };
  };
  return { ...more, pick, tag, visitor, hour: lottery(HOURS, roll) };
}

/** Makes the hits of the year, one day at a time. The hits of a day are in the order of time. */
export function* traffic({ hits, from }: Year): Generator<Hit[]> {
  const roll = dice(SEED);
  const rollSeen = dice(SEEN_SEED);
  const { pick, tag, host, tell, depth, hour, visitor: describe } = chances(roll);
  const clock = list(86_400, (second) => new Date(second * 1000).toISOString().slice(10, 19));
  const begin = Date.parse(from);
  const weights = weigh(begin, roll);
  const sum = weights.reduce((a, b) => a + b);

  let share = 0;
  let done = 0;
  for (const [day, weight] of weights.entries()) {
    share += weight / sum;
    const quota = (day === DAYS - 1 ? hits : Math.round(share * hits)) - done;
    done += quota;
    yield dayOf(dayText(begin + day * DAY_MS), quota);
  }

  function dayOf(date: string, quota: number): Hit[] {
    const timed: { second: number; hit: Hit }[] = [];
    for (let visitor = 1; timed.length < quota; visitor++) {
      const who = describe(visitor);
      let second = hour() * 3600 + Math.floor(roll() * 3600);
      const manners = roll();
      const visits = manners < 0.86 ? 1 : manners < 0.96 ? 2 : 3;
      for (let visit = 0; visit < visits && second < 86_400; visit++) {
        let path = pick.page();
        let query = '';
        if (roll() < 0.15) {
          query = `?utm_source=${pick.utm_source()}&utm_medium=${pick.utm_medium()}&utm_campaign=${pick.utm_campaign()}`;
        }
        query = tag(query);
        const isReferred = roll() < 0.6;
        const site = host();
        for (let first = true; timed.length < quota && second < 86_400; first = false) {
          const hit: Hit = { at: `${date}${clock[second]}Z`, url: `https://${site}${path}${query}`, ...who };
          if (first && isReferred) hit.referrer = `https://${pick.source()}/`;
          if (roll() < 0.05) {
            hit.event = pick.event();
            if (roll() < 1 / 3) hit.label = pick.label();
            Object.assign(hit, tell(hit.event));
          } else if (rollSeen() < TELLING) {
            hit.engaged = 1 + Math.floor(LONGEST_SEEN * rollSeen() ** 3);
            const scroll = depth();
            if (scroll !== undefined) hit.scroll = scroll;
          }
          timed.push({ second, hit });
          // Half of the visits end with their first hit. The others go on for a while.
          if (roll() < (first ? 0.5 : 0.32)) break;
          second += Math.floor((LONGEST_GAP + 1) * roll() ** 3);
          if (roll() < 0.85) path = pick.page();
          query = '';
        }
        second += LONGEST_GAP + 1 + Math.floor(roll() ** 2 * 20_000);
      }
    }
    return timed.sort((a, b) => a.second - b.second).map(({ hit }) => hit);
  }
}
