import { findChannel } from '../../src/classify/channel.ts';
import type { Hit } from '../collect/stage.ts';
import { compareText, rounded } from './arithmetic.ts';
import { amountIn, sharedBy } from './money.ts';
import {
  type Counted,
  countedIn,
  distinct,
  eventsIn,
  type Filters,
  hitsIn,
  pageviewsIn,
  propertyOf,
  type Query,
  reaches,
  type Site,
  type Visit,
} from './visits.ts';

type Row = { value: string; visitors: number } & Record<string, string | number | null>;

/** What a row is about: visits with its value, and of these the hits that count. */
export type Group = {
  visits: readonly Visit[];
  hits: readonly Counted[];
  converted: readonly Counted[];
  currency: string;
};

/** A figure as a fraction, which is exact, and with how many decimals it is shown; null where nothing is known. */
export type Figure = { of: number; by: number; decimals: number; currency?: string } | null;

export const whole = (of: number): Figure => ({ of, by: 1, decimals: 0 });

const isBounce = ({ hits }: Visit): boolean => hits.length === 1 && hits[0].event === '';

function seenOf(hits: readonly Counted[]): Figure {
  const told = pageviewsIn(hits).filter(({ seen }) => seen > 0);
  return told.length === 0 ? null : { of: told.reduce((sum, { seen }) => sum + seen, 0), by: told.length, decimals: 0 };
}

function depthOf(hits: readonly Counted[]): Figure {
  const told = pageviewsIn(hits).flatMap(({ hit: { scroll } }) => (scroll === undefined ? [] : [scroll]));
  return told.length === 0 ? null : { of: told.reduce((sum, one) => sum + one, 0), by: told.length, decimals: 0 };
}

const inNumbers = (figure: Figure): number | null => figure && rounded(figure.of, figure.by, figure.decimals);

export const shown = (figure: Figure): number | string | null =>
  figure?.currency === undefined ? inNumbers(figure) : sharedBy(figure.of, figure.by, figure.currency);

export const timeOnPage = (counted: readonly Counted[]): number | null => inNumbers(seenOf(counted));

export const METRICS: Record<string, (group: Group) => Figure> = {
  visits: ({ visits }) => whole(visits.length),
  pageviews: ({ hits }) => whole(pageviewsIn(hits).length),
  bounce_rate: ({ visits }) => ({ of: 100 * visits.filter(isBounce).length, by: visits.length, decimals: 1 }),
  visit_duration: ({ visits }) => ({
    of: visits.reduce((sum, { hits, last }) => sum + last - hits[0].second, 0),
    by: visits.length,
    decimals: 0,
  }),
  time_on_page: ({ hits }) => seenOf(hits),
  scroll_depth: ({ hits }) => depthOf(hits),
  count: ({ hits }) => whole(hits.length),
  conversions: ({ converted }) => whole(converted.length),
  revenue: ({ hits, currency }) => ({ ...whole(amountIn(hits, currency)), currency }) as Figure,
  revenue_per_visitor: ({ hits, visits, currency }) => ({
    ...{ of: amountIn(hits, currency), by: distinct(visits), decimals: 0, currency },
  }),
  conversion_rate: ({ visits, converted }) => ({ of: 100 * distinct(converted), by: distinct(visits), decimals: 2 }),
};

/** Most first, and last what is not known. */
export function compare(one: Figure, other: Figure): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  return Number(BigInt(other.of) * BigInt(one.by) - BigInt(one.of) * BigInt(other.by));
}

/** So that no character means anything to a regular expression. */
const quoted = (text: string): string => [...text].map((c) => `\\u{${c.codePointAt(0)?.toString(16)}}`).join('');
const isAlike = (one: string, other: string): boolean => new RegExp(`^${quoted(one)}$`, 'iu').test(other);

/** Whether a text has another in it, letter by letter in upper or lower case. */
function contains(text: string, wanted: string): boolean {
  const [all, some] = [[...text], [...wanted]];
  return [...all, ''].some((_, from) => some.every((letter, i) => isAlike(letter, all[from + i] ?? '')));
}

const byVisit =
  (read: (first: Hit, last: Hit) => string) =>
  (visits: readonly Visit[]): Map<string, Visit[]> =>
    Map.groupBy(visits, ({ hits }) => read(hits[0], hits.at(-1) ?? hits[0]));

const VISITS: Record<string, ReturnType<typeof byVisit>> = {
  entry_pages: byVisit((first) => first.page),
  exit_pages: byVisit((_, last) => last.page),
  referrers: byVisit((first) => first.source),
  utm_source: byVisit((first) => first.utm_source),
  utm_medium: byVisit((first) => first.utm_medium),
  utm_campaign: byVisit((first) => first.utm_campaign),
  utm_term: byVisit((first) => first.utm_term),
  utm_content: byVisit((first) => first.utm_content),
  countries: byVisit((first) => first.country),
  regions: byVisit((first) => first.region),
  cities: byVisit((first) => first.city),
  devices: byVisit((first) => first.device),
  browsers: byVisit((first) => first.browser),
  browser_versions: byVisit((first) => first.browser_version),
  operating_systems: byVisit((first) => first.os),
  os_versions: byVisit((first) => first.os_version),
  screens: byVisit((first) => first.screen),
  languages: byVisit((first) => first.language),
  channels: byVisit(findChannel),
};

/** The hits by each name of their properties. */
function byName(counted: readonly Counted[]): Map<string, Counted[]> {
  const groups = new Map<string, Counted[]>();
  for (const one of counted) {
    for (const name of Object.keys(JSON.parse(one.hit.properties || '{}'))) {
      groups.set(name, [...(groups.get(name) ?? []), one]);
    }
  }
  return groups;
}

const HITS: Record<string, (counted: readonly Counted[], query: Query) => Map<string, Counted[]>> = {
  properties: byName,
  property_values: (counted, { property, event }) =>
    Map.groupBy(
      counted.filter(({ hit }) => event === undefined || hit.event === event),
      ({ hit }) => propertyOf(hit, String(property)) ?? '',
    ),
  pages: (counted) => Map.groupBy(pageviewsIn(counted), ({ hit }) => hit.page),
  hostnames: (counted) => Map.groupBy(pageviewsIn(counted), ({ hit }) => hit.hostname),
  events: (counted) => Map.groupBy(eventsIn(counted), ({ hit }) => hit.event),
  event_labels: (counted, { event }) =>
    Map.groupBy(
      eventsIn(counted).filter(({ hit }) => hit.event === event),
      ({ hit }) => hit.label,
    ),
};

/** Without an empty tag and an empty label. */
function groupsOf(site: Site, name: string, visits: readonly Visit[], filters: Filters, query: Query) {
  const goal = site.goals.find(({ id }) => id === Number(query.goal ?? site.mainGoal));
  const currency = String(query.currency ?? '');
  const groups = new Map<string, Group>();
  for (const [value, own] of VISITS[name]?.(visits) ?? []) {
    const converted = hitsIn(own).filter(({ hit }) => goal !== undefined && reaches(hit, goal));
    groups.set(value, { visits: own, hits: countedIn(own, filters), converted, currency });
  }
  for (const [value, hits] of HITS[name]?.(countedIn(visits, filters), query) ?? []) {
    groups.set(value, { visits: [...new Set(hits.map(({ visit }) => visit))], hits, converted: [], currency });
  }
  if (name.startsWith('utm_') || name === 'event_labels' || name === 'property_values') groups.delete('');
  return groups;
}

export function rowsOf(site: Site, name: string, visits: readonly Visit[], filters: Filters, query: Query): Row[] {
  const {
    metrics = '',
    sort,
    order,
    search = '',
    offset = 0,
    limit = 10,
  } = query as Record<string, string | undefined>;
  const names = metrics.split(',').filter((metric) => metric !== '');
  return [...groupsOf(site, name, visits, filters, query)]
    .filter(([value]) => contains(value, search))
    .map(([value, group]) => {
      const visitors = distinct(group.visits);
      const figures = Object.fromEntries(names.map((metric) => [metric, METRICS[metric]?.(group) ?? null]));
      const figure = sort === undefined ? whole(visitors) : (figures[sort] ?? null);
      const rank = figure !== null && order === 'asc' ? { ...figure, of: -figure.of } : figure;
      const shownFigures = Object.fromEntries(names.map((metric) => [metric, shown(figures[metric] ?? null)]));
      return { row: { value, visitors, ...shownFigures }, rank };
    })
    .sort((one, other) => compare(one.rank, other.rank) || compareText(one.row.value, other.row.value))
    .slice(Number(offset), Number(offset) + Number(limit))
    .map(({ row }) => row);
}
