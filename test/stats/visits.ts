import { findChannel } from '../../src/classify/channel.ts';
import { packVitals, type VitalValues } from '../../src/stats/vitals.ts';
import type { Hit } from '../collect/stage.ts';
import type { Zones } from './zones.ts';

export type Target = {
  type: 'page' | 'event';
  value: string;
  property?: { name: string; value: string } | undefined;
  scroll?: number | undefined;
};
export type Goal = Target & { id: number };
export type Funnel = { id: number; name: string; steps: Target[] };
export type Crawl = { day: number; crawler: string; page: string };
type Crawler = { id: string; name: string; operator: string; purpose: string };

/** Sets aside the visits that its filters select on some days, the last included; without one also on those to come. */
export type Exclusion = { id: number; first: number; last: number | null; filters: Filters };

/** What one site has; hits and crawls in the order in which they came in. */
export type Site = {
  hits: readonly Hit[];
  crawls: readonly Crawl[];
  goals: readonly Goal[];
  funnels: readonly Funnel[];
  crawlers: readonly Crawler[];
  /** UTC where none are named. */
  zones?: Zones | undefined;
  mainGoal?: number | undefined;
  exclusions?: readonly Exclusion[] | undefined;
};

/** Parameters by name; one that is given several times has a list. */
export type Query = Record<string, string | string[]>;

type Value = string | number;
type Operators = {
  is?: readonly Value[];
  not?: readonly Value[];
  like?: readonly string[];
  unlike?: readonly string[];
};
export type Filters = Record<string, Value | Operators>;
/**
 * Whose visit it is (nobody is the same on two days), its hits, for how many seconds the page of each was seen, and when it was
 * last active. A pageview has as `scroll` how much of its page was seen.
 */
export type Visit = {
  visitor: string;
  hits: [Hit, ...Hit[]];
  seen: number[];
  measured: (VitalValues | undefined)[];
  last: number;
};
/** A hit that counts, its visit, whose it is, for how many seconds its page was seen, and what was measured of it. */
export type Counted = { visitor: string; visit: Visit; hit: Hit; seen: number; measured: VitalValues | undefined };

type Cut = Omit<Visit, 'seen' | 'measured'> & { signs: Hit[] };

function cut(hits: readonly Hit[]): Cut[] {
  const visits: Cut[] = [];
  const running = new Map<string, Cut>();
  // Sorting is stable, so that in the same second the order of arrival counts.
  for (const hit of [...hits].sort((one, other) => one.second - other.second)) {
    const visitor = `${hit.visitor} on ${hit.day}`;
    const visit = running.get(visitor);
    if (visit && hit.second - visit.last <= 1_800) {
      visit.last = hit.second;
      if (hit.engaged === null) visit.hits.push(hit);
      else visit.signs.push(hit);
    } else if (hit.engaged === null) {
      const begun: Cut = { visitor, hits: [hit], signs: [], last: hit.second };
      visits.push(begun);
      running.set(visitor, begun);
    }
  }
  return visits;
}

/** A sign of life is about the latest hit on its page in the visit that runs when it comes. What comes late does not change that. */
export function visitsOf(hits: readonly Hit[]): Visit[] {
  const seen = new Map<Hit, number>();
  const depths = new Map<Hit, number>();
  const vitals = new Map<Hit, VitalValues>();
  for (const [i, sign] of hits.entries()) {
    const { engaged, scroll, measured, visitor, day } = sign;
    if (!engaged && scroll === undefined && !measured) continue;
    const before = hits.slice(0, i + 1).filter((hit) => hit.visitor === visitor && hit.day === day);
    const visit = cut(before).find(({ signs }) => signs.includes(sign));
    const earlier = visit?.hits.filter(({ page, second }) => page === sign.page && second <= sign.second) ?? [];
    const hit = earlier.at(-1);
    if (hit) seen.set(hit, (seen.get(hit) ?? 0) + (engaged ?? 0));
    const view = earlier.findLast(({ event }) => event === '');
    if (view && scroll !== undefined) depths.set(view, Math.max(depths.get(view) ?? 0, scroll));
    if (view && measured && packVitals(measured) > packVitals(vitals.get(view) ?? {})) vitals.set(view, measured);
  }
  return cut(hits).map((visit) => ({
    ...visit,
    hits: visit.hits.map((hit) => ({ ...hit, scroll: depths.get(hit) })) as Visit['hits'],
    seen: visit.hits.map((hit) => seen.get(hit) ?? 0),
    measured: visit.hits.map((hit) => vitals.get(hit)),
  }));
}

/** Whether a text is what a pattern says, in which a star stands for any run of characters. */
export function matches(text: string, pattern: string): boolean {
  const star = pattern.indexOf('*');
  if (star < 0) return text === pattern;
  if (!text.startsWith(pattern.slice(0, star))) return false;
  const rest = pattern.slice(star + 1);
  for (let from = star; from <= text.length; from++) if (matches(text.slice(from), rest)) return true;
  return false;
}

/** The value that a hit has for a property; none where it does not have it. */
export const propertyOf = ({ properties }: Hit, name: string): string | undefined =>
  properties === '' ? undefined : new Map(Object.entries(JSON.parse(properties) as Record<string, string>)).get(name);

export function reaches(hit: Hit, { type, value, property, scroll }: Target): boolean {
  const own = property && propertyOf(hit, property.name);
  if (property && (own === undefined || !matches(own, property.value))) return false;
  if (scroll !== undefined && (hit.scroll ?? -1) < scroll) return false;
  if (type === 'page') return hit.event === '' && matches(hit.page, value);
  return hit.event !== '' && hit.event === value;
}

const isPage = (filter: string): boolean => ['page', 'entry', 'exit'].includes(filter);

function understood(filter: string, typed: string): Value {
  if (['country', 'region'].includes(filter)) return typed.toUpperCase();
  if (filter === 'source') return typed.toLowerCase().replace(/^www\./, '');
  if (filter === 'hostname') return typed.toLowerCase().replace('münchen', 'xn--mnchen-3ya');
  if (isPage(filter)) return typed.replace(/\/+$/, '') || '/';
  return ['goal', 'pageviews'].includes(filter) ? Number(typed) : typed;
}

function patternOf(filter: string, typed: string): string {
  if (['source', 'hostname'].includes(filter)) return typed.toLowerCase();
  return isPage(filter) ? typed.replaceAll(/[^\x21-\x7e]|["#<>?^`{}]/gu, encodeURIComponent) : typed;
}

export function filtersIn(query: Query): Filters {
  const filters: Filters = {};
  for (const [name, typed] of Object.entries(query)) {
    const [, filter, operator] = /^filters\[([\w:()]+)\](?:\[(\w+)\])?$/.exec(name) ?? [];
    if (filter === undefined) continue;
    const values = [typed].flat();
    if (operator === undefined) filters[filter] = understood(filter, values[0] ?? '');
    else {
      const read = operator.endsWith('like') ? patternOf : understood;
      filters[filter] = { ...(filters[filter] as Operators), [operator]: values.map((value) => read(filter, value)) };
    }
  }
  return filters;
}

const asOperators = (asked: Value | Operators): Operators => (typeof asked === 'object' ? asked : { is: [asked] });

function meets(text: string, asked: Value | Operators): boolean {
  const { is, not = [], like, unlike = [] } = asOperators(asked);
  if (is && !is.includes(text)) return false;
  if (like && !like.some((pattern) => matches(text, pattern))) return false;
  return !not.includes(text) && !unlike.some((pattern) => matches(text, pattern));
}

/** Whether a visit has what a filter asks for. */
function fits({ hits }: Visit, filter: string, asked: Value | Operators, goals: readonly Goal[]): boolean {
  const last = hits.at(-1) ?? hits[0];
  switch (filter) {
    case 'entry':
      return meets(hits[0].page, asked);
    case 'exit':
      return meets(last.page, asked);
    case 'pageviews': {
      const { is, not = [] } = asOperators(asked);
      const pageviews = hits.filter(({ event }) => event === '').length;
      return (!is || is.includes(pageviews)) && !not.includes(pageviews);
    }
    case 'event': {
      const { is, not = [], like, unlike = [] } = asOperators(asked);
      const named = (test: (event: string) => boolean) => hits.some(({ event }) => event !== '' && test(event));
      if (is && !named((event) => is.includes(event))) return false;
      if (like && !named((event) => like.some((pattern) => matches(event, pattern)))) return false;
      return !named((event) => not.includes(event) || unlike.some((pattern) => matches(event, pattern)));
    }
    case 'goal': {
      const { is, not = [] } = asOperators(asked);
      const reached = (ids: readonly Value[]) =>
        goals.some((goal) => ids.includes(goal.id) && hits.some((hit) => reaches(hit, goal)));
      return (!is || reached(is)) && !reached(not);
    }
    case 'channel':
      return meets(findChannel(hits[0]), asked);
    default:
      return meets(hits[0][filter as 'source'], asked);
  }
}

/** Kept, because most questions are about the same hits. */
const found = new WeakMap<readonly Hit[], Map<string, Visit[]>>();

function visitsIn(hits: readonly Hit[], first: number, last: number): Visit[] {
  const known = found.get(hits) ?? new Map<string, Visit[]>();
  found.set(hits, known);
  const key = [first, last, hits.length].join();
  const visits = known.get(key) ?? visitsOf(hits.filter(({ day }) => day >= first && day <= last));
  known.set(key, visits);
  return visits;
}

/** Filters that a hit must meet together: by page, by host name and by properties. */
const isOfHits = (filter: string): boolean => ['page', 'hostname'].includes(filter) || filter.startsWith('property:');

const isSelected = (site: Site, visit: Visit, filters: Filters): boolean =>
  visit.hits.some((hit) => counts(hit, filters)) &&
  Object.entries(filters).every(([filter, asked]) => isOfHits(filter) || fits(visit, filter, asked, site.goals));

/** Whether a visit passes filters and one of several groups. One hit must pass the filters of both together. */
export const passesGroup = (site: Site, visit: Visit, filters: Filters, group: Filters): boolean =>
  visit.hits.some((hit) => counts(hit, filters) && counts(hit, group)) &&
  [filters, group].every((own) =>
    Object.entries(own).every(([filter, asked]) => isOfHits(filter) || fits(visit, filter, asked, site.goals)),
  );

/** The exclusions that take a visit. */
function takenBy(site: Site, visit: Visit): Exclusion[] {
  const { day } = visit.hits[0];
  return (site.exclusions ?? []).filter(
    ({ first, last, filters }) => day >= first && day <= (last ?? day) && isSelected(site, visit, filters),
  );
}

/** A visit as it was before an instant, if it had begun; it goes on until then. */
function before(until: number, { visitor, hits, seen, measured, last }: Visit): Visit[] {
  const midnight = hits[0].day * 86_400;
  const [first, ...others] = hits.filter(({ second }) => midnight + second < until);
  return first
    ? [{ visitor, hits: [first, ...others], seen, measured, last: Math.min(last, until - 1 - midnight) }]
    : [];
}

/** The visits of some days, those of the last as they were before an instant. What is set aside is judged on all of them. */
export const selected = (
  site: Site,
  filters: Filters,
  [first, last, until = Number.POSITIVE_INFINITY]: readonly [first: number, last: number, until?: number | undefined],
): Visit[] =>
  visitsIn(site.hits, first, last)
    .filter((visit) => takenBy(site, visit).length === 0)
    .flatMap((visit) => (visit.hits[0].day === last ? before(until, visit) : [visit]))
    .filter((visit) => isSelected(site, visit, filters));

/** The visits of some days that are set aside, each with what takes it. */
export const takenIn = (site: Site, first: number, last: number): { visit: Visit; by: Exclusion[] }[] =>
  visitsIn(site.hits, first, last)
    .map((visit) => ({ visit, by: takenBy(site, visit) }))
    .filter(({ by }) => by.length > 0);

export const hitsIn = (visits: readonly Visit[]): Counted[] =>
  visits.flatMap((visit) =>
    visit.hits.map((hit, i) => ({
      ...{ visitor: visit.visitor, visit, hit },
      ...{ seen: visit.seen[i] ?? 0, measured: visit.measured[i] },
    })),
  );

/** A hit counts if its page, its host name and its properties meet the filters together. */
export const counts = (hit: Hit, filters: Filters): boolean =>
  Object.entries(filters).every(([filter, asked]) => {
    if (!isOfHits(filter)) return true;
    const [, name] = /^property:(.*)$/.exec(filter) ?? [];
    if (name === undefined) return meets(hit[filter as 'page'], asked);
    const value = propertyOf(hit, name);
    return value !== undefined && meets(value, asked);
  });

export const countedIn = (visits: readonly Visit[], filters: Filters): Counted[] =>
  hitsIn(visits).filter(({ hit }) => counts(hit, filters));

export const distinct = (counted: readonly { visitor: string }[]): number =>
  new Set(counted.map(({ visitor }) => visitor)).size;
export const pageviewsIn = (counted: readonly Counted[]): Counted[] => counted.filter(({ hit }) => hit.event === '');
export const eventsIn = (counted: readonly Counted[]): Counted[] => counted.filter(({ hit }) => hit.event !== '');
