import { useLayoutEffect, useState } from 'preact/hooks';
import { CONDITIONS } from '../stats/dimensions.ts';
import type { Query } from './api.ts';
import { added } from './filters.ts';
import { FILTER_KEYS, type FilterKey, type Filters, isTyped, partsOf, type View } from './view.ts';

/** All that a page shows stands in its address, so that the address can be sent to others and the back button works. */
export type Route =
  | { page: 'sites' }
  | { page: 'all-sites' }
  | { page: 'site'; domain: string }
  | { page: 'settings'; domain: string; part: string }
  | { page: 'account'; part: string }
  | { page: 'not-found' };

const DEFAULT_RANGE = '30d';

/** The page of all sites together. */
export const ALL_SITES = '/all-sites';

/** Undefined for what no browser writes, such as %E0 alone. */
function decoded(segment: string | undefined): string | undefined {
  try {
    return decodeURIComponent(segment ?? '');
  } catch {
    return undefined;
  }
}

/** Parts of the account that are found elsewhere now, or come first. */
const FORMER: Record<string, string> = { '': 'you', password: 'you' };

export function routeOf(path: string, sharedDomain?: string): Route {
  if (sharedDomain !== undefined) return { page: 'site', domain: sharedDomain };
  const [, first, second, third, fourth] = path.split('/');
  if (path === '/') return { page: 'sites' };
  if (path === ALL_SITES) return { page: 'all-sites' };
  if (path === '/server') return { page: 'account', part: 'server' };
  if (first === 'account') return { page: 'account', part: FORMER[second ?? ''] ?? second ?? '' };
  const domain = first === 'sites' ? decoded(second) : undefined;
  if (domain && !third) return { page: 'site', domain };
  if (domain && third === 'settings') return { page: 'settings', domain, part: fourth || 'general' };
  return { page: 'not-found' };
}

const isKey = (name: string): name is FilterKey => (FILTER_KEYS as readonly string[]).includes(name);

export function viewOf(search: string): View {
  const view: View = { range: DEFAULT_RANGE, filters: {}, more: {} };
  for (const [name, value] of new URLSearchParams(search)) {
    if (name === 'range') view.range = value;
    else if (isKey(name)) view.filters = added(view.filters, name, value);
    else view.more[name] = value;
  }
  return view;
}

export function searchOf({ range, filters, more }: View): string {
  const search = new URLSearchParams();
  if (range !== DEFAULT_RANGE) search.set('range', range);
  for (const name of FILTER_KEYS) for (const value of filters[name] ?? []) search.append(name, value);
  for (const [name, value] of Object.entries(more)) if (value !== '') search.set(name, value);
  return search.size > 0 ? `?${search}` : '';
}

/** The plain form of a filter has one value, and cannot stand beside another condition on the same name. */
function parameterOf(
  key: FilterKey,
  values: readonly string[],
  filters: Filters,
): [name: string, value: Query[string]] {
  const [name, condition] = partsOf(key);
  const isAlone = Object.keys(filters).every((other) => other === key || !other.startsWith(`${name}.`));
  const [value = '', ...more] = values;
  if (condition === 'is' && isAlone && more.length === 0) return [`filters[${name}]`, value];
  return [
    `filters[${name}][${CONDITIONS[condition]}]`,
    isTyped(condition) ? values.map((part) => `*${part}*`) : values,
  ];
}

/** The parameters of a report for this view. */
export const reportQuery = ({ range, filters }: View): { range: string } & Query => ({
  range,
  ...Object.fromEntries(Object.entries(filters).map(([key, values]) => parameterOf(key as FilterKey, values, filters))),
});

export const sitePath = (domain: string, rest = ''): string => `/sites/${encodeURIComponent(domain)}${rest}`;

/** A report of a site, or without one of all sites together. */
export const statsPath = (domain: string | undefined, report: string): string =>
  domain === undefined ? `/stats/${report}` : sitePath(domain, `/stats/${report}`);

const listeners = new Set<() => void>();

/** Goes to another address of the dashboard without loading the page. */
export function navigate(to: string, how: 'push' | 'replace' = 'push'): void {
  if (how === 'push') history.pushState(null, '', to);
  else history.replaceState(null, '', to);
  for (const listener of listeners) listener();
}

/** The current address; the component is rendered again when it changes. */
export function useAddress(): { path: string; search: string } {
  const current = () => ({ path: location.pathname, search: location.search });
  const [address, set] = useState(current);
  // Not after it is drawn: a link may be followed before.
  useLayoutEffect(() => {
    const listener = () => set(current());
    listeners.add(listener);
    addEventListener('popstate', listener);
    return () => {
      listeners.delete(listener);
      removeEventListener('popstate', listener);
    };
  }, []);
  return address;
}

/** Goes to another view of the same site. */
export const changeView = (change: Partial<View>, how: 'push' | 'replace' = 'push'): void =>
  navigate(location.pathname + searchOf({ ...viewOf(location.search), ...change }), how);
