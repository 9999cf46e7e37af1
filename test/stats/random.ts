import fc from 'fast-check';
import { CHANNELS } from '../../src/classify/channel.ts';
import { OTHER } from '../../src/stats/dimensions.ts';
import { writeProperties } from '../../src/stats/properties.ts';
import { VITALS_BY } from '../../src/stats/vitals.ts';
import { type Hit, pageview, TODAY } from '../collect/stage.ts';
import { NOON } from '../support/helpers.ts';
import { asked, maybe, OF_PAGES, OF_VISITS, rowsWith, withCurrency } from './asked.ts';
import type { Draft } from './drafts.ts';
import { journeys } from './random-journeys.ts';
import { compare, interval, range } from './random-ranges.ts';
import { measured } from './random-vitals.ts';
import { labelled, zones } from './random-zones.ts';
import type { Crawl, Query, Target } from './visits.ts';

/** Texts that a store, a sort, a map or a query string may stumble over, each different from all others. */
const TEXTS = [
  'a',
  'A',
  'ab',
  'b',
  'a\0',
  'a\0b',
  '"quoted"',
  "o'hare; --",
  '100 % & more + =',
  '\uff5e',
  '\u{1f600}',
  '\u{10ffff}',
  '\u00e9',
  'e\u0301',
  '\u0301',
  '\ufeffbom',
  '__proto__',
  'constructor',
  '0',
  '(other)',
  `${'x'.repeat(119)}y`,
];
/** As long as a tag or a label may be; other words have no promised length. */
const LONG = 'l'.repeat(200);
const PAGES = ['/', '/a', '/A', '/b', '/a/b', '/%F0%9F%98%80', "/it's", `/${'p'.repeat(300)}`];
const EVENTS = ['signup', 'Signup', 'buy', '\u{1f600}', '__proto__', "o'hare\0", '(other)', 'e'.repeat(120)];
const SOURCES = [
  '',
  'x.org',
  'google.com',
  'youtube.com',
  'lm.facebook.com',
  'chatgpt.com',
  'xn--mnchen-3ya.de',
  '(other)',
];
const NEVER = 'never seen';
const CRAWLERS = ['gptbot', 'claudebot', 'ccbot', 'novaact'];

const among = fc.constantFrom<string[]>;
/** Mostly the same few, so that several filters at once still find something, and any of the others. */
const mostly = (usual: string[], others: readonly string[]) =>
  fc.oneof({ weight: 2, arbitrary: among(...usual) }, { weight: 1, arbitrary: among(...others) });
const many = mostly([''], [...TEXTS, LONG]);
const few = mostly(['', 'a'], TEXTS.slice(2, 12));
const page = mostly(['/', '/a', '/a', '/b'], [...PAGES, '(other)']);
const askedPage = mostly(['/', '/a', '/a', '/b'], [...PAGES, '/b/', '/a/b//', '/never']);
const event = mostly(['signup', 'signup', 'buy'], EVENTS);
const country = ['', 'DE', 'DE', 'DE', 'US', 'FR'];
const REGIONS = ['', 'DE-BE', 'DE-BE', 'US-CA', 'FR-75C'];
const device = ['', 'Desktop', 'Desktop', 'Desktop', 'Mobile', 'Tablet'];
const HOSTS = ['', 'example.com', 'www.example.com', 'www.example.com', 'xn--mnchen-3ya.example.com', '(other)'];
const LANGUAGES = ['', 'de', 'de', 'en', 'zgh'];
const source = mostly(['', 'x.org'], SOURCES);
const medium = mostly(['', 'a', 'cpc'], [...TEXTS.slice(2, 12), 'Email', 'organic', 'CPM', 'social', 'web push']);
const SCREENS = ['', 'Mobile', 'Laptop', 'Laptop'];

/** Some of a few properties, with values that are often equal. */
const properties = fc
  .record(
    {
      plan: mostly(['pro', 'free'], [...TEXTS.slice(2, 12), LONG]),
      theme: among('dark', 'light', '0'),
      count: among('1', '2', '3'),
      [OTHER]: among(OTHER),
    },
    { requiredKeys: [] },
  )
  .map((values) => writeProperties(Object.entries(values) as [string, string][]));

/** Most hits have none. Some amounts are of nothing, or were beyond the cap of a day. */
const revenue = mostly(
  ['', '', 'EUR 1999'],
  ['EUR 0', 'EUR 5', 'EUR 999999999', 'JPY 150', 'KWD 1001', 'USD 100', '(other)'],
);

/** What a hit says; an engagement message is told from it by its seconds. */
const said = fc.record({
  page,
  hostname: among(...HOSTS),
  event: fc.oneof({ weight: 3, arbitrary: fc.constant('') }, { weight: 2, arbitrary: event }),
  label: many,
  source,
  utm_source: few,
  utm_medium: medium,
  utm_campaign: many,
  utm_term: few,
  utm_content: few,
  country: among(...country),
  region: among(...REGIONS),
  city: few,
  device: among(...device),
  browser: fc.oneof(many, fc.constant('b'.repeat(300))),
  browser_version: few,
  os: few,
  os_version: few,
  screen: among(...SCREENS),
  language: among(...LANGUAGES),
  ad: among('', '', 'google', 'meta', 'tiktok', 'doubleclick'),
  properties,
  revenue,
});

/** Today ends now. */
const lastOf = (day: number): number => (day === TODAY ? NOON / 1000 - TODAY * 86_400 : 86_399);

/**
 * What one visitor does on one day, and how many seconds each message takes to arrive. Among the days are such on which clocks in
 * America are set forward and back.
 */
const visitorDay = fc
  .record({
    day: fc.constantFrom(
      TODAY,
      TODAY,
      TODAY,
      TODAY - 1,
      TODAY - 1,
      TODAY - 2,
      TODAY - 7,
      TODAY - 35,
      TODAY - 128,
      TODAY - 200,
    ),
    visitor: fc.constantFrom(0, 1, 2, 3, 2 ** 53 - 1),
    begin: fc.oneof(fc.constantFrom(0, 36_000, 42_899, 42_900, 43_199, 84_599, 86_399), fc.nat(86_399)),
    does: fc.array(
      fc.record({
        gap: fc.constantFrom(0, 0, 1, 30, 1_000, 1_799, 1_800, 1_801, 5_000),
        engaged: fc.constantFrom(null, null, null, 0, 30),
        scroll: fc.constantFrom(undefined, 0, 20, 75, 100),
        measured: fc.option(measured),
        delay: fc.constantFrom(0, 0, 0, 0, 1, 2_000, 20_000),
        said,
      }),
      { minLength: 1, maxLength: 7, size: 'max' },
    ),
  })
  .map(({ day, visitor, begin, does }) => {
    let second = begin;
    return does.map(({ gap, engaged, scroll, measured, delay, said }) => {
      second = Math.min(second + gap, lastOf(day));
      const none = { event: '', label: '', properties: '', revenue: '' };
      const { event, label, properties, revenue } = engaged === null ? said : none;
      const told = engaged === null ? {} : { ...(scroll !== undefined && { scroll }), ...(measured && { measured }) };
      const own = { event, label: event === '' ? '' : label, properties, revenue, ...told };
      const hit = pageview({ ...said, day, visitor, second, engaged, ...own });
      return { hit, arrival: day * 86_400 + second + delay };
    });
  });

const utcHits = fc.array(visitorDay, { maxLength: 40, size: 'max' }).map((days): Hit[] =>
  days
    .flat()
    .sort((one, other) => one.arrival - other.arrival)
    .map(({ hit }) => hit),
);

const crawls: fc.Arbitrary<Crawl[]> = fc.array(
  fc.record({ day: fc.constantFrom(TODAY, TODAY - 1, TODAY - 7), crawler: among(...CRAWLERS), page }),
  { maxLength: 20 },
);

const ofProperties = fc
  .option(fc.record({ name: among('plan', 'plan', 'theme', 'never'), value: among('pro', 'p*', '*', 'dark', '*r*') }), {
    nil: undefined,
    freq: 2,
  })
  .map((property) => property && { ...property });
const withProperty = (target: fc.Arbitrary<Target>): fc.Arbitrary<Target> =>
  fc.tuple(target, ofProperties).map(([one, property]) => (property ? { ...one, property } : one));

const target: fc.Arbitrary<Target> = withProperty(
  fc.oneof(
    fc.record({ type: fc.constant('page' as const), value: among('*', '/a*', '*b', '/*/*', '*a*', '/never*') }),
    fc.record({ type: fc.constant('page' as const), value: mostly(['/', '/a', '/b'], [...PAGES, '/never']) }),
    fc.record({ type: fc.constant('event' as const), value: mostly(['signup', 'buy'], [...EVENTS, NEVER]) }),
  ),
);

/** A goal of a page may have a depth. */
const goal: fc.Arbitrary<Target> = fc
  .tuple(target, fc.option(fc.constantFrom(1, 20, 75, 100), { nil: undefined, freq: 2 }))
  .map(([one, scroll]) => (scroll === undefined || one.type === 'event' ? one : { ...one, scroll }));

/** A site on whose first hits many visits depend: of those of today, so many have not come yet when it is first asked about. */
export const utcSite = fc.record({
  hits: utcHits,
  waiting: fc.nat(30),
  crawls,
  goals: fc.uniqueArray(goal, { maxLength: 5, selector: (one) => JSON.stringify(one) }),
  funnels: fc.array(
    fc.oneof(
      { weight: 3, arbitrary: fc.array(target, { minLength: 2, maxLength: 3 }) },
      { weight: 1, arbitrary: fc.array(target, { minLength: 2, maxLength: 8, size: 'max' }) },
    ),
    { minLength: 1, maxLength: 3 },
  ),
});

/** The same in any zones. */
export const site = fc
  .tuple(utcSite, zones)
  .map(([one, zones]) => ({ ...one, zones, hits: labelled(one.hits, zones) }));

/** Values for each filter: such as there are, such as there never were, and other ways to write them. */
const FILTERS: Record<string, fc.Arbitrary<string>> = {
  page: askedPage,
  entry: askedPage,
  exit: askedPage,
  hostname: among(...HOSTS, 'WWW.Example.com', 'münchen.example.com', NEVER),
  source: mostly(['', 'x.org', 'WWW.X.org'], [...SOURCES, 'never.example']),
  utm_source: fc.oneof(few, fc.constant(NEVER)),
  utm_medium: fc.oneof(medium, fc.constant(NEVER)),
  utm_campaign: many,
  utm_term: fc.oneof(few, fc.constant(NEVER)),
  utm_content: fc.oneof(few, fc.constant(NEVER)),
  country: among(...country, 'de', 'uS', 'ZZ'),
  region: among(...REGIONS, 'de-be', 'US-cA', 'AT-9'),
  city: fc.oneof(few, fc.constant(NEVER)),
  device: among(...device),
  browser: fc.oneof(many, fc.constant(NEVER)),
  browser_version: fc.oneof(few, fc.constant(NEVER)),
  os: fc.oneof(few, fc.constant(NEVER)),
  os_version: fc.oneof(few, fc.constant(NEVER)),
  screen: among(...SCREENS, 'Wide'),
  channel: among(...CHANNELS),
  language: among(...LANGUAGES, 'xx'),
  event: mostly(['signup', 'buy'], [...EVENTS, NEVER]),
  goal: among('0', '1', '2', '3', '4'),
  pageviews: mostly(['1', '2'], ['0', '3', '01', '4', '99']),
  'property:plan': mostly(['pro', 'free'], [...TEXTS.slice(2, 12), NEVER, LONG]),
  'property:theme': among('dark', 'light', '0', NEVER),
  'property:never': among('a'),
};

const ASKED = Object.fromEntries(Object.entries(FILTERS).map(([name, value]) => [name, asked(name, value)]));
/** Up to four filters, of those that are named. */
export const filtersAmong = (all: string[]): fc.Arbitrary<Query> => {
  const namesOf = (count: number) => fc.subarray(all, { minLength: count, maxLength: count });
  return fc
    .tuple(fc.oneof(...[0, 1, 1, 2, 2, 3, 4].map(namesOf)), fc.record(ASKED))
    .map(([names, queries]): Query => Object.assign({}, ...names.map((name) => queries[name])));
};
const filters = filtersAmong(Object.keys(FILTERS));

export const limit = maybe('limit', among('1', '2', '11', '100'));
const named = fc.record({ event: mostly(['signup', 'buy'], [...EVENTS, NEVER]) });

const ofProperty = fc
  .tuple(
    fc.record({ property: mostly(['plan', 'theme'], ['count', 'never', '(other)']) }),
    maybe('event', mostly(['signup', 'buy'], [...EVENTS, NEVER])),
  )
  .map(([one, other]): Query => ({ ...one, ...other }));

const search = mostly(['a', 'A', '/'], ['', 'b', '\u00c9', 'SIGN', '.', 'never', ...TEXTS.slice(0, 14)]);

const BREAKDOWNS =
  'entry_pages exit_pages referrers utm_source utm_medium utm_campaign utm_term utm_content countries regions cities devices browsers browser_versions operating_systems os_versions screens languages channels';

/** Asks for figures of money in one currency. */
export const money = (...metrics: string[]) => withCurrency(fc.record({ metrics: among(...metrics) }));

const FUNNELS = 'funnels/0 funnels/1 funnels/2';

export const asking = (weight: number, paths: string, ...more: fc.Arbitrary<Query>[]) => ({
  weight,
  arbitrary: fc
    .record({
      path: among(...paths.split(' ')),
      queries: fc.tuple(maybe('range', range), ...more),
      like: fc.option(fc.nat(1_000), { freq: 3 }),
    })
    .map(({ path, queries, like }): Draft => ({ path, query: Object.assign({}, ...queries), like })),
});

export const draft: fc.Arbitrary<Draft> = fc.oneof(
  asking(3, 'overview', filters, compare),
  asking(3, 'timeseries', filters, interval),
  asking(1, 'overview', filters, compare, fc.constant({ metrics: 'time_on_page' })),
  asking(2, 'overview', filters, compare, money('revenue', 'revenue,time_on_page')),
  asking(6, BREAKDOWNS.replaceAll(/\w+/g, 'breakdown/$&'), filters, limit, ...rowsWith(OF_VISITS, search)),
  asking(2, 'breakdown/pages breakdown/hostnames', filters, limit, ...rowsWith(OF_PAGES, search)),
  asking(1, 'breakdown/events', filters, limit, ...rowsWith(['count'], search)),
  asking(1, 'breakdown/event_labels', filters, limit, named, ...rowsWith(['count'], search)),
  asking(2, 'breakdown/properties', filters, limit, ...rowsWith(['count'], search)),
  asking(2, 'breakdown/property_values', filters, limit, ofProperty, ...rowsWith(['count'], search)),
  asking(3, 'vitals', filters, limit, maybe('by', among(...VITALS_BY))),
  asking(1, 'goals', filters),
  asking(1, 'goals', filters, money('revenue')),
  asking(1, FUNNELS, filters, money('revenue')),
  asking(1, FUNNELS, filters),
  asking(1, FUNNELS),
  asking(3, 'journeys', filters, ...journeys),
  asking(2, 'journeys', ...journeys),
  asking(1, 'realtime', filters),
  asking(2, 'live', filters),
  asking(1, 'bots', limit, maybe('crawler', among(...CRAWLERS))),
);
