// Makes up the visitors of a site, as counts of profiles: visitors that have all their properties in common. A visitor
// may have several values of a dimension of hits, such as two host names.
import type { Dice, Weights } from '../../src/demo/dice.ts';
import type { ExplainDimension, ExplainKey } from '../../src/stats/explain-dimensions.ts';
import { isPropertyKey } from '../../src/stats/table-keys.ts';
import type { Kind } from './kinds.ts';

type VisitDimension = Exclude<ExplainDimension, 'hostname'>;
type HitKey = Exclude<ExplainKey, VisitDimension>;
/** The properties of hits that the made-up sites have. */
export const PROPERTY_KEYS = [
  'property:plan',
  'property:topic',
  'property:author',
  'property:item',
  'property:coupon',
] as const;
type HitValues = Partial<Record<HitKey, readonly string[]>>;
export type Profile = { visit: Record<VisitDimension, readonly string[]>; hits: HitValues };

/** Lists the values that a visitor has. Only of a dimension of hits, they may be several or none. */
export const listValues = (profile: Profile, key: ExplainKey): readonly string[] =>
  key === 'hostname' || isPropertyKey(key) ? (profile.hits[key] ?? []) : profile.visit[key];

/** The weights of profiles add up to 1. */
export type Site = { profiles: Profile[]; weights: number[] };

const PROFILES = 3_000;

/** Weights that fall as those of words in a text: the second has half of the first. */
const falling = (count: number, name: (rank: number) => string, power = 1): Weights<string> =>
  Array.from({ length: count }, (_, i) => [name(i + 1), 1 / (i + 1) ** power] as const);

type Agent = Pick<Record<VisitDimension, string>, 'device' | 'os' | 'browser'>;
const AGENTS: Weights<Agent> = [
  [{ device: 'Mobile', os: 'iOS', browser: 'Safari' }, 26],
  [{ device: 'Mobile', os: 'Android', browser: 'Chrome' }, 22],
  [{ device: 'Desktop', os: 'Windows', browser: 'Chrome' }, 17],
  [{ device: 'Desktop', os: 'macOS', browser: 'Chrome' }, 8],
  [{ device: 'Desktop', os: 'macOS', browser: 'Safari' }, 6],
  [{ device: 'Desktop', os: 'Windows', browser: 'Edge' }, 5],
  [{ device: 'Mobile', os: 'Android', browser: 'Samsung' }, 4],
  [{ device: 'Desktop', os: 'Windows', browser: 'Firefox' }, 3],
  [{ device: 'Tablet', os: 'iPadOS', browser: 'Safari' }, 2],
  [{ device: 'Desktop', os: 'Linux', browser: 'Chrome' }, 2],
  [{ device: 'Desktop', os: 'Linux', browser: 'Firefox' }, 2],
];
const SCREENS: Record<string, Weights<string>> = {
  Mobile: [
    ['small', 3],
    ['medium', 1],
  ],
  Tablet: [['medium', 1]],
  Desktop: [
    ['large', 3],
    ['wide', 2],
    ['medium', 1],
  ],
};
const CHANNELS: Weights<string> = [
  ['Direct', 30],
  ['Organic search', 35],
  ['Referral', 15],
  ['Organic social', 10],
  ['Email', 6],
  ['Paid search', 4],
];
const SEARCH: Weights<string> = [
  ['Google', 80],
  ['Bing', 12],
  ['DuckDuckGo', 8],
];

/** Makes profiles whose properties depend on each other, as those of real visitors do. */
export function makeSite(dice: Dice, { countries = 40, pages = 100, sources = 40, isPlain = false }: Kind): Site {
  const own = {
    country: falling(countries, (rank) => `C${rank}`, 1.2),
    entry: falling(pages, (rank) => `/page-${rank}`),
    source: falling(sources, (rank) => `site-${rank}.example`),
  };
  const profiles = Array.from({ length: PROFILES }, () => ({
    visit: inLists(makeVisit(dice, own)),
    hits: isPlain ? { hostname: ['example.com'] } : makeHits(dice),
  }));
  const parts = profiles.map(() => 0.2 - Math.log(1 - dice.roll()));
  const sum = parts.reduce((all, part) => all + part, 0);
  return { profiles, weights: parts.map((part) => part / sum) };
}

/** Each value is a list of one, so that all values are read alike. */
const inLists = (visit: Record<VisitDimension, string>): Profile['visit'] =>
  Object.fromEntries(Object.entries(visit).map(([name, value]) => [name, [value]])) as unknown as Profile['visit'];

type Choices = Record<'country' | 'entry' | 'source', Weights<string>>;

function makeVisit(dice: Dice, choices: Choices): Record<VisitDimension, string> {
  const country = dice.pick(choices.country);
  const channel = dice.pick(CHANNELS);
  const agent = dice.pick(AGENTS);
  const region = `${country}-${1 + Math.floor(6 * dice.roll() ** 2)}`;
  return {
    ...agent,
    ...{ country, channel, region, city: `${region}-${1 + Math.floor(4 * dice.roll() ** 2)}` },
    language: dice.chance(0.85) ? `l${country}` : 'en',
    screen: dice.pick(SCREENS[agent.device] ?? []),
    entry: dice.pick(choices.entry),
    ...makeSource(dice, channel, choices),
  };
}

type Source = Pick<Record<VisitDimension, string>, 'source' | 'utm_source' | 'utm_medium' | 'utm_campaign'>;

function makeSource(dice: Dice, channel: string, { source: referrers }: Choices): Source {
  const none = { source: '', utm_source: '', utm_medium: '', utm_campaign: '' };
  if (channel === 'Organic search') return { ...none, source: dice.pick(SEARCH) };
  if (channel === 'Referral') return { ...none, source: dice.pick(referrers) };
  if (channel === 'Organic social') return { ...none, source: dice.chance(0.6) ? 'Reddit' : 'Mastodon' };
  if (channel === 'Email') {
    return { ...none, utm_source: 'newsletter', utm_medium: 'email', utm_campaign: dice.chance(0.5) ? 'june' : 'may' };
  }
  if (channel === 'Paid search')
    return { source: 'Google', utm_source: 'google', utm_medium: 'cpc', utm_campaign: 'spring' };
  return none;
}

const HOSTS = falling(4, (rank) => `host-${rank}.example`);
const TOPICS = 40;
const AUTHORS = 12;
const PLANS = falling(5, (rank) => `plan-${rank}`);
const ITEMS = falling(300, (rank) => `item-${rank}`);
const COUPONS = falling(3, (rank) => `coupon-${rank}`);

/** A quarter of the visitors see a second host name, and some read two topics. An author writes about few topics. */
function makeHits(dice: Dice): HitValues {
  const topics = dice.chance(0.9) ? [pickTopic(dice), ...(dice.chance(0.3) ? [pickTopic(dice)] : [])] : [];
  const buys = dice.chance(0.15);
  return {
    hostname: unique([dice.pick(HOSTS), ...(dice.chance(0.25) ? [dice.pick(HOSTS)] : [])]),
    'property:plan': dice.chance(0.2) ? [dice.pick(PLANS)] : [],
    'property:topic': unique(topics.map((topic) => `topic-${topic}`)),
    'property:author': unique(topics.map((topic) => `author-${topic % AUTHORS}`)),
    'property:item': buys ? [dice.pick(ITEMS)] : [],
    'property:coupon': buys && dice.chance(0.4) ? [dice.pick(COUPONS)] : [],
  };
}

const pickTopic = (dice: Dice): number => Math.floor(TOPICS * dice.roll() ** 2);
const unique = (values: readonly string[]): string[] => [...new Set(values)];
