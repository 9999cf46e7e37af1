// The scope of a page: what its reports are about. It is one site, or all sites of the user together.
//
// Invariant: each page has one scope, and all parts of the page read this scope with `useScope`. So no part has to pass
// the site or the view to its children. Some parts give their children a copy of the scope with another view. An
// example is a group of filters on the page "Explore".
//
// Example: the page of example.com has a scope with the domain and the view. A panel calls `statsPath(scope, 'goals')`
// to get the API's path of its report.

import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Site } from '../../api/sites.ts';
import { changeView, sitePath } from './address.ts';
import { boot } from './boot.ts';
import type { Filters, View } from './view.ts';

type Common = {
  view: View;
  today: string;
  /** Whether the user may change the site. Never true for all sites together. */
  mayChange: boolean;
  /**
   * The currency of the revenue. The field is null if the page shows no revenue, and undefined while the site is
   * loading. The page of all sites shows revenue only if all sites have the same currency.
   */
  currency: string | null | undefined;
  /**
   * Changes the filters of one part of the page. Only some parts have their own filters, such as a group on the page
   * "Explore". All other parts use the filters of the view, and lack this function.
   */
  changeFilters?: (filters: Filters) => void;
};

export type SiteScope = Common & {
  kind: 'site';
  domain: string;
  /** The site. The field is undefined while the site is loading, and always on a page that a share link opened. */
  site: Site | undefined;
  /** The time zone of the site, or undefined while the site is loading. */
  timeZone: string | undefined;
  /** The id of the main goal. It is null if the site has no main goal, and undefined while the site is loading. */
  mainGoal: number | null | undefined;
};

export type Scope = SiteScope | (Common & { kind: 'all' });

export const PageScope = createContext<Scope | undefined>(undefined);

export function useScope(): Scope {
  const scope = useContext(PageScope);
  if (!scope) throw new Error('The page has no scope.');
  return scope;
}

/** Returns the scope in a component that is only on pages of one site. Throws on the page of all sites. */
export function useSiteScope(): SiteScope {
  const scope = useScope();
  if (scope.kind === 'all') throw new Error('The page is not about one site.');
  return scope;
}

/** Returns the function that changes the filters of this part of the page. */
export const useChangeFilters = () => useScope().changeFilters ?? ((filters: Filters) => changeView({ filters }));

/** True if the user may open the page "Explore": only for one site, and not with a share link. */
export const mayExplore = ({ kind }: Scope): boolean => kind === 'site' && !boot.share;

/** Returns the API's path of a report, for one site or for all sites. */
export const statsPath = (scope: Scope, report: string): string =>
  scope.kind === 'all' ? `/stats/${report}` : sitePath(scope.domain, `/stats/${report}`);
