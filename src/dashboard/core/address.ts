// The URL of the dashboard says everything that a page shows: page, range, filters and tabs. So a link can be sent to others,
// and the back button works. This file reads and writes URLs of the dashboard, and makes the API's parameters from them.
//
// Example: /sites/example.com?range=7d&country=DE is the page `site` with the view `{range: '7d', filters: {country: ['DE']},
// more: {}}`. The API gets `range=7d&filters[country]=DE`.
//
// main.tsx renders the page of `useAddress`. Links and buttons call `navigate` and `changeView`.

import { useLayoutEffect, useState } from 'preact/hooks';
import { CONDITIONS } from '../../stats/dimensions.ts';
import type { Query } from './api.ts';
import { added } from './filters.ts';
import { FILTER_KEYS, type FilterKey, type Filters, isTyped, partsOf, type View } from './view.ts';

export type Route =
  | { page: 'sites' }
  | { page: 'all-sites' }
  | { page: 'site'; domain: string }
  | { page: 'settings'; domain: string; part: string }
  | { page: 'account'; part: string }
  | { page: 'not-found' };

const DEFAULT_RANGE = '30d';

export const ALL_SITES = '/all-sites';

/**
 * Maps names in older links to present names of parts of the account page. A URL without a name means the first part.
 */
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

/** Decodes one segment of a path. Returns undefined for text that no browser writes, such as an incomplete %E0. */
function decoded(segment: string | undefined): string | undefined {
  try {
    return decodeURIComponent(segment ?? '');
  } catch {
    return undefined;
  }
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

/**
 * Makes a parameter of the API from a filter. The short form `filters[country]=DE` takes only one value. The API also
 * refuses this form together with a second condition on the same name, such as `filters[country][not]=FR`.
 */
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

export const reportQuery = ({ range, filters }: View): { range: string } & Query => ({
  range,
  ...Object.fromEntries(Object.entries(filters).map(([key, values]) => parameterOf(key as FilterKey, values, filters))),
});

export const sitePath = (domain: string, rest = ''): string => `/sites/${encodeURIComponent(domain)}${rest}`;

/** Returns the path of a report in the API. Without a domain, the report is about all sites together. */
export const statsPath = (domain: string | undefined, report: string): string =>
  domain === undefined ? `/stats/${report}` : sitePath(domain, `/stats/${report}`);

const listeners = new Set<() => void>();

/** Changes the URL and renders the new page. The browser does not load anything from the server for this. */
export function navigate(to: string, how: 'push' | 'replace' = 'push'): void {
  if (how === 'push') history.pushState(null, '', to);
  else history.replaceState(null, '', to);
  for (const listener of listeners) listener();
}

/** The component that calls this hook renders again when the URL changes. */
export function useAddress(): { path: string; search: string } {
  const current = () => ({ path: location.pathname, search: location.search });
  const [address, set] = useState(current);
  // With an ordinary effect, a user could follow a link before the listener is added. A layout effect runs before the
  // page is shown.
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

/** Changes some values of the view, such as its range. All other values stay. */
export const changeView = (change: Partial<View>, how: 'push' | 'replace' = 'push'): void =>
  navigate(location.pathname + searchOf({ ...viewOf(location.search), ...change }), how);
