import type { Hit } from '../collect/stage.ts';
import type { Zones } from './zones.ts';

export type Target = { type: 'page' | 'event'; value: string };
export type Goal = Target & { id: number };
export type Funnel = { id: number; name: string; steps: Target[] };
export type Crawl = { day: number; crawler: string; page: string };
type Crawler = { id: string; name: string; operator: string; purpose: string };

/** What one site has; hits and crawls in the order in which they came in. */
export type Site = {
  hits: readonly Hit[];
  crawls: readonly Crawl[];
  goals: readonly Goal[];
  funnels: readonly Funnel[];
  crawlers: readonly Crawler[];
  /** UTC where none are named. */
  zones?: Zones | undefined;
};

export type Filters = Record<string, string | number>;
/** Whose visit it is (nobody is the same on two days), its hits, and when it was last active. */
export type Visit = { visitor: string; hits: [Hit, ...Hit[]]; last: number };
/** A hit that counts, and whose it is. */
export type Counted = { visitor: string; hit: Hit };

function visitsOf(hits: readonly Hit[]): Visit[] {
  const visits: Visit[] = [];
  const running = new Map<string, Visit>();
  // Sorting is stable, so that in the same second the order of arrival counts.
  for (const hit of [...hits].sort((one, other) => one.second - other.second)) {
    const visitor = `${hit.visitor} on ${hit.day}`;
    const visit = running.get(visitor);
    if (visit && hit.second - visit.last <= 1_800) {
      visit.last = hit.second;
      if (hit.engaged === null) visit.hits.push(hit);
    } else if (hit.engaged === null) {
      const begun: Visit = { visitor, hits: [hit], last: hit.second };
      visits.push(begun);
      running.set(visitor, begun);
    }
  }
  return visits;
}

export function reaches(hit: Hit, { type, value }: Target): boolean {
  if (type === 'page') return hit.event === '' && hit.page === value;
  return hit.event !== '' && hit.event === value;
}

export function filtersIn(query: Record<string, string>): Filters {
  const filters: Filters = {};
  for (const [name, typed] of Object.entries(query)) {
    const filter = /^filters\[(\w+)\]$/.exec(name)?.[1];
    if (filter === undefined) continue;
    if (filter === 'country') filters[filter] = typed.toUpperCase();
    else if (filter === 'source') filters[filter] = typed.toLowerCase().replace(/^www\./, '');
    else if (filter === 'page' || filter === 'entry') filters[filter] = typed.replace(/\/+$/, '') || '/';
    else if (filter === 'goal') filters[filter] = Number(typed);
    else filters[filter] = typed;
  }
  return filters;
}

/** Whether a visit has what a filter asks for. */
function fits({ hits }: Visit, filter: string, wanted: string | number, goals: readonly Goal[]): boolean {
  const [first] = hits;
  switch (filter) {
    case 'page':
      return hits.some((hit) => hit.page === wanted);
    case 'entry':
      return first.page === wanted;
    case 'event':
      return hits.some((hit) => hit.event === wanted);
    case 'goal': {
      const goal = goals.find(({ id }) => id === wanted);
      return hits.some((hit) => goal !== undefined && reaches(hit, goal));
    }
    default:
      return first[filter as 'source'] === wanted;
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

export function selected(site: Site, filters: Filters, first: number, last: number): Visit[] {
  return visitsIn(site.hits, first, last).filter((visit) =>
    Object.entries(filters).every(([filter, wanted]) => fits(visit, filter, wanted, site.goals)),
  );
}

export function countedIn(visits: readonly Visit[], filters: Filters): Counted[] {
  const all = visits.flatMap(({ visitor, hits }) => hits.map((hit) => ({ visitor, hit })));
  return all.filter(({ hit }) => filters.page === undefined || hit.page === filters.page);
}

export const distinct = (counted: readonly Counted[]): number => new Set(counted.map(({ visitor }) => visitor)).size;
export const pageviewsIn = (counted: readonly Counted[]): Counted[] => counted.filter(({ hit }) => hit.event === '');
export const eventsIn = (counted: readonly Counted[]): Counted[] => counted.filter(({ hit }) => hit.event !== '');
