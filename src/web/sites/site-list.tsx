import { useCallback, useEffect, useState } from 'preact/hooks';
import type { Site } from '../../api/sites.ts';
import { changeView, useAddress, viewOf } from '../address.ts';
import { ApiError } from '../api.ts';
import { useCardFigures } from './card-figures.ts';
import { SiteCard } from './site-card.tsx';

/** With this many sites there is a search. */
const SEARCH_FROM = 9;
/** Sorting by visitors takes a request for each site. */
const SORTED_BY_VISITORS_UP_TO = 40;
/** For this long the cards stay blank, so that they need not change places when the figures arrive. */
const PATIENCE_MS = 600;
const ORDERS = ['visitors', 'name'] as const;

type ToolsProps = { sites: readonly Site[]; order: string; search: string; onSearch(search: string): void };

function Tools({ sites, order, search, onSearch }: ToolsProps) {
  if (sites.length < 2) return null;
  return (
    <div class="site-list-tools">
      {sites.length >= SEARCH_FROM ? (
        <input
          type="search"
          aria-label="Find a site"
          placeholder="Find a site"
          value={search}
          onInput={({ currentTarget }) => onSearch(currentTarget.value)}
        />
      ) : null}
      <fieldset class="tabs">
        <legend class="unseen">Sorted by</legend>
        {ORDERS.map((name) => (
          <button
            key={name}
            type="button"
            aria-pressed={order === name}
            onClick={() => changeView({ more: { sort: name } }, 'replace')}
          >
            By {name}
          </button>
        ))}
      </fieldset>
    </div>
  );
}

/** Whether it is too early to show cards that may still change their places. */
function useIsEarly(): boolean {
  const [isEarly, set] = useState(true);
  useEffect(() => {
    const timer = setTimeout(() => set(false), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  return isEarly;
}

/** A card for each site, sorted by visitors or by name, with a search where there are many. */
export function SiteList({ sites }: { sites: readonly Site[] }) {
  const address = useAddress();
  const [search, setSearch] = useState('');
  const [viewed, setViewed] = useState<readonly string[]>([]);
  const isEarly = useIsEarly();
  const order = viewOf(address.search).more.sort ?? (sites.length > SORTED_BY_VISITORS_UP_TO ? 'name' : 'visitors');
  const isByVisitors = order === 'visitors';
  const figures = useCardFigures(isByVisitors ? sites : sites.filter(({ domain }) => viewed.includes(domain)));
  const onInView = useCallback(
    (domain: string) => setViewed((before) => (before.includes(domain) ? before : [...before, domain])),
    [],
  );

  const visitorsOf = ({ domain }: Site): number => {
    const result = figures.get(domain);
    return result === undefined || result instanceof ApiError ? -1 : result.visitors;
  };
  // Once, when all figures are there, and not again with each of them.
  const isSorted = isByVisitors && sites.every(({ domain }) => figures.has(domain));
  const shown = sites
    .filter(({ domain }) => domain.includes(search.trim().toLowerCase()))
    .toSorted((a, b) => (isSorted ? visitorsOf(b) - visitorsOf(a) : 0) || a.domain.localeCompare(b.domain));

  return (
    <>
      <Tools sites={sites} order={order} search={search} onSearch={setSearch} />
      <ul class="site-list">
        {shown.map((site) =>
          isByVisitors && !isSorted && isEarly ? (
            <li key={site.id} class="card site-list-blank" />
          ) : (
            <SiteCard key={site.id} site={site} figures={figures.get(site.domain)} onInView={onInView} />
          ),
        )}
      </ul>
      {shown.length === 0 ? <p class="soft">No site is called that.</p> : null}
    </>
  );
}
