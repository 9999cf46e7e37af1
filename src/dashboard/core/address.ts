// The URL of the dashboard says what to show: the page, the range, the filters and the open tabs. So people can send
// links, and the back button works. This file reads and writes URLs of the dashboard, and makes the parameters of API
// requests from them.
//
// Example: /sites/example.com?range=7d&country=DE is the page `site` with the view `{range: '7d', filters: {country:
// ['DE']}, …}`. The API gets `range=7d&filters[country]=DE`.
//
// main.tsx renders the page that `routeOf` finds for the path of the URL. Links and buttons call `navigate` and
// `changeView`.

import { useLayoutEffect, useState } from 'preact/hooks';
import { CONDITIONS } from '../../stats/dimensions.ts';
import type { Query } from './api.ts';
import { added } from './filters.ts';
import { readChoices, USUAL_CHOICES, type WhyFigure, writeChoices } from './parameters.ts';
import { type FilterKey, type Filters, isKey, isTyped, keysOf, partsOf, type View } from './view.ts';

export type Route =
  | { page: 'sites' }
  | { page: 'all-sites' }
  | { page: 'site'; domain: string }
  | { page: 'settings'; domain: string; part: string }
  | { page: 'account'; part: string }
  | { page: 'not-found' };

export const ALL_SITES = '/all-sites';

/**
 * Former names of parts of the account page, each with the part that opens now. Older links contain these names, such
 * as `password` in /account/password. For the link /account, the name is the empty text.
 */
const FORMER: Record<string, string> = { '': 'you', password: 'you' };

export function routeOf(path: string, sharedDomain?: string): Route {
  if (sharedDomain !== undefined) return { page: 'site', domain: sharedDomain };
  const [, first, second, third, fourth] = path.split('/');
  if (path === '/') return { page: 'sites' };
  if (path === ALL_SITES) return { page: 'all-sites' };
  if (path === '/server' || path === '/cluster') return { page: 'account', part: path.slice(1) };
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

export function viewOf(search: string): View {
  const parameters = new URLSearchParams(search);
  let filters: Filters = {};
  for (const [name, value] of parameters) if (isKey(name)) filters = added(filters, name, value);
  return { ...readChoices(parameters), filters };
}

export function searchOf({ filters, ...choices }: View): string {
  const conditions = keysOf(filters).flatMap((name) => (filters[name] ?? []).map((value) => [name, value]));
  const search = String(new URLSearchParams([...writeChoices(choices), ...conditions]));
  return search && `?${search}`;
}

/** Returns a new view with the range and the filters of the given view. All other values are the defaults. */
export const reportOf = ({ range, filters }: View): View => ({ ...USUAL_CHOICES, range, filters });

/**
 * Makes a parameter of the API from a filter. A filter with the condition `is` and one value gets the short form
 * `filters[country]=DE`. All other filters get the long form, such as `filters[country][not]=FR`. The API refuses both
 * forms together for one dimension. So next to a filter `country.not`, the long form `filters[country][is]=DE` is used.
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
  ...Object.fromEntries(
    Object.entries(filters).map(([key, values = []]) => parameterOf(key as FilterKey, values, filters)),
  ),
});

export const sitePath = (domain: string, rest = ''): string => `/sites/${encodeURIComponent(domain)}${rest}`;

/** The change of a view that closes the dialog "Why?" (report/chart/why.tsx). */
export const NO_WHY = { why: '', row: '' } as const;

/**
 * Makes the change of a view that opens the dialog "Why?" for a figure of a row. `filters` are the conditions of the
 * row, such as `{country: ['DE']}`.
 */
export const whyRow = (filters: Filters, why: WhyFigure = 'visitors'): Pick<View, 'why' | 'row'> => ({
  why,
  row: searchOf({ ...USUAL_CHOICES, filters }).slice(1),
});

const listeners = new Set<() => void>();

/** Changes the URL and shows its page. The browser does not load the page from the server. */
export function navigate(to: string, how: 'push' | 'replace' = 'push'): void {
  if (how === 'push') history.pushState(null, '', to);
  else history.replaceState(null, '', to);
  for (const listener of listeners) listener();
}

/**
 * Returns the path and the query string of the URL. The component that calls this hook renders again when the URL
 * changes.
 */
export function useAddress(): { path: string; search: string } {
  const current = () => ({ path: location.pathname, search: location.search });
  const [address, set] = useState(current);
  // A layout effect runs before the page is visible. With an ordinary effect, a user could click a link before the
  // listener is added, and nothing would happen.
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
